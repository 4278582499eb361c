/* ---- Decisions: comparisons, absolute values, minima and the like. -------------------------------------------------
 *
 * While time passes those whose switching quantity changes are frozen at the start of a step: the solver then sees a smooth
 * function also at trial points beyond a surface, and the step is cut where the first decision would turn. */

/* The decision for a value of its switching quantity. */
static double decision(int kind, double d)
{
    switch (kind) {
    case LESS:
        return d < 0.0 ? 1.0 : 0.0;
    case LESS_EQUAL:
        return d <= 0.0 ? 1.0 : 0.0;
    case GREATER:
        return d > 0.0 ? 1.0 : 0.0;
    case GREATER_EQUAL:
        return d >= 0.0 ? 1.0 : 0.0;
    case EQUAL:
        return d == 0.0 ? 1.0 : 0.0;
    case NOT_EQUAL:
    case NOT_ZERO:
        return d != 0.0 ? 1.0 : 0.0;
    case SIGN:
        return d > 0.0 ? 1.0 : d < 0.0 ? -1.0 : 0.0;
    case FLOOR:
        return floor(d);
    default:
        return d >= 0.0 ? 1.0 : 0.0;
    }
}

/* What a decision gives outside of steps: for a comparison 1, 0, or -1 if an operand is no number. */
static double as_it_stands(int kind, double a, double b)
{
    if (isnan(a) || isnan(b))
        return kind <= NOT_ZERO ? -1.0 : NAN;
    switch (kind) {
    case LESS:
        return a < b ? 1.0 : 0.0;
    case LESS_EQUAL:
        return a <= b ? 1.0 : 0.0;
    case GREATER:
        return a > b ? 1.0 : 0.0;
    case GREATER_EQUAL:
        return a >= b ? 1.0 : 0.0;
    case EQUAL:
        return a == b ? 1.0 : 0.0;
    case NOT_EQUAL:
    case NOT_ZERO:
        return a != b ? 1.0 : 0.0;
    case MINIMUM:
        return fmin(a, b);
    case MAXIMUM:
        return fmax(a, b);
    case ABSOLUTE:
        return fabs(a);
    default:
        return decision(kind, a);
    }
}

static int is_equality(int kind)
{
    return kind == EQUAL || kind == NOT_EQUAL;
}

/* Equality of signals that change is a crossing: two that met count as equal while their difference is where they met, up to
 * rounding. */
static int has_met(const MODEL *m, int k, double a, double b)
{
    double d = a - b, margin = 4.0 * DBL_EPSILON * fmax(fabs(a), fabs(b));
    return m->is_met[k] && d >= fmin(m->met[k], 0.0) - margin && d <= fmax(m->met[k], 0.0) + margin;
}

/* Decision k of a and b (0 for those of one operand). */
static double switched(const Moment *c, int k, double a, double b)
{
    MODEL *m = c->m;
    int kind = decision_kind[k], is_met = is_equality(kind) && has_met(m, k, a, b);
    double now;
    if (!c->is_flow || !m->is_active[k])
        return as_it_stands(kind, a, is_met ? a : b);
    m->quantity[k] = a - b;
    m->size[k] = fmax(fabs(a), fabs(b));
    if (m->is_deciding)
        m->frozen[k] = decision(kind, is_met ? 0.0 : a - b);
    now = m->frozen[k];
    switch (kind) {
    case ABSOLUTE:
        return now != 0.0 ? a : -a;
    case MINIMUM:
        return now != 0.0 ? b : a;
    case MAXIMUM:
        return now != 0.0 ? a : b;
    default:
        return now;
    }
}
