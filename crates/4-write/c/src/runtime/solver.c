/* ------------------------------------------------------------------------------------------------------------------
   The strategy: which method is tried when.
   ------------------------------------------------------------------------------------------------------------------ */

/* Moves forces into their sets and keeps them if they are better; 1 if they are good enough. */
static int offer(MODEL_solver *w, const MODEL_problem *p, const double *force)
{
    double projected[MODEL_UNKNOWNS];
    copy(projected, force, 3 * p->n);
    problem_project(p, projected);
    w->residual = keep_better(p, projected, w->best, w->residual);
    return w->residual <= RESIDUAL;
}

static int offer_frozen(MODEL_solver *w, const MODEL_problem *p, const double *start)
{
    double found[MODEL_UNKNOWNS];
    (void)solve_frozen(w, p, start, found);
    return offer(w, p, found);
}

static int offer_newton(MODEL_solver *w, const MODEL_problem *p, const double *start)
{
    double found[MODEL_UNKNOWNS];
    (void)solve_semismooth(w, p, start, found);
    return offer(w, p, found);
}

/* Sweeps until convergence, or until the batch or the limit is used up; 1 if the result is good enough. */
static int sweep_batch(MODEL_solver *w, const MODEL_problem *p, double *force, int batch, double relaxation, int limit)
{
    int i;
    for (i = 0; i < batch && w->sweeps < limit; i++) {
        const int is_converged = sweep(p, force, relaxation);
        w->sweeps++;
        if (is_converged) {
            return offer(w, p, force);
        }
    }
    if (!all_finite(force, 3 * p->n)) {
        for (i = 0; i < 3 * p->n; i++) {
            force[i] = 0.0;
        }
    }
    return 0;
}

/* Anderson-accelerated sweeps, with frozen modes tried along the way. */
static int accelerate(MODEL_solver *w, const MODEL_problem *p)
{
    const int size = 3 * p->n;
    double force[MODEL_UNKNOWNS], moved[MODEL_UNKNOWNS], c[ANDERSON_DEPTH], least = INFINITY;
    int memory = 0, batch, step, i, k;
    copy(force, w->best, size);
    for (batch = 0; batch < ANDERSON_BATCHES; batch++) {
        for (step = 0; step < ANDERSON_BATCH; step++) {
            double *before, *change, length = 0.0;
            if (memory > ANDERSON_DEPTH) {
                memmove(w->memory[0], w->memory[1], ANDERSON_DEPTH * sizeof w->memory[0]);
                memory--;
            }
            before = w->memory[memory][0];
            change = w->memory[memory][1];
            for (i = 0; i < size; i++) {
                before[i] = force[i] * frozen_weight(p, i);
            }
            (void)sweep(p, force, 1.0);
            for (i = 0; i < size; i++) {
                change[i] = force[i] * frozen_weight(p, i) - before[i];
                length += change[i] * change[i];
            }
            length = sqrt(length);
            if (length > 10.0 * least) {
                memmove(w->memory[0], w->memory[memory], sizeof w->memory[0]);
                memory = 0;
                least = length;
            } else {
                least = fmin(least, length);
            }
            memory++;
            if (memory > 1) {
                double next[MODEL_UNKNOWNS];
                for (k = 0; k + 1 < memory; k++) {
                    for (i = 0; i < size; i++) {
                        w->matrix[k * size + i] = w->memory[k + 1][1][i] - w->memory[k][1][i];
                    }
                }
                copy(moved, w->memory[memory - 1][1], size);
                (void)least_norm(w, w->matrix, size, memory - 1, moved, c);
                for (i = 0; i < size; i++) {
                    next[i] = force[i] * frozen_weight(p, i);
                    for (k = 0; k + 1 < memory; k++) {
                        next[i] -= c[k] * (w->memory[k + 1][0][i] - w->memory[k][0][i] + w->memory[k + 1][1][i] - w->memory[k][1][i]);
                    }
                    next[i] /= frozen_weight(p, i);
                }
                if (all_finite(next, size)) {
                    problem_project(p, next);
                    copy(force, next, size);
                } else {
                    memory = 0;
                }
            }
            if (problem_residual(p, force) <= RESIDUAL) {
                return offer(w, p, force);
            }
        }
        if (offer_frozen(w, p, force)) {
            return 1;
        }
    }
    return 0;
}

/* One entry of the tableau of Lemke's method. */
static double *tableau(MODEL_solver *w, int n, int row, int column)
{
    return w->matrix + row * (2 * n + 2) + column;
}

static int ratio_is_less(MODEL_solver *w, int n, int row, int other, int entering)
{
    int k;
    for (k = -1; k < n; k++) {
        const int column = k < 0 ? 2 * n + 1 : k;
        const double left = *tableau(w, n, row, column) / *tableau(w, n, row, entering);
        const double right = *tableau(w, n, other, column) / *tableau(w, n, other, entering);
        if (fabs(left - right) > 1e-13 * (1.0 + fabs(left) + fabs(right))) {
            return left < right;
        }
    }
    return 0;
}

