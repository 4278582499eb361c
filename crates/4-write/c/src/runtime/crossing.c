/* ------------------------------------------------------------------------------------------------------------------
   Crossings: the first moment at which a function goes from positive to zero or below.

   The function is interpolated piece by piece in Bernstein form, whose coefficients bound it. A piece that is certainly
   positive is left behind; one of certain shape is decided by values of the function itself; others are halved. So two
   crossings in one step are not missed. A function that starts on its level (within `level` of zero) has to leave it first.
   ------------------------------------------------------------------------------------------------------------------ */

enum { CROSSING_NONE = 0, CROSSING_AT = 1, CROSSING_SINKS = 2, CROSSING_NOT_ISOLATED = 3, CROSSING_NOT_FINITE = 4 };

enum { MOST_PIECES = 4096, PATIENCE = 4, LOOKS_BEFORE_SINKING = 16, MOST_JUMPS = 8 };

/* The value of function `number` at t. */
typedef double (*crossing_function)(void *context, int number, double t);

/* sign * g + offset. */
typedef struct {
    crossing_function g;
    void *context;
    int number;
    double shift;
    double sign;
    double offset;
} crossing_source;

/* What a search found: [t, other] is a bracket, or the doubtful part. */
typedef struct {
    int kind;
    double t;
    double other;
    double value;
} crossing_found;

static double source_value(const crossing_source *s, double t)
{
    return s->sign * (s->g(s->context, s->number, t) - s->shift) + s->offset;
}

static crossing_found crossing_result(int kind, double t, double other, double value)
{
    crossing_found found;
    found.kind = kind;
    found.t = t;
    found.other = other;
    found.value = value;
    return found;
}

/* Where to look next, as a part of the way from x1 to x2 (Chandrupatla 1997). */
static double bracket_part(double x1, double f1, double x2, double f2, double x3, double f3)
{
    const double xi = (x1 - x2) / (x3 - x2);
    const double phi = (f1 - f2) / (f3 - f2);
    if (phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi) {
        return f1 / (f2 - f1) * f3 / (f2 - f3) + (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2);
    }
    return 0.5;
}

/* sum_j b_j B_j(tau) of degree n. */
static double bernstein_value(const double *b, int n, double tau)
{
    double work[17];
    int j, k;
    memcpy(work, b, (size_t)(n + 1) * sizeof(double));
    for (k = 1; k <= n; k++) {
        for (j = 0; j <= n - k; j++) {
            work[j] = (1.0 - tau) * work[j] + tau * work[j + 1];
        }
    }
    return work[0];
}

/* Either the function of a source or a polynomial in Bernstein form. */
static double bracket_value(const crossing_source *s, const double *b, int n, double t)
{
    return s != NULL ? source_value(s, t) : bernstein_value(b, n, t);
}

/* Closes the bracket f(lo) > 0 >= f(hi) to rounding; 0 where the function is not finite, at *lo. */
static int bracket_close(const crossing_source *s, const double *b, int n, double *lo, double at_lo, double *hi, double *at_hi)
{
    double x1 = *hi, f1 = *at_hi, x2 = *lo, f2 = at_lo, part = 0.5, zeros = 0.25;
    int i;
    for (i = 0; i < 200; i++) {
        const double t = x1 + part * (x2 - x1);
        double value, x3, f3, least;
        if (!(*lo < t && t < *hi)) {
            break;
        }
        value = bracket_value(s, b, n, t);
        if (!isfinite(value)) {
            *lo = t;
            return 0;
        }
        if ((value > 0.0) == (f1 > 0.0)) {
            x3 = x1;
            f3 = f1;
        } else {
            x3 = x2;
            f3 = f2;
            x2 = x1;
            f2 = f1;
        }
        x1 = t;
        f1 = value;
        if (value > 0.0) {
            *lo = t;
        } else {
            *hi = t;
            *at_hi = value;
        }
        least = fmax(DBL_EPSILON * fmax(fabs(*lo), fabs(*hi)), DBL_MIN) / (*hi - *lo);
        if (least > 0.5) {
            break;
        }
        if (value == 0.0) {
            zeros *= 4.0;
            part = fmin(least * zeros, 0.5);
        } else {
            part = fmin(fmax(bracket_part(x1, f1, x2, f2, x3, f3), least), 1.0 - least);
        }
    }
    return 1;
}

