/* ------------------------------------------------------------------------------------------------------------------
   Flow: integration of x' = f(t, x) with dense output.

   Gauss-Legendre collocation, x_i = x_0 + h sum_j A_ij f(t_j, x_j), solved node after node until nothing moves by more
   than rounding. The part that the polynomial leaves out is estimated from how its last Legendre coefficients fall; the
   slopes at both ends are compared with those of the polynomial, so that a jump there does not stay unseen. Sums keep
   their rounding errors (carry).
   ------------------------------------------------------------------------------------------------------------------ */

enum { NODES = 12, MAX_SWEEPS = 16 };

enum { FLOW_DONE = 0, FLOW_FAILED = 1, FLOW_NOT_FINITE = 2, FLOW_TOO_SMALL = 3, FLOW_NO_TIME = 4 };

/* Part of a component's size that a step may be wrong by, and what is added to it. */
#ifndef FLOW_RELATIVE
#define FLOW_RELATIVE 1e-13
#define FLOW_ABSOLUTE 1e-14
#endif
/* The scale of component i: what its absolute tolerance is multiplied by. */
#ifndef FLOW_SCALE
#define FLOW_SCALE(i) 1.0
#endif
/* Legendre coefficients below this part of the largest are rounding. */
static const double FLOW_ROUNDING = 4.0 * DBL_EPSILON;

/* Writes f(t, x) into dx; not 0 if it has no value. */
typedef int (*flow_slope)(void *context, double t, const double *x, double *dx);

/* P_0 ... P_{count-1} at u. */
static void legendre(double u, int count, double *p)
{
    int k;
    p[0] = 1.0;
    p[1] = u;
    for (k = 2; k < count; k++) {
        p[k] = ((2 * k - 1) * u * p[k - 1] - (k - 1) * p[k - 2]) / k;
    }
}

/* Q_0 ... Q_{s-1} at tau, Q_k the integral of P_k. */
static void primitives(double tau, double *q)
{
    double p[NODES + 1];
    int k;
    legendre(2.0 * tau - 1.0, NODES + 1, p);
    q[0] = tau;
    for (k = 1; k < NODES; k++) {
        q[k] = (p[k + 1] - p[k - 1]) / (2.0 * (2 * k + 1));
    }
}

static double dense_tau(const MODEL_dense *d, double t)
{
    return d->h > 0.0 ? (t - d->t0) / d->h : 0.0;
}

/* sum_k q_k b_k, small terms first. */
static double dense_sum(const double *q, const double *b)
{
    double sum = 0.0;
    int k;
    for (k = NODES - 1; k >= 0; k--) {
        sum += q[k] * b[k];
    }
    return sum;
}

/* x(t) of components from ... from + count - 1. */
static void dense_part(const MODEL_dense *d, int from, int count, double t, double *x)
{
    double q[NODES];
    int i;
    primitives(dense_tau(d, t), q);
    for (i = 0; i < count; i++) {
        x[i] = d->x0[from + i] + (d->carry[from + i] + dense_sum(q, d->slopes + (from + i) * NODES));
    }
}

/* x(t), and what rounding took from it. */
static void dense_with_carry(const MODEL_dense *d, int n, double t, double *x, double *carry)
{
    double q[NODES];
    int i;
    primitives(dense_tau(d, t), q);
    for (i = 0; i < n; i++) {
        const double a = d->x0[i];
        const double b = d->carry[i] + dense_sum(q, d->slopes + i * NODES);
        const double sum = a + b;
        const double from_b = sum - a;
        carry[i] = (a - (sum - from_b)) + (b - from_b);
        x[i] = sum;
    }
}

static double dense_size(const double *b)
{
    double size = 0.0;
    int k;
    for (k = 0; k < NODES; k++) {
        size = fmax(size, fabs(b[k]));
    }
    return size;
}

/* The slope beyond the step, without coefficients that are only rounding. */
static void dense_extend_slope(const MODEL_dense *d, int n, double t, double *dx)
{
    double p[NODES];
    int i, k;
    legendre(2.0 * dense_tau(d, t) - 1.0, NODES, p);
    for (i = 0; i < n; i++) {
        const double *b = d->slopes + i * NODES;
        const double floor_of_b = FLOW_ROUNDING * dense_size(b);
        double sum = 0.0;
        for (k = 0; k < NODES; k++) {
            if (fabs(b[k]) > floor_of_b) {
                sum += p[k] * b[k];
            }
        }
        dx[i] = sum / d->h;
    }
}

/* Goes on from another state: keeps the step size, forgets the polynomial. */
static void flow_restart(MODEL_flow *f, double t, const double *x)
{
    int i;
    f->t = t;
    for (i = 0; i < f->n; i++) {
        f->x[i] = x[i];
        f->carry[i] = 0.0;
    }
    f->is_smooth = 0;
    f->is_end_slope_known = 0;
}