static void pivot(MODEL_solver *w, int n, int row, int entering)
{
    const double factor = 1.0 / *tableau(w, n, row, entering);
    int i, k;
    for (k = 0; k < 2 * n + 2; k++) {
        *tableau(w, n, row, k) *= factor;
    }
    for (i = 0; i < n; i++) {
        const double size = *tableau(w, n, i, entering);
        if (i != row && size != 0.0) {
            for (k = 0; k < 2 * n + 2; k++) {
                *tableau(w, n, i, k) -= size * *tableau(w, n, row, k);
            }
        }
    }
}

/* Lemke's complementary pivoting on the normal forces, where no contact has a disc. */
static int solve_pivoting(MODEL_solver *w, const MODEL_problem *p)
{
    const int n = p->n, artificial = 2 * n, size = 3 * n;
    double force[MODEL_UNKNOWNS], rate[MODEL_UNKNOWNS], d[3];
    int basis[MODEL_CLOSED] = {0}, i, j, row = 0, leaving, pivots, is_done = 0;
    for (j = 0; j < n; j++) {
        if (p->friction[j] != 0.0 && !p->is_fixed[j]) {
            return 0;
        }
        force[3 * j] = p->least[j];
        force[3 * j + 1] = force[3 * j + 2] = 0.0;
    }
    problem_project(p, force);
    problem_rates(p, force, rate);
    for (i = 0; i < n; i++) {
        for (j = 0; j < n; j++) {
            const double *g = p->g + 3 * i * size + 3 * j;
            law_direction(p, j, d);
            *tableau(w, n, i, j) = i == j ? 1.0 : 0.0;
            *tableau(w, n, i, n + j) = -(g[0] * d[0] + g[1] * d[1] + g[2] * d[2]) / sqrt(p->normal[i] * p->normal[j]);
        }
        *tableau(w, n, i, artificial) = -1.0;
        *tableau(w, n, i, artificial + 1) = rate[3 * i] / sqrt(p->normal[i]);
        basis[i] = i;
        if (*tableau(w, n, i, artificial + 1) < *tableau(w, n, row, artificial + 1)) {
            row = i;
        }
    }
    if (*tableau(w, n, row, artificial + 1) >= 0.0) {
        is_done = 1;
    } else {
        pivot(w, n, row, artificial);
        leaving = basis[row];
        basis[row] = artificial;
        for (pivots = 2; pivots <= 60 * (n + 1) && !is_done; pivots++) {
            const int entering = (leaving + n) % (2 * n);
            row = -1;
            for (i = 0; i < n; i++) {
                if (*tableau(w, n, i, entering) > 1e-11 && (row < 0 || ratio_is_less(w, n, i, row, entering))) {
                    row = i;
                }
            }
            if (row < 0) {
                return 0;
            }
            for (i = 0; i < n; i++) {
                const double own = *tableau(w, n, i, entering);
                if (basis[i] == artificial && own > 1e-11
                    && *tableau(w, n, i, artificial + 1) / own
                        <= *tableau(w, n, row, artificial + 1) / *tableau(w, n, row, entering) + 1e-14) {
                    row = i;
                    break;
                }
            }
            pivot(w, n, row, entering);
            leaving = basis[row];
            basis[row] = entering;
            is_done = leaving == artificial;
        }
    }
    if (!is_done) {
        return 0;
    }
    for (i = 0; i < n; i++) {
        if (basis[i] >= n && basis[i] < artificial) {
            j = basis[i] - n;
            force[3 * j] = p->least[j] + fmax(*tableau(w, n, i, artificial + 1), 0.0) / sqrt(p->normal[j]);
        }
    }
    problem_project(p, force);
    return offer(w, p, force) || offer_frozen(w, p, force);
}

/* Proximal steps: G + e D and b - e D l, D the diagonal of G. */
static int follow_softer(MODEL_solver *w, const MODEL_problem *p)
{
    const int size = 3 * p->n;
    double force[MODEL_UNKNOWNS], start[MODEL_UNKNOWNS], found[MODEL_UNKNOWNS], compliance = 0.1;
    int point, i;
    copy(force, w->best, size);
    for (point = 0; point < SOFTER_POINTS; point++) {
        double residual;
        w->softer = *p;
        for (i = 0; i < size; i++) {
            const double added = compliance * (i % 3 == 0 ? p->normal[i / 3] : p->tangential[i / 3]);
            w->softer.g[i * size + i] += added;
            w->softer.bias[i] -= added * force[i];
        }
        if (!problem_finish(&w->softer)) {
            return 0;
        }
        copy(start, force, size);
        for (i = 0; i < SOFTER_SWEEPS; i++) {
            (void)sweep(&w->softer, start, 1.0);
        }
        residual = solve_frozen(w, &w->softer, start, found);
        if (!(residual <= RESIDUAL)) {
            residual = solve_semismooth(w, &w->softer, start, found);
        }
        if (!(residual <= RESIDUAL)) {
            compliance *= 3.0;
            continue;
        }
        compliance *= 0.5;
        copy(force, found, size);
        if (offer_frozen(w, p, force)) {
            return 1;
        }
    }
    return 0;
}

