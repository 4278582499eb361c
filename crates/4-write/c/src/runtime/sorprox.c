/* ------------------------------------------------------------------------------------------------------------------
   Contact problems: find forces l with y = G l + b such that for each contact j
     normal: l_N >= p, y_N >= 0, (l_N - p) y_N = 0 (p = 0 but in the second phase of Poisson's law);
     tangential: |l_T| <= mu l_N and y_T = -k l_T, k >= 0, k > 0 only on the edge of the disc; or l_T = mu l_N t for a contact
     that slips already.
   SORPROX sweeps find the modes; direct methods finish: frozen modes, accelerated sweeps, semi-smooth Newton, pivoting
   where no contact has a disc, softer problems, other relaxations. What is returned has a relative residual of the natural map not
   above 1e-11, whatever found it.
   ------------------------------------------------------------------------------------------------------------------ */

enum {
    MODE_UPDATES = 8,
    FROZEN_STEPS = 8,
    NEWTON_STEPS = 60,
    HALVINGS = 10,
    RESCUE_SWEEPS = 20,
    ANDERSON_DEPTH = 10,
    ANDERSON_BATCHES = 8,
    ANDERSON_BATCH = 40,
    SOFTER_POINTS = 60,
    SOFTER_SWEEPS = 50,
    LAST_BATCHES = 10,
    SWEEP_LIMIT = 20000,
    SWEEPS_WITH_SLIP = 1000,
    ASSIGNMENTS = 4096
};

static const double RESIDUAL = 1e-11;
static const double RANK_TOLERANCE = 1e-11;

static double length2(double x, double y)
{
    return sqrt(x * x + y * y);
}

/* The larger of two; infinite when one is not a number. */
static double larger(double a, double b)
{
    return isnan(a) || isnan(b) ? INFINITY : fmax(a, b);
}

/* A reflection that clears column k of a (rows x columns, by columns) below its diagonal; later columns and y follow. The
   reflection's vector stays below the diagonal, its first entry in *lead. */
static void reflect(double *a, int rows, int columns, double *y, int k, double size, double *lead)
{
    double *v = a + k * rows;
    const double alpha = v[k] > 0.0 ? -size : size;
    double half = 0.0;
    int i, j;
    v[k] -= alpha;
    for (i = k; i < rows; i++) {
        half += v[i] * v[i];
    }
    half *= 0.5;
    for (j = k + 1; j <= columns; j++) {
        double *target = j < columns ? a + j * rows : y;
        double along = 0.0;
        if (target == NULL) {
            continue;
        }
        for (i = k; i < rows; i++) {
            along += v[i] * target[i];
        }
        along /= half;
        for (i = k; i < rows; i++) {
            target[i] -= along * v[i];
        }
    }
    *lead = v[k];
    v[k] = alpha;
}

static double column_size(const double *a, int rows, int j, int from)
{
    double sum = 0.0;
    int i;
    for (i = from; i < rows; i++) {
        sum += a[j * rows + i] * a[j * rows + i];
    }
    return sum;
}

/* The shortest x with R x = y for the leading `rank` rows R of a, in place of y: with R' = Q T, x = Q T'^-1 y. */
static void least_norm_shortest(const double *a, double *transposed, int rows, int columns, int rank, double *y)
{
    double lead[MODEL_UNKNOWNS], x[MODEL_UNKNOWNS];
    int i, j, k;
    for (i = 0; i < rank; i++) {
        for (j = 0; j < columns; j++) {
            transposed[i * columns + j] = j < i ? 0.0 : a[j * rows + i];
        }
    }
    for (k = 0; k < rank; k++) {
        reflect(transposed, columns, rank, NULL, k, sqrt(column_size(transposed, columns, k, k)), &lead[k]);
    }
    for (i = 0; i < columns; i++) {
        x[i] = 0.0;
    }
    for (i = 0; i < rank; i++) {
        double known = 0.0;
        for (j = 0; j < i; j++) {
            known += transposed[i * columns + j] * x[j];
        }
        x[i] = (y[i] - known) / transposed[i * columns + i];
    }
    for (k = rank - 1; k >= 0; k--) {
        const double *v = transposed + k * columns;
        double along = lead[k] * x[k], squared = lead[k] * lead[k];
        for (i = k + 1; i < columns; i++) {
            along += v[i] * x[i];
            squared += v[i] * v[i];
        }
        along *= 2.0 / squared;
        x[k] -= along * lead[k];
        for (i = k + 1; i < columns; i++) {
            x[i] -= along * v[i];
        }
    }
    for (i = 0; i < columns; i++) {
        y[i] = x[i];
    }
}