/* Begins a new problem of n components. */
static void flow_start(MODEL_flow *f, int n, double t, const double *x)
{
    f->n = n;
    f->h = 0.0;
    f->rate = 0.0;
    f->last = 0;
    flow_restart(f, t, x);
}

/* The last step. */
static const MODEL_dense *flow_last(const MODEL_flow *f)
{
    return &f->dense[f->last];
}

static double flow_tolerance(const MODEL_flow *f, int i)
{
    return FLOW_ABSOLUTE * FLOW_SCALE(i) + FLOW_RELATIVE * f->sizes[i];
}

static int flow_is_finite(const double *x, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        if (!isfinite(x[i])) {
            return 0;
        }
    }
    return 1;
}

/* One sweep over the nodes; the largest change in tolerances. */
static int flow_sweep(MODEL_flow *f, double h, int hand_on, flow_slope slope, void *context, double *delta)
{
    const int n = f->n;
    int i, j, c;
    *delta = 0.0;
    for (i = 0; i < NODES; i++) {
        for (c = 0; c < n; c++) {
            f->node[c] = 0.0;
        }
        for (j = 0; j < NODES; j++) {
            const double a = GAUSS_COLLOCATION[i][j];
            for (c = 0; c < n; c++) {
                f->node[c] += a * f->at_nodes[j * n + c];
            }
        }
        for (c = 0; c < n; c++) {
            f->node[c] = f->x[c] + (f->carry[c] + h * f->node[c]);
            f->sizes[c] = fmax(f->sizes[c], fabs(f->node[c]));
        }
        if (slope(context, f->t + h * GAUSS_NODE[i], f->node, f->fresh) != 0) {
            return FLOW_FAILED;
        }
        if (!flow_is_finite(f->fresh, n)) {
            return FLOW_NOT_FINITE;
        }
        for (c = 0; c < n; c++) {
            *delta = fmax(*delta, h * fabs(f->fresh[c] - f->at_nodes[i * n + c]) / flow_tolerance(f, c));
            f->at_nodes[i * n + c] = f->fresh[c];
        }
        for (j = i + 1; hand_on && j < NODES; j++) {
            memcpy(f->at_nodes + j * n, f->fresh, (size_t)n * sizeof(double));
        }
    }
    return FLOW_DONE;
}

/* Solves the collocation equations on [t, t + h]. */
static int flow_collocate(MODEL_flow *f, double h, flow_slope slope, void *context, int *sweeps)
{
    double theta = f->is_smooth && f->rate > 0.0 ? fmin(f->rate * h, 1.0) : 1.0;
    double last = INFINITY;
    int slow = 0, i, j;
    for (i = 0; i < f->n; i++) {
        f->sizes[i] = fabs(f->x[i]);
    }
    for (j = 0; j < NODES; j++) {
        if (f->is_smooth) {
            dense_extend_slope(flow_last(f), f->n, f->t + h * GAUSS_NODE[j], f->at_nodes + j * f->n);
        } else {
            for (i = 0; i < f->n; i++) {
                f->at_nodes[j * f->n + i] = 0.0;
            }
        }
    }
    for (*sweeps = 1; *sweeps <= MAX_SWEEPS; ++*sweeps) {
        double delta;
        const int ended = flow_sweep(f, h, *sweeps == 1 && !f->is_smooth, slope, context, &delta);
        if (ended != FLOW_DONE) {
            return ended;
        }
        if (*sweeps > 1) {
            theta = fmin(fmax(delta / last, 0.02), 1.0);
            slow = theta > 0.7 ? slow + 1 : 0;
        }
        if (*sweeps == 2) {
            f->rate = theta / h;
        }
        if (delta * theta <= 1e-3 || (slow > 0 && delta <= 0.1)) {
            return FLOW_DONE;
        }
        if (slow > 1) {
            return FLOW_TOO_SMALL;
        }
        last = delta;
    }
    return FLOW_TOO_SMALL;
}

/* What the coefficients leave out, by how the last four fall. */
static double flow_tail(const double *b)
{
    const double last = fmax(fabs(b[NODES - 1]), fabs(b[NODES - 2]));
    const double before = fmax(fabs(b[NODES - 3]), fabs(b[NODES - 4]));
    if (last <= FLOW_ROUNDING * dense_size(b)) {
        return 0.0;
    }
    return last * fmin(fmax(last / fmax(before, DBL_MIN), 0.02), 1.0) * GAUSS_PEAK;
}