static void piece_range(const MODEL_piece *p, double *lowest, double *highest)
{
    int j;
    *lowest = p->b[0];
    *highest = p->b[0];
    for (j = 1; j <= p->degree; j++) {
        *lowest = fmin(*lowest, p->b[j]);
        *highest = fmax(*highest, p->b[j]);
    }
}

/* The table of T_0 ... T_n in Bernstein form for the least degree n that is not below `degree`. */
static const double *bernstein_table(int degree, int *n)
{
    if (degree <= 2) {
        *n = 2;
        return BERNSTEIN_2;
    }
    if (degree <= 4) {
        *n = 4;
        return BERNSTEIN_4;
    }
    if (degree <= 8) {
        *n = 8;
        return BERNSTEIN_8;
    }
    *n = 16;
    return BERNSTEIN_16;
}

/* Leaves out what is not significant and converts. */
static void piece_from_chebyshev(MODEL_piece *p, const double *c, double tail, double size)
{
    const double threshold = fmax(2.0 * tail, 8.0 * DBL_EPSILON * size);
    const double *table;
    int degree = 16, k, j;
    while (degree > 1 && !(fabs(c[degree]) > threshold)) {
        degree--;
    }
    p->error = 2.0 * tail + 8.0 * DBL_EPSILON * size;
    for (k = degree + 1; k <= 16; k++) {
        p->error += fabs(c[k]);
    }
    table = bernstein_table(degree, &p->degree);
    for (j = 0; j <= p->degree; j++) {
        p->b[j] = 0.0;
    }
    for (k = 0; k <= degree; k++) {
        const double *row = table + k * (p->degree + 1);
        double largest = 0.0;
        for (j = 0; j <= p->degree; j++) {
            p->b[j] += c[k] * row[j];
            largest = fmax(largest, fabs(row[j]));
        }
        p->error += 2.0 * DBL_EPSILON * fabs(c[k]) * largest;
    }
    p->is_fresh = 1;
}

/* sum c_k T_k(x), Clenshaw's recurrence. */
static double chebyshev_sum(const double *c, double x)
{
    double b1 = 0.0, b2 = 0.0;
    int k;
    for (k = 16; k > 0; k--) {
        const double b0 = c[k] + 2.0 * x * b1 - b2;
        b2 = b1;
        b1 = b0;
    }
    return c[0] + x * b1 - b2;
}

/* Coefficients of degree 16, or of degree 8 from every second value, and the size of the last three. */
static double chebyshev_coefficients(const double *values, int is_fine, double *c)
{
    const int last = is_fine ? 16 : 8;
    double tail = 0.0;
    int i, j;
    for (i = 0; i <= 16; i++) {
        c[i] = 0.0;
        for (j = 0; i <= last && j <= last; j++) {
            c[i] += is_fine ? values[j] * CHEBYSHEV_FULL[i][j] : values[2 * j] * CHEBYSHEV_HALF[i][j];
        }
        if (i + 2 >= last) {
            tail = fmax(tail, fabs(c[i]));
        }
    }
    return tail;
}

/* Interpolates on [l, r], with degree 8 if that already shows a positive function; 0 where it is not finite, at *at. */
static int piece_make(const crossing_source *s, MODEL_piece *p, double *tail, double *size, double *at)
{
    const double check_at = 0.4618034;
    const double middle = 0.5 * (p->l + p->r), radius = 0.5 * (p->r - p->l);
    double values[17] = {0.0}, c[17] = {0.0}, check, rest;
    int i, is_fine;
    *size = 0.0;
    *at = middle + radius * check_at;
    check = source_value(s, *at);
    if (!isfinite(check)) {
        return 0;
    }
    for (is_fine = 0; is_fine < 2; is_fine++) {
        for (i = is_fine; i < 17; i += 2) {
            *at = i == 0 ? p->l : i == 16 ? p->r : middle + radius * CHEBYSHEV_PLACE[i];
            values[i] = source_value(s, *at);
            if (!isfinite(values[i])) {
                return 0;
            }
            *size = fmax(*size, fabs(values[i]));
        }
        *tail = chebyshev_coefficients(values, is_fine, c);
        *tail = fmax(*tail, fabs(chebyshev_sum(c, check_at) - check));
        rest = 0.0;
        for (i = 1; i <= 16; i++) {
            rest += fabs(c[i]);
        }
        if (c[0] - rest - 4.0 * *tail > 0.0 && *tail < 0.02 * c[0]) {
            break;
        }
    }
    piece_from_chebyshev(p, c, *tail, *size);
    return 1;
}