/* The shortest x among those that minimise |a x - y|; a (by columns) and y are used up. Gives the rank. */
static int least_norm(MODEL_solver *w, double *a, int rows, int columns, double *y, double *x)
{
    int order[MODEL_UNKNOWNS], rank, i, j, k;
    double first = 0.0, lead;
    for (j = 0; j < columns; j++) {
        order[j] = j;
    }
    for (rank = 0; rank < rows && rank < columns; rank++) {
        int best = rank;
        double most = column_size(a, rows, rank, rank), size;
        k = rank;
        for (j = k + 1; j < columns; j++) {
            const double candidate = column_size(a, rows, j, k);
            if (candidate > most) {
                most = candidate;
                best = j;
            }
        }
        if (best != k) {
            const int place = order[k];
            order[k] = order[best];
            order[best] = place;
            for (i = 0; i < rows; i++) {
                const double value = a[k * rows + i];
                a[k * rows + i] = a[best * rows + i];
                a[best * rows + i] = value;
            }
        }
        size = sqrt(column_size(a, rows, k, k));
        if (k == 0) {
            first = size;
        }
        if (size <= RANK_TOLERANCE * first || size == 0.0) {
            break;
        }
        reflect(a, rows, columns, y, k, size, &lead);
    }
    if (rank == columns) {
        for (i = columns - 1; i >= 0; i--) {
            double known = 0.0;
            for (j = i + 1; j < columns; j++) {
                known += a[j * rows + i] * y[j];
            }
            y[i] = (y[i] - known) / a[i * rows + i];
        }
    } else {
        least_norm_shortest(a, w->transposed, rows, columns, rank, y);
    }
    for (j = 0; j < columns; j++) {
        x[order[j]] = y[j];
    }
    return rank;
}

/* Finishes a problem whose G, biases and laws are set; 0 if a number is not finite or a contact cannot move. */
static int problem_finish(MODEL_problem *p)
{
    const int size = 3 * p->n;
    double largest = 0.0;
    int i, j;
    for (i = 0; i < size * size; i++) {
        if (!isfinite(p->g[i])) {
            return 0;
        }
    }
    for (j = 0; j < p->n; j++) {
        const double *row = p->g + 3 * j * size + 3 * j;
        const double xx = row[size + 1], xy = row[size + 2], yy = row[2 * size + 2];
        const double most = 0.5 * (xx + yy) + length2(0.5 * (xx - yy), xy);
        double weight;
        if (!(row[0] > 0.0)) {
            return 0;
        }
        p->normal[j] = row[0];
        p->tangential[j] = most > 0.0 ? most : row[0];
        for (i = 0; i < 3; i++) {
            if (!isfinite(p->bias[3 * j + i])) {
                return 0;
            }
        }
        if (!(p->friction[j] >= 0.0 && isfinite(p->friction[j]) && p->least[j] >= 0.0)) {
            return 0;
        }
        weight = fmax(fabs(p->bias[3 * j]), p->normal[j] * p->least[j]);
        if (p->friction[j] > 0.0 && !p->is_fixed[j]) {
            weight = fmax(weight, length2(p->bias[3 * j + 1], p->bias[3 * j + 2]));
        }
        largest = fmax(largest, weight);
    }
    p->scale = largest > 0.0 ? largest : 1.0;
    return 1;
}

/* G l. */
static void problem_respond(const MODEL_problem *p, const double *force, double *response)
{
    const int size = 3 * p->n;
    int i, j;
    for (i = 0; i < size; i++) {
        response[i] = 0.0;
        for (j = 0; j < size; j++) {
            response[i] += p->g[i * size + j] * force[j];
        }
    }
}

/* y = G l + b. */
static void problem_rates(const MODEL_problem *p, const double *force, double *rate)
{
    int i;
    problem_respond(p, force, rate);
    for (i = 0; i < 3 * p->n; i++) {
        rate[i] += p->bias[i];
    }
}

/* The tangential force for a normal force and an estimate. */
static void law_tangential(const MODEL_problem *p, int j, double normal, double x, double y, double *out)
{
    const double radius = p->friction[j] * fmax(normal, 0.0);
    if (p->is_fixed[j]) {
        out[0] = radius * p->direction[2 * j];
        out[1] = radius * p->direction[2 * j + 1];
    } else {
        const double distance = length2(x, y);
        const double shrink = distance <= radius ? 1.0 : radius / distance;
        out[0] = x * shrink;
        out[1] = y * shrink;
    }
}

/* How the force of a contact grows with its normal force alone: (1, mu t). */
static void law_direction(const MODEL_problem *p, int j, double *d)
{
    d[0] = 1.0;
    d[1] = p->is_fixed[j] ? p->friction[j] * p->direction[2 * j] : 0.0;
    d[2] = p->is_fixed[j] ? p->friction[j] * p->direction[2 * j + 1] : 0.0;
}

