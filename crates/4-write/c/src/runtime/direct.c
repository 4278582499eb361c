/* ------------------------------------------------------------------------------------------------------------------
   Direct methods: the equations that modes leave when they are frozen, and semi-smooth Newton.
   ------------------------------------------------------------------------------------------------------------------ */

/* Pieces of the projections: (floor or active) + 2 * (zero, stick, slip or fixed). */
enum { AT_FLOOR = 0, ACTIVE = 1, T_ZERO = 0, T_STICK = 2, T_SLIP = 4, T_FIXED = 6 };

static int tangential_of(int mode)
{
    return mode & ~1;
}

static void classify(const MODEL_problem *p, const double *force, int *modes)
{
    double rate[MODEL_UNKNOWNS];
    int j;
    problem_rates(p, force, rate);
    for (j = 0; j < p->n; j++) {
        const double *f = force + 3 * j, *r = rate + 3 * j;
        const double estimate = f[0] - r[0] / p->normal[j];
        const double radius = p->friction[j] * fmax(estimate, p->least[j]);
        const double step = 1.0 / p->tangential[j];
        modes[j] = estimate > p->least[j] ? ACTIVE : AT_FLOOR;
        if (p->is_fixed[j]) {
            modes[j] += T_FIXED;
        } else if (!(radius <= 0.0)) {
            modes[j] += length2(f[1] - step * r[1], f[2] - step * r[2]) <= radius ? T_STICK : T_SLIP;
        }
    }
}

/* The unknowns that frozen modes leave: 3 j + component. */
static int frozen_unknowns(const MODEL_problem *p, const int *modes, int *unknown)
{
    int count = 0, j;
    for (j = 0; j < p->n; j++) {
        if (modes[j] & ACTIVE) {
            unknown[count++] = 3 * j;
        }
        if (tangential_of(modes[j]) == T_STICK || tangential_of(modes[j]) == T_SLIP) {
            unknown[count++] = 3 * j + 1;
            unknown[count++] = 3 * j + 2;
        }
    }
    return count;
}

static double frozen_weight(const MODEL_problem *p, int unknown)
{
    return sqrt(unknown % 3 == 0 ? p->normal[unknown / 3] : p->tangential[unknown / 3]);
}

/* How the force of a contact grows with an unknown. */
static void frozen_direction(const MODEL_problem *p, int unknown, double *d)
{
    d[0] = d[1] = d[2] = 0.0;
    if (unknown % 3 == 0) {
        law_direction(p, unknown / 3, d);
    } else {
        d[unknown % 3] = 1.0;
    }
}

/* Sets what the modes say outright, and evaluates the equations, scaled; slip holds (d, mu l_N/|Phi|) of slipping contacts. */
static double frozen_equations(const MODEL_problem *p, const int *modes, const int *unknown, int count, double *force, double *values,
    double *slip)
{
    double rate[MODEL_UNKNOWNS], error = 0.0;
    int i, j;
    for (j = 0; j < p->n; j++) {
        double *f = force + 3 * j;
        if (!(modes[j] & ACTIVE)) {
            f[0] = p->least[j];
        }
        if (tangential_of(modes[j]) == T_ZERO) {
            f[1] = f[2] = 0.0;
        } else if (tangential_of(modes[j]) == T_FIXED) {
            f[1] = p->friction[j] * f[0] * p->direction[2 * j];
            f[2] = p->friction[j] * f[0] * p->direction[2 * j + 1];
        }
    }
    problem_rates(p, force, rate);
    for (j = 0; j < p->n; j++) {
        const double *f = force + 3 * j;
        const double x = f[1] - rate[3 * j + 1] / p->tangential[j], y = f[2] - rate[3 * j + 2] / p->tangential[j];
        const double size = length2(x, y), inverse = size > 0.0 ? 1.0 / size : 0.0;
        slip[3 * j] = x * inverse;
        slip[3 * j + 1] = y * inverse;
        slip[3 * j + 2] = p->friction[j] * f[0] * inverse;
    }
    for (i = 0; i < count; i++) {
        const int contact = unknown[i] / 3, component = unknown[i] % 3;
        values[i] = rate[unknown[i]];
        if (component > 0 && tangential_of(modes[contact]) == T_SLIP) {
            const double edge = p->friction[contact] * force[3 * contact] * slip[3 * contact + component - 1];
            values[i] = p->tangential[contact] * (force[unknown[i]] - edge);
        }
        values[i] /= frozen_weight(p, unknown[i]);
        error += values[i] * values[i];
    }
    return sqrt(error);
}

/* The derivatives of the equations, scaled, by columns. */
static void frozen_matrix(const MODEL_problem *p, const int *modes, const int *unknown, int count, const double *slip, double *a)
{
    const int size = 3 * p->n;
    int i, j, k;
    for (j = 0; j < count; j++) {
        const int column = unknown[j] / 3;
        double d[3];
        frozen_direction(p, unknown[j], d);
        for (i = 0; i < count; i++) {
            const int row = unknown[i] / 3, component = unknown[i] % 3;
            double rates[3], entry;
            for (k = 0; k < 3; k++) {
                const double *g = p->g + (3 * row + k) * size + 3 * column;
                rates[k] = g[0] * d[0] + g[1] * d[1] + g[2] * d[2];
            }
            entry = rates[component];
            if (component > 0 && tangential_of(modes[row]) == T_SLIP) {
                /* s (dl_T - mu d dl_N) - (mu l_N/|Phi_T|) P (s dl_T - dy_T), P = 1 - d d'. */
                const double own = row == column ? p->tangential[row] : 0.0;
                const double *e = slip + 3 * row;
                const double x = own * d[1] - rates[1], y = own * d[2] - rates[2];
                const double along = e[0] * x + e[1] * y;
                const double turn = component == 1 ? x : y;
                entry = own * (d[component] - p->friction[row] * e[component - 1] * d[0]) - e[2] * (turn - along * e[component - 1]);
            }
            a[j * count + i] = entry / (frozen_weight(p, unknown[i]) * frozen_weight(p, unknown[j]));
        }
    }
}