enum { SHAPE_INCREASING, SHAPE_DECREASING, SHAPE_MINIMUM, SHAPE_MAXIMUM, SHAPE_UNKNOWN };

/* The shape of a piece, as far as it is certain. */
static int piece_shape(const MODEL_piece *p)
{
    const double margin = 2.0 * (p->degree + 1) * p->error;
    int first = 0, last = 0, changes = 0, j;
    for (j = 0; j < p->degree; j++) {
        const double difference = p->b[j + 1] - p->b[j];
        const int sign = difference > 0.0 ? 1 : -1;
        if (!(fabs(difference) > margin)) {
            return SHAPE_UNKNOWN;
        }
        if (first == 0) {
            first = sign;
        } else if (sign != last) {
            changes++;
        }
        last = sign;
    }
    if (changes == 0) {
        return first > 0 ? SHAPE_INCREASING : SHAPE_DECREASING;
    }
    if (changes == 1) {
        return first > 0 ? SHAPE_MAXIMUM : SHAPE_MINIMUM;
    }
    return SHAPE_UNKNOWN;
}

/* At most four roundings of time wide. */
static int is_narrow(double l, double r)
{
    return r - l <= fmax(4.0 * DBL_EPSILON * fmax(fabs(l), fabs(r)), DBL_MIN);
}

/* Closes (l, r] where the function is not positive at r; everything up to l is above. */
static crossing_found scan_close(const crossing_source *s, double l, double r, double at_r)
{
    const double at_l = source_value(s, l);
    if (!isfinite(at_l)) {
        return crossing_result(CROSSING_NOT_FINITE, l, l, at_l);
    }
    if (at_l <= 0.0 || l >= r) {
        return crossing_result(CROSSING_AT, l, l, fmin(at_l, 0.0));
    }
    if (!bracket_close(s, NULL, 0, &l, at_l, &r, &at_r)) {
        return crossing_result(CROSSING_NOT_FINITE, l, l, 0.0);
    }
    return crossing_result(CROSSING_AT, r, l, at_r);
}

/* Decides by `count` values at evenly spread places. */
static crossing_found scan_values(const crossing_source *s, double l, double r, int count)
{
    double before = l;
    int i;
    for (i = 1; i <= count; i++) {
        const double t = i == count ? r : l + (r - l) * i / count;
        const double value = source_value(s, t);
        if (!isfinite(value)) {
            return crossing_result(CROSSING_NOT_FINITE, t, t, value);
        }
        if (value <= 0.0) {
            return scan_close(s, before, t, value);
        }
        before = t;
    }
    return crossing_result(CROSSING_NONE, r, r, 0.0);
}

static void scan_push(MODEL_search *w, const MODEL_piece *piece, int is_made, double tail, int stuck)
{
    MODEL_task *task = &w->task[w->tasks];
    task->piece = *piece;
    task->is_made = is_made;
    task->tail = tail;
    task->stuck = stuck;
    w->tasks++;
}

/* Both halves of a piece, the left one on top. */
static void scan_halve(MODEL_search *w, const MODEL_piece *p, int is_made, double tail, int stuck)
{
    const double middle = 0.5 * (p->l + p->r);
    MODEL_piece left = *p, right = *p;
    int j, k;
    left.r = middle;
    right.l = middle;
    left.is_fresh = 0;
    right.is_fresh = 0;
    for (k = 1; is_made && k <= p->degree; k++) {
        for (j = 0; j <= p->degree - k; j++) {
            right.b[j] = 0.5 * (right.b[j] + right.b[j + 1]);
        }
        left.b[k] = right.b[0];
    }
    scan_push(w, &right, is_made, tail, stuck);
    scan_push(w, &left, is_made, tail, stuck);
}