/* How far the slopes at both ends are from those of the polynomial, times the stretch no node sees. */
static double flow_surprise(const MODEL_flow *f, const MODEL_dense *d, int i)
{
    const double *b = d->slopes + i * NODES;
    double at_end = 0.0, at_start = 0.0;
    int k;
    for (k = NODES - 1; k >= 0; k--) {
        at_end += b[k];
        at_start += k % 2 == 0 ? b[k] : -b[k];
    }
    at_end = fabs(d->h * f->fresh[i] - at_end);
    at_start = fabs(d->h * f->end_slope[i] - at_start);
    return GAUSS_NODE[0] * (fmax(at_end, at_start) - 4.0 * FLOW_ROUNDING * dense_size(b));
}

/* Tries [t, t1] into the other polynomial: the error in tolerances. */
static int flow_attempt(MODEL_flow *f, double t1, flow_slope slope, void *context, double *error, int *sweeps)
{
    MODEL_dense *d = &f->dense[1 - f->last];
    const int n = f->n;
    int ended, i, j, k;
    ended = flow_collocate(f, t1 - f->t, slope, context, sweeps);
    if (ended != FLOW_DONE) {
        return ended;
    }
    d->t0 = f->t;
    d->t1 = t1;
    d->h = t1 - f->t;
    for (i = 0; i < n; i++) {
        d->x0[i] = f->x[i];
        d->carry[i] = f->carry[i];
        for (k = 0; k < NODES; k++) {
            double sum = 0.0;
            for (j = 0; j < NODES; j++) {
                sum += GAUSS_TO_LEGENDRE[k][j] * f->at_nodes[j * n + i];
            }
            d->slopes[i * NODES + k] = d->h * sum;
        }
    }
    dense_part(d, 0, n, t1, f->node);
    if (slope(context, t1, f->node, f->fresh) != 0) {
        return FLOW_FAILED;
    }
    if (!flow_is_finite(f->fresh, n)) {
        return FLOW_NOT_FINITE;
    }
    *error = 0.0;
    for (i = 0; i < n; i++) {
        const double part = fmax(flow_tail(d->slopes + i * NODES), flow_surprise(f, d, i));
        *error = fmax(*error, part / flow_tolerance(f, i));
    }
    return FLOW_DONE;
}

/* Factor of the step for an error in tolerances. */
static double flow_scale(double error)
{
    const double sixteenth = sqrt(sqrt(sqrt(sqrt(error))));
    return fmin(fmax(0.8 / (sixteenth * sqrt(sqrt(sixteenth))), 0.2), 4.0);
}

/* A step over which the state changes by a small part. */
static double flow_first_step(const MODEL_flow *f, double end)
{
    double fastest = 0.0;
    int i;
    for (i = 0; i < f->n; i++) {
        fastest = fmax(fastest, fabs(f->end_slope[i]) / (fabs(f->x[i]) + 1e-2 * FLOW_SCALE(i)));
    }
    return fastest > 0.0 ? fmin(0.05 / fastest, end - f->t) : end - f->t;
}

/* Makes one step of its own length, not beyond end. */
static int flow_step(MODEL_flow *f, double end, flow_slope slope, void *context)
{
    double h, error = 0.0;
    int attempts, sweeps = 0;
    if (!flow_is_finite(f->x, f->n)) {
        return FLOW_NOT_FINITE;
    }
    if (!(f->t < end && isfinite(end - f->t))) {
        return FLOW_NO_TIME;
    }
    if (!f->is_end_slope_known) {
        if (slope(context, f->t, f->x, f->end_slope) != 0) {
            return FLOW_FAILED;
        }
        if (!flow_is_finite(f->end_slope, f->n)) {
            return FLOW_NOT_FINITE;
        }
        f->is_end_slope_known = 1;
    }
    h = f->h > 0.0 ? f->h : flow_first_step(f, end);
    for (attempts = 0;; attempts++) {
        const int is_last = h * 1.01 >= end - f->t;
        const double t1 = is_last ? end : f->t + h;
        int failure = flow_attempt(f, t1, slope, context, &error, &sweeps);
        if (failure == FLOW_DONE && error <= 1.0) {
            double next = flow_scale(error);
            if (sweeps > 8 || attempts > 0) {
                next = fmin(next, 1.0);
            }
            next *= t1 - f->t;
            f->h = is_last ? fmax(next, h) : next;
            f->last = 1 - f->last;
            f->t = t1;
            dense_with_carry(flow_last(f), f->n, t1, f->x, f->carry);
            memcpy(f->end_slope, f->fresh, (size_t)f->n * sizeof(double));
            f->is_smooth = 1;
            return FLOW_DONE;
        }
        if (failure == FLOW_DONE) {
            h = (t1 - f->t) * (attempts == 0 ? flow_scale(error) : 0.2);
            failure = FLOW_TOO_SMALL;
        } else {
            h = (t1 - f->t) * (attempts == 0 ? 0.5 : 0.25);
        }
        if (h < 4.0 * DBL_EPSILON * fabs(f->t) || f->t + h == f->t) {
            return failure;
        }
    }
}