/* One Newton step from the forces where the equations were evaluated. */
static void frozen_advance(MODEL_solver *w, const MODEL_problem *p, const int *modes, const int *unknown, int count, double *values,
    const double *slip, double *force)
{
    double change[MODEL_UNKNOWNS], d[3];
    int i, k;
    frozen_matrix(p, modes, unknown, count, slip, w->matrix);
    for (i = 0; i < count; i++) {
        values[i] = -values[i];
    }
    (void)least_norm(w, w->matrix, count, count, values, change);
    for (i = 0; i < count; i++) {
        frozen_direction(p, unknown[i], d);
        for (k = 0; k < 3; k++) {
            force[3 * (unknown[i] / 3) + k] += d[k] * change[i] / frozen_weight(p, unknown[i]);
        }
    }
}

/* Newton steps with one set of modes, until the equations stop improving. */
static void run_frozen(MODEL_solver *w, const MODEL_problem *p, const int *modes, double *force)
{
    int unknown[MODEL_UNKNOWNS], step;
    const int count = frozen_unknowns(p, modes, unknown);
    double values[MODEL_UNKNOWNS], slip[MODEL_UNKNOWNS], best[MODEL_UNKNOWNS], least = INFINITY, first = INFINITY;
    copy(best, force, 3 * p->n);
    for (step = 0; step < FROZEN_STEPS; step++) {
        const double error = frozen_equations(p, modes, unknown, count, force, values, slip);
        const int is_diverging = isnan(error) || error > 100.0 * least;
        int is_at_rounding;
        if (step == 0) {
            first = error;
        }
        is_at_rounding = error <= 1e-15 * first || (error <= 1e-10 * first && error > 0.5 * least);
        if (error < least) {
            least = error;
            copy(best, force, 3 * p->n);
        }
        if (is_diverging || is_at_rounding) {
            copy(force, best, 3 * p->n);
            return;
        }
        frozen_advance(w, p, modes, unknown, count, values, slip, force);
    }
}

/* Keeps the better of two; gives the residual of the better one. */
static double keep_better(const MODEL_problem *p, const double *force, double *best, double residual)
{
    const double own = problem_residual(p, force);
    if (own < residual) {
        copy(best, force, 3 * p->n);
        return own;
    }
    return residual;
}

/* Freezes the modes seen at some forces, solves, reads the modes again, until they repeat. The best forces into best. */
static double solve_frozen(MODEL_solver *w, const MODEL_problem *p, const double *start, double *best)
{
    int seen[MODE_UPDATES][MODEL_CLOSED], updates, i;
    double force[MODEL_UNKNOWNS], residual = problem_residual(p, start);
    copy(force, start, 3 * p->n);
    copy(best, start, 3 * p->n);
    for (updates = 0; updates < MODE_UPDATES; updates++) {
        classify(p, force, seen[updates]);
        for (i = 0; i < updates; i++) {
            if (memcmp(seen[i], seen[updates], (size_t)p->n * sizeof(int)) == 0) {
                return residual;
            }
        }
        run_frozen(w, p, seen[updates], force);
        problem_project(p, force);
        residual = keep_better(p, force, best, residual);
        if (residual <= RESIDUAL) {
            break;
        }
    }
    return residual;
}

/* Semi-smooth Newton with a line search on the length of the natural map; sweeps where the search fails. */
static double solve_semismooth(MODEL_solver *w, const MODEL_problem *p, const double *start, double *best)
{
    const int size = 3 * p->n;
    double force[MODEL_UNKNOWNS], target[MODEL_UNKNOWNS], trial[MODEL_UNKNOWNS], values[MODEL_UNKNOWNS], slip[MODEL_UNKNOWNS];
    double merit = problem_merit(p, start), residual = problem_residual(p, start);
    int unknown[MODEL_UNKNOWNS], modes[MODEL_CLOSED], step, halving, i;
    copy(force, start, size);
    copy(best, start, size);
    for (step = 0; step < NEWTON_STEPS; step++) {
        double fraction = 1.0;
        int count, is_found = 0;
        classify(p, force, modes);
        count = frozen_unknowns(p, modes, unknown);
        copy(target, force, size);
        (void)frozen_equations(p, modes, unknown, count, target, values, slip);
        frozen_advance(w, p, modes, unknown, count, values, slip, target);
        for (halving = 0; halving < HALVINGS && !is_found; halving++) {
            double value;
            for (i = 0; i < size; i++) {
                trial[i] = force[i] + fraction * (target[i] - force[i]);
            }
            value = problem_merit(p, trial);
            if (value <= (1.0 - 1e-3 * fraction) * merit) {
                is_found = 1;
                copy(force, trial, size);
                merit = value;
            }
            fraction *= 0.5;
        }
        if (!is_found) {
            for (i = 0; i < RESCUE_SWEEPS; i++) {
                (void)sweep(p, force, 1.0);
            }
            merit = problem_merit(p, force);
        }
        residual = keep_better(p, force, best, residual);
        if (residual <= RESIDUAL || !isfinite(merit)) {
            break;
        }
    }
    return residual;
}