/* Solves the problem of the workspace: the forces into w->best. 0 if no method reaches the residual. */
static int solve_contacts(MODEL_solver *w, int limit)
{
    static const int batches[3] = {8, 32, 128};
    static const double factors[4] = {1.0, 0.5, 1.3, 0.2};
    const MODEL_problem *p = &w->problem;
    double force[MODEL_UNKNOWNS];
    int batch, i;
    w->sweeps = 0;
    for (i = 0; i < 3 * p->n; i++) {
        force[i] = 0.0;
    }
    problem_project(p, force);
    copy(w->best, force, 3 * p->n);
    w->residual = problem_residual(p, force);
    for (i = 0; i < 3; i++) {
        if (sweep_batch(w, p, force, batches[i], 1.0, limit) || offer_frozen(w, p, force)) {
            return 1;
        }
    }
    if (accelerate(w, p)) {
        return 1;
    }
    copy(force, w->best, 3 * p->n);
    if (offer_newton(w, p, force)) {
        return 1;
    }
    for (i = 0; i < 3 * p->n; i++) {
        force[i] = 0.0;
    }
    if (offer_newton(w, p, force) || solve_pivoting(w, p) || follow_softer(w, p)) {
        return 1;
    }
    copy(force, w->best, 3 * p->n);
    batch = 256;
    for (i = 0; i < LAST_BATCHES && w->sweeps < limit; i++) {
        if (sweep_batch(w, p, force, batch, factors[i % 4], limit) || offer_frozen(w, p, force) || offer_newton(w, p, force)) {
            return 1;
        }
        batch += batch / 2;
    }
    return 0;
}

#if POLICY == POLICY_SEQUENTIAL
/* A single contact: as solve_contacts, without softer problems. */
static int solve_alone(MODEL_solver *w)
{
    const MODEL_problem *p = &w->problem;
    double force[MODEL_UNKNOWNS];
    int i;
    w->sweeps = 0;
    for (i = 0; i < 3 * p->n; i++) {
        force[i] = 0.0;
    }
    copy(w->best, force, 3 * p->n);
    w->residual = problem_residual(p, force);
    if (sweep_batch(w, p, force, 168, 1.0, SWEEP_LIMIT) || offer_frozen(w, p, force) || accelerate(w, p)) {
        return 1;
    }
    copy(force, w->best, 3 * p->n);
    return offer_newton(w, p, force) || sweep_batch(w, p, force, SWEEP_LIMIT, 0.5, SWEEP_LIMIT);
}
#endif

/* The assignments of modes that a contact can have; how many. */
static int mode_choices(const MODEL_problem *p, int j, int *choice)
{
    if (p->is_fixed[j]) {
        choice[0] = AT_FLOOR + T_FIXED;
        choice[1] = ACTIVE + T_FIXED;
        return 2;
    }
    choice[0] = AT_FLOOR + T_ZERO;
    if (p->friction[j] == 0.0) {
        choice[1] = ACTIVE + T_ZERO;
        return 2;
    }
    choice[1] = ACTIVE + T_STICK;
    choice[2] = ACTIVE + T_SLIP;
    return 3;
}

/* All assignments of modes, one after the other, where a contact slips and a solution may not exist: 1 found, 0 none fits, -1 too
   many to try. */
static int solve_enumerated(MODEL_solver *w)
{
    const MODEL_problem *p = &w->problem;
    double force[MODEL_UNKNOWNS];
    int modes[MODEL_CLOSED], choice[3], total = 1, number, j;
    for (j = 0; j < p->n; j++) {
        total *= mode_choices(p, j, choice);
        if (total > ASSIGNMENTS) {
            return -1;
        }
    }
    for (number = 0; number < total; number++) {
        int rest = number;
        for (j = 0; j < p->n; j++) {
            const int count = mode_choices(p, j, choice);
            modes[j] = choice[rest % count];
            rest /= count;
            force[3 * j] = fabs(p->bias[3 * j]) / p->normal[j];
            force[3 * j + 1] = force[3 * j + 2] = 0.0;
        }
        run_frozen(w, p, modes, force);
        problem_project(p, force);
        if (problem_residual(p, force) <= RESIDUAL) {
            copy(w->best, force, 3 * p->n);
            return 1;
        }
    }
    return 0;
}