/* The natural map of a contact: normal part, length of the tangential part. */
static void natural_map(const MODEL_problem *p, int j, const double *force, const double *rate, double *out)
{
    const double scale = p->tangential[j];
    const double x = force[1] - rate[1] / scale, y = force[2] - rate[2] / scale;
    double target[2];
    out[0] = fmin(p->normal[j] * (force[0] - p->least[j]), rate[0]);
    if (!p->is_fixed[j] && length2(x, y) <= p->friction[j] * force[0]) {
        out[1] = length2(rate[1], rate[2]);
        return;
    }
    law_tangential(p, j, force[0], x, y, target);
    out[1] = scale * length2(force[1] - target[0], force[2] - target[1]);
}

/* The relative residual of a contact, with the rates of the forces. */
static double contact_residual(const MODEL_problem *p, int j, const double *force, const double *rate)
{
    const double *f = force + 3 * j, *r = rate + 3 * j;
    double map[2], terms;
    if (!isfinite(r[0]) || !isfinite(r[1]) || !isfinite(r[2])) {
        return INFINITY;
    }
    natural_map(p, j, f, r, map);
    terms = p->normal[j] * f[0] + p->tangential[j] * length2(f[1], f[2]);
    return larger(fabs(map[0]), map[1]) / (p->scale + 1e-3 * fmin(terms, 1e9 * p->scale));
}

static double problem_residual(const MODEL_problem *p, const double *force)
{
    double rate[MODEL_UNKNOWNS], worst = 0.0;
    int j;
    problem_rates(p, force, rate);
    for (j = 0; j < p->n; j++) {
        worst = larger(worst, contact_residual(p, j, force, rate));
    }
    return worst;
}

/* The length of the whole natural map, relative. */
static double problem_merit(const MODEL_problem *p, const double *force)
{
    double rate[MODEL_UNKNOWNS], map[2], sum = 0.0;
    int j;
    problem_rates(p, force, rate);
    for (j = 0; j < p->n; j++) {
        natural_map(p, j, force + 3 * j, rate + 3 * j, map);
        sum += map[0] * map[0] + map[1] * map[1];
    }
    return sqrt(sum) / p->scale;
}

/* Moves forces into their sets. */
static void problem_project(const MODEL_problem *p, double *force)
{
    int j;
    for (j = 0; j < p->n; j++) {
        double *f = force + 3 * j;
        f[0] = fmax(f[0], p->least[j]);
        law_tangential(p, j, f[0], f[1], f[2], f + 1);
    }
}

static void copy(double *to, const double *from, int count)
{
    memcpy(to, from, (size_t)count * sizeof(double));
}

static int all_finite(const double *x, int count)
{
    int i;
    for (i = 0; i < count; i++) {
        if (!isfinite(x[i])) {
            return 0;
        }
    }
    return 1;
}

static void change_force(const MODEL_problem *p, double *force, double *response, int place, double value)
{
    const double change = value - force[place];
    const int size = 3 * p->n;
    int i;
    if (change != 0.0) {
        force[place] = value;
        for (i = 0; i < size; i++) {
            response[i] += p->g[i * size + place] * change;
        }
    }
}

/* One SORPROX sweep: normals first, newest values used. 1 if every force moved less than the tolerance. */
static int sweep(const MODEL_problem *p, double *force, double relaxation)
{
    double before[MODEL_UNKNOWNS], response[MODEL_UNKNOWNS], taken[2];
    int is_converged = 1, j;
    copy(before, force, 3 * p->n);
    problem_respond(p, force, response);
    for (j = 0; j < p->n; j++) {
        const double estimate = force[3 * j] - relaxation / p->normal[j] * (response[3 * j] + p->bias[3 * j]);
        change_force(p, force, response, 3 * j, estimate >= p->least[j] ? estimate : p->least[j]);
    }
    for (j = 0; j < p->n; j++) {
        const double step = relaxation / p->tangential[j], *f = force + 3 * j;
        const double x = f[1] - step * (response[3 * j + 1] + p->bias[3 * j + 1]);
        const double y = f[2] - step * (response[3 * j + 2] + p->bias[3 * j + 2]);
        law_tangential(p, j, f[0], x, y, taken);
        change_force(p, force, response, 3 * j + 1, taken[0]);
        change_force(p, force, response, 3 * j + 2, taken[1]);
    }
    for (j = 0; j < p->n; j++) {
        const double *f = force + 3 * j, *b = before + 3 * j;
        const double tolerance = 1e-13 * SCALE_FORCE * fmin(SCALE_TIME, 1.0) + 1e-12 * fmax(f[0], length2(f[1], f[2]));
        is_converged = is_converged && fabs(f[0] - b[0]) < tolerance && length2(f[1] - b[1], f[2] - b[2]) < tolerance;
    }
    return is_converged;
}