/* A piece with one minimum: the value there tells. */
static crossing_found scan_minimum(const crossing_source *s, MODEL_search *w, const MODEL_piece *p)
{
    double fall[16], lo = 0.0, hi = 1.0, at_hi, place, value;
    int j;
    for (j = 0; j < p->degree; j++) {
        fall[j] = p->b[j] - p->b[j + 1];
    }
    at_hi = fall[p->degree - 1];
    (void)bracket_close(NULL, fall, p->degree - 1, &lo, fall[0], &hi, &at_hi);
    place = fmin(fmax(p->l + hi * (p->r - p->l), p->l), p->r);
    value = source_value(s, place);
    if (!isfinite(value)) {
        return crossing_result(CROSSING_NOT_FINITE, place, place, value);
    }
    if (value <= 0.0) {
        return scan_close(s, p->l, place, value);
    }
    if (value <= 8.0 * p->error) {
        scan_halve(w, p, 1, 0.0, 0);
    }
    return crossing_result(CROSSING_NONE, p->r, p->r, 0.0);
}

static crossing_found scan_decide(const crossing_source *s, MODEL_search *w, const MODEL_piece *p)
{
    const crossing_found none = crossing_result(CROSSING_NONE, p->r, p->r, 0.0);
    double lowest, highest;
    piece_range(p, &lowest, &highest);
    if (lowest - p->error > 0.0) {
        return none;
    }
    if (is_narrow(p->l, p->r)) {
        return scan_values(s, p->l, p->r, 1);
    }
    if (fmax(highest, -lowest) <= 4.0 * p->error) {
        if (p->is_fresh) {
            return scan_values(s, p->l, p->r, 16);
        }
        scan_push(w, p, 0, INFINITY, 0);
        return none;
    }
    switch (piece_shape(p)) {
    case SHAPE_INCREASING:
        return none;
    case SHAPE_DECREASING:
    case SHAPE_MAXIMUM:
        return scan_values(s, p->l, p->r, 1);
    case SHAPE_MINIMUM:
        return scan_minimum(s, w, p);
    default:
        scan_halve(w, p, 1, 0.0, 0);
        return none;
    }
}

static crossing_found scan_make(const crossing_source *s, MODEL_search *w, MODEL_task *task)
{
    MODEL_piece *p = &task->piece;
    double tail, size, at, lowest, highest;
    int stuck;
    if (w->pieces == 0) {
        return crossing_result(CROSSING_NOT_ISOLATED, p->l, p->r, 0.0);
    }
    w->pieces--;
    if (!piece_make(s, p, &tail, &size, &at)) {
        return crossing_result(CROSSING_NOT_FINITE, at, at, 0.0);
    }
    p->error += w->noise;
    w->size = fmax(w->size, size);
    piece_range(p, &lowest, &highest);
    if ((lowest - 4.0 * tail > 0.0 && tail < 0.02 * size)
        || tail <= fmax(fmax(1e-7 * size, 64.0 * DBL_EPSILON * w->size), w->noise)) {
        return scan_decide(s, w, p);
    }
    stuck = tail > 0.5 * task->tail ? task->stuck + 1 : 0;
    if (is_narrow(p->l, p->r) || (stuck >= PATIENCE && tail <= fmax(1e-10 * w->size, 64.0 * w->noise))) {
        return scan_values(s, p->l, p->r, 16);
    }
    scan_halve(w, p, 0, tail, stuck);
    return crossing_result(CROSSING_NONE, p->r, p->r, 0.0);
}

/* The first place in (from, to] where the source is zero or below; it is positive at `from`. */
static crossing_found scan(const crossing_source *s, MODEL_search *w, double from, double to)
{
    MODEL_piece whole;
    memset(&whole, 0, sizeof whole);
    whole.l = from;
    whole.r = to;
    w->tasks = 0;
    scan_push(w, &whole, 0, INFINITY, 0);
    while (w->tasks > 0) {
        MODEL_task task = w->task[--w->tasks];
        crossing_found found;
        if (w->tasks + 3 > MODEL_TASKS) {
            return crossing_result(CROSSING_NOT_ISOLATED, task.piece.l, task.piece.r, 0.0);
        }
        found = task.is_made ? scan_decide(s, w, &task.piece) : scan_make(s, w, &task);
        if (found.kind != CROSSING_NONE) {
            return found;
        }
    }
    return crossing_result(CROSSING_NONE, to, to, 0.0);
}

/* Left the level downwards at t: a crossing if it was above on the way. */
static crossing_found crossing_sink(const crossing_source *s, double a, double t)
{
    double place = a, highest = -INFINITY;
    int i;
    for (i = 0; i < LOOKS_BEFORE_SINKING; i++) {
        const double here = a + (t - a) * i / LOOKS_BEFORE_SINKING;
        const double value = source_value(s, here);
        if (value > highest) {
            place = here;
            highest = value;
        }
    }
    if (highest <= 0.0 || place >= t) {
        return crossing_result(CROSSING_SINKS, t, t, 0.0);
    }
    return scan_close(s, place, t, source_value(s, t));
}

/* The first crossing of g - shift in (a, b]. `is_above`: g has been above and has not crossed since. */
static crossing_found crossing_first(MODEL_search *w, crossing_function g, void *context, int number, double shift,
    double a, double b, double level, double noise, int is_above)
{
    crossing_source s = {NULL, NULL, 0, 0.0, 1.0, 0.0};
    crossing_found found;
    double at_a, at_b, band, until = b;
    int is_armed = 0;
    s.g = g;
    s.context = context;
    s.number = number;
    s.shift = shift;
    if (!(a < b)) {
        return crossing_result(CROSSING_NONE, b, b, 0.0);
    }
    at_a = source_value(&s, a);
    at_b = source_value(&s, b);
    if (!isfinite(at_a)) {
        return crossing_result(CROSSING_NOT_FINITE, a, a, at_a);
    }
    w->pieces = MOST_PIECES;
    w->size = fmax(fabs(at_a), isfinite(at_b) ? fabs(at_b) : 0.0);
    w->noise = noise;
    if (is_above) {
        return at_a > 0.0 ? scan(&s, w, a, b) : crossing_result(CROSSING_AT, a, a, at_a);
    }
    band = fmax(fmax(level, 64.0 * DBL_EPSILON * w->size), 4.0 * noise) + DBL_MIN;
    if (at_a > band) {
        return scan(&s, w, a, b);
    }
    s.sign = -1.0;
    s.offset = band * (1.0 + 4.0 * DBL_EPSILON);
    found = scan(&s, w, a, b);
    if (found.kind == CROSSING_AT) {
        until = found.t;
        is_armed = 1;
    } else if (found.kind != CROSSING_NONE) {
        return found;
    }
    s.sign = 1.0;
    if (at_a >= -band) {
        found = scan(&s, w, a, until);
        s.offset = 0.0;
        if (found.kind == CROSSING_AT) {
            return crossing_sink(&s, a, found.t);
        }
        if (found.kind != CROSSING_NONE) {
            return found;
        }
    }
    s.offset = 0.0;
    if (is_armed && until < b) {
        return scan(&s, w, until, b);
    }
    return crossing_result(CROSSING_NONE, b, b, 0.0);
}

/* The first time in (from, to] at which g goes below zero, or, if it starts at or below zero, sinks from there; a jump through
   zero within a millionth of the interval counts. CROSSING_NONE, CROSSING_AT (into *t) or CROSSING_NOT_ISOLATED. */
static int crossing_downward(MODEL_search *w, crossing_function g, void *context, int number, double from, double to,
    double level, double noise, double *t)
{
    const double shift = fmin(g(context, number, from), 0.0);
    double begun = from;
    int i;
    for (i = 0; i < MOST_JUMPS; i++) {
        const crossing_found found = crossing_first(w, g, context, number, shift, begun, to, level, noise, i > 0);
        double l, r, at_l, at_r;
        if (found.kind == CROSSING_NONE) {
            return CROSSING_NONE;
        }
        if (found.kind == CROSSING_AT || found.kind == CROSSING_SINKS) {
            *t = found.t;
            return CROSSING_AT;
        }
        l = found.t;
        r = found.other;
        if (found.kind == CROSSING_NOT_FINITE || r - l > 1e-6 * (to - from)) {
            return CROSSING_NOT_ISOLATED;
        }
        at_l = g(context, number, l) - shift;
        at_r = g(context, number, r) - shift;
        if (at_l > 0.0 && at_r <= 0.0) {
            for (;;) {
                const double middle = 0.5 * (l + r);
                if (middle <= l || middle >= r) {
                    *t = r;
                    return CROSSING_AT;
                }
                if (g(context, number, middle) - shift > 0.0) {
                    l = middle;
                } else {
                    r = middle;
                }
            }
        }
        if (!(at_l > 0.0 && at_r > 0.0) || r >= to) {
            return CROSSING_NOT_ISOLATED;
        }
        begun = r;
    }
    return CROSSING_NOT_ISOLATED;
}
