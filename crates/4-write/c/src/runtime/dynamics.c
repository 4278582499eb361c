/* ------------------------------------------------------------------------------------------------------------------
   Dynamics: M u' = h + W l with the forces of the location, modes given; q' from u.

   States are (x, y, z, qw, qx, qy, qz, vx, vy, vz, wx, wy, wz), in the world frame.
   ------------------------------------------------------------------------------------------------------------------ */

enum { STATE = 13, MOST_TURNS = 100 };

/* Positions and velocities of a contact, as conditions ask about them. */
static contact_numbers contact_moving(const MODEL_kinematics *k)
{
    contact_numbers c;
    memset(&c, 0, sizeof c);
    c.gap = k->closing_gap;
    memcpy(c.rate, k->rate, sizeof c.rate);
    return c;
}

static const double *fixed_or_moving(const MODEL *m, const double *states, int entity)
{
    const int place = ENTITY[entity].place;
    return place < 0 ? m->start + STATE * entity : states + STATE * place;
}

/* A state with an orientation of length one. */
static void unit_state(const double *x, double *out)
{
    const double size = sqrt(x[3] * x[3] + (x[4] * x[4] + x[5] * x[5] + x[6] * x[6]));
    int i;
    for (i = 0; i < STATE; i++) {
        out[i] = i >= 3 && i < 7 ? x[i] / size : x[i];
    }
}

/* The rotation matrix of a unit quaternion, by rows. */
static void rotation_of(const double *q, double r[3][3])
{
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double s = 2.0 / (w * w + (x * x + y * y + z * z));
    r[0][0] = 1.0 - s * (y * y + z * z);
    r[0][1] = s * (x * y) - s * (z * w);
    r[0][2] = s * (x * z) + s * (y * w);
    r[1][0] = s * (x * y) + s * (z * w);
    r[1][1] = 1.0 - s * (x * x + z * z);
    r[1][2] = s * (y * z) - s * (x * w);
    r[2][0] = s * (x * z) - s * (y * w);
    r[2][1] = s * (y * z) + s * (x * w);
    r[2][2] = 1.0 - s * (x * x + y * y);
}

/* R A R' of a matrix by rows. */
static void turned(double r[3][3], const double *a, double *out)
{
    double half[3][3];
    int i, j, k;
    for (i = 0; i < 3; i++) {
        for (j = 0; j < 3; j++) {
            half[i][j] = 0.0;
            for (k = 0; k < 3; k++) {
                half[i][j] += r[i][k] * a[3 * k + j];
            }
        }
    }
    for (i = 0; i < 3; i++) {
        for (j = 0; j < 3; j++) {
            out[3 * i + j] = 0.0;
            for (k = 0; k < 3; k++) {
                out[3 * i + j] += half[i][k] * r[j][k];
            }
        }
    }
}

static void apply3(const double *a, const double *v, double *out)
{
    int i;
    for (i = 0; i < 3; i++) {
        out[i] = a[3 * i] * v[0] + a[3 * i + 1] * v[1] + a[3 * i + 2] * v[2];
    }
}

static void cross3(const double *a, const double *b, double *out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double dot6(const double *a, const double *b)
{
    return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) + (a[3] * b[3] + a[4] * b[4] + a[5] * b[5]);
}

static double norm3(const double *v)
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* M^-1 f of a moving entity. */
static void apply_inverse_mass(const MODEL *m, int place, const double *f, double *out)
{
    const double inverse = 1.0 / m->mass[BODY[place]];
    int i;
    for (i = 0; i < 3; i++) {
        out[i] = inverse * f[i];
    }
    apply3(m->at.inverse_inertia + 9 * place, f + 3, out + 3);
}

/* M^-1 h of every moving entity, with Euler's -w x (I w). */
static void free_motion(MODEL *m)
{
    int place, i;
    for (place = 0; place < BODIES; place++) {
        const double *x = m->at.state + STATE * place;
        double r[3][3], inertia[9], momentum[3], total[6], gyroscopic[3];
        rotation_of(x + 3, r);
        turned(r, m->inertia + 9 * BODY[place], inertia);
        turned(r, m->inverse + 9 * BODY[place], m->at.inverse_inertia + 9 * place);
        apply3(inertia, x + 10, momentum);
        cross3(momentum, x + 10, gyroscopic);
        for (i = 0; i < 3; i++) {
            total[i] = m->at.load[6 * place + i];
            total[3 + i] = m->at.load[6 * place + 3 + i] + gyroscopic[i];
        }
        apply_inverse_mass(m, place, total, m->at.acceleration + 6 * place);
    }
}

/* W of a contact, and its acceleration without contact forces. */
static void contact_directions(MODEL *m, int number)
{
    const MODEL_kinematics *k = &m->at.kinematics[number];
    MODEL_directions *w = &m->at.directions[number];
    const int contact = m->at.contact[number];
    int side, d, i;
    for (d = 0; d < 3; d++) {
        m->at.free_rate[3 * number + d] = k->bias[d];
    }
    for (side = 0; side < 2; side++) {
        w->place[side] = ENTITY[side == 0 ? CONTACT[contact].a : CONTACT[contact].b].place;
        for (d = 0; w->place[side] >= 0 && d < 3; d++) {
            double *column = w->column[side][d];
            for (i = 0; i < 3; i++) {
                column[i] = side == 0 ? -k->frame[d][i] : k->frame[d][i];
            }
            cross3(k->arm[side], column, column + 3);
            apply_inverse_mass(m, w->place[side], column, w->response[side][d]);
            m->at.free_rate[3 * number + d] += dot6(column, m->at.acceleration + 6 * w->place[side]);
        }
    }
}

/* States, loads, masses, and the kinematics of some contacts: axes of their tangents, or NULL to choose them. */
static int evaluate(MODEL *m, double t, const double *x, const int *contact, const MODEL_active *active, int count)
{
    int place, i;
    for (place = 0; place < BODIES; place++) {
        unit_state(x + STATE * place, m->at.state + STATE * place);
        for (i = 0; i < 6; i++) {
            m->at.load[6 * place + i] = 0.0;
        }
    }
    loads(m, t, x, m->at.load);
    free_motion(m);
    m->at.count = count;
    for (i = 0; i < count; i++) {
        const int id = active != NULL ? active[i].contact : contact[i];
        const double *one = fixed_or_moving(m, m->at.state, CONTACT[id].a), *two = fixed_or_moving(m, m->at.state, CONTACT[id].b);
        MODEL_kinematics *k = &m->at.kinematics[i];
        m->at.contact[i] = id;
        if (!pair_kinematics(k, &m->pair[id], one, two, active != NULL ? active[i].axis : -1)) {
            return say(m, MODEL_NOT_FINITE, "%s: the surfaces overlap by more than their rounding radii", CONTACT[id].label);
        }
        m->at.friction[i] = m->friction[id];
        if (IS_FRICTION_OF_SPEED(id)) {
            /* What sticks, or counts as at rest, has the friction of rest; what begins to slip that of the slowest slip. */
            const double speed = length2(k->rate[1], k->rate[2]);
            const contact_numbers c = contact_moving(&m->at.kinematics[i]);
            const int rests = active != NULL ? !active[i].slips : !contact_slips(&c, &USUAL);
            m->at.friction[i] = friction_at(m, id, rests ? 0.0 : fmax(speed, TOLERANCE_VELOCITY));
        }
        contact_directions(m, i);
    }
    return MODEL_OK;
}

static int is_frictionless(const MODEL *m, int contact)
{
    return !IS_FRICTION_OF_SPEED(contact) && m->friction[contact] == 0.0;
}

/* A 3 x 3 block of G = W' M^-1 W; 0 if the contacts share no moving entity. */
static int delassus_block(const MODEL *m, int i, int j, double block[3][3])
{
    const MODEL_directions *a = &m->at.directions[i], *b = &m->at.directions[j];
    int s, u, k, l, is_shared = 0;
    memset(block, 0, 9 * sizeof(double));
    for (s = 0; s < 2; s++) {
        for (u = 0; u < 2; u++) {
            if (a->place[s] < 0 || a->place[s] != b->place[u]) {
                continue;
            }
            is_shared = 1;
            for (k = 0; k < 3; k++) {
                for (l = 0; l < 3; l++) {
                    block[k][l] += dot6(a->column[s][k], b->response[u][l]);
                }
            }
        }
    }
    return is_shared;
}

/* The largest eigenvalue of C_jj. */
static double tangential_mobility(const MODEL *m, int number)
{
    double b[3][3];
    (void)delassus_block(m, number, number, b);
    return 0.5 * (b[1][1] + b[2][2]) + hypot(0.5 * (b[1][1] - b[2][2]), b[1][2]);
}

/* The forces of a location, or pushes of a projection, modes given: Gaussian elimination with full pivoting; where contacts are redundant,
   the shortest forces. right holds three numbers for each contact, slips whether it slides, mu its friction, direction where to. */
static int location_solve(MODEL *m, const double *right, const int *slips, const double *mu, const double *direction, double *force)
{
    double *a = m->solver.matrix, *scaled = m->solver.transposed;
    double weight[MODEL_UNKNOWNS], y[MODEL_UNKNOWNS], x[MODEL_UNKNOWNS], block[3][3], first = 0.0;
    int unknown[MODEL_UNKNOWNS], row[MODEL_UNKNOWNS], column[MODEL_UNKNOWNS];
    int n = 0, i, j, k, l, is_regular = 1;
    for (i = 0; i < m->at.count; i++) {
        for (k = 0; k < (slips[i] ? 1 : 3); k++) {
            unknown[n++] = 3 * i + k;
        }
    }
    for (i = 0; i < n; i++) {
        (void)delassus_block(m, unknown[i] / 3, unknown[i] / 3, block);
        weight[i] = block[unknown[i] % 3][unknown[i] % 3];
        weight[i] = weight[i] > 0.0 ? sqrt(weight[i]) : 1.0;
        y[i] = -right[unknown[i]];
        row[i] = column[i] = i;
    }
    for (i = 0; i < n; i++) {
        for (j = 0; j < n; j++) {
            const int of = unknown[j] / 3, component = unknown[i] % 3;
            double entry = 0.0;
            if (delassus_block(m, unknown[i] / 3, of, block)) {
                entry = block[component][unknown[j] % 3];
                if (slips[of]) {
                    entry -= mu[of] * (block[component][1] * direction[2 * of] + block[component][2] * direction[2 * of + 1]);
                }
            }
            a[i * n + j] = entry;
            scaled[i * n + j] = entry / (weight[i] * weight[j]);
        }
    }
    for (k = 0; k < n && is_regular; k++) {
        double most = 0.0, size;
        int best_row = k, best_column = k;
        for (i = k; i < n; i++) {
            for (j = k; j < n; j++) {
                size = fabs(scaled[row[i] * n + column[j]]);
                if (size > most) {
                    most = size;
                    best_row = i;
                    best_column = j;
                }
            }
        }
        first = k == 0 ? most : first;
        if (!(most > RANK_TOLERANCE * first)) {
            is_regular = 0;
            break;
        }
        i = row[k];
        row[k] = row[best_row];
        row[best_row] = i;
        j = column[k];
        column[k] = column[best_column];
        column[best_column] = j;
        for (i = k + 1; i < n; i++) {
            const double factor = scaled[row[i] * n + column[k]] / scaled[row[k] * n + column[k]];
            const double exact = a[row[i] * n + column[k]] / a[row[k] * n + column[k]];
            for (j = k + 1; j < n; j++) {
                scaled[row[i] * n + column[j]] -= factor * scaled[row[k] * n + column[j]];
                a[row[i] * n + column[j]] -= exact * a[row[k] * n + column[j]];
            }
            y[row[i]] -= exact * y[row[k]];
        }
    }
    m->at.is_redundant = !is_regular;
    if (is_regular) {
        for (k = n - 1; k >= 0; k--) {
            double value = y[row[k]];
            for (j = k + 1; j < n; j++) {
                value -= a[row[k] * n + column[j]] * x[column[j]];
            }
            x[column[k]] = value / a[row[k] * n + column[k]];
        }
    } else {
        /* By columns, scaled. */
        for (j = 0; j < n; j++) {
            for (i = 0; i < n; i++) {
                const int of = unknown[j] / 3, component = unknown[i] % 3;
                double entry = 0.0;
                if (delassus_block(m, unknown[i] / 3, of, block)) {
                    entry = block[component][unknown[j] % 3];
                    if (slips[of]) {
                        entry -= mu[of] * (block[component][1] * direction[2 * of] + block[component][2] * direction[2 * of + 1]);
                    }
                }
                a[j * n + i] = entry / (weight[i] * weight[j]);
            }
        }
        for (i = 0; i < n; i++) {
            y[i] = -right[unknown[i]] / weight[i];
        }
        (void)least_norm(&m->solver, a, n, n, y, x);
        for (i = 0; i < n; i++) {
            x[i] /= weight[i];
        }
    }
    for (l = 0; l < 3 * m->at.count; l++) {
        force[l] = 0.0;
    }
    for (i = 0; i < n; i++) {
        const int of = unknown[i] / 3;
        force[unknown[i]] = x[i];
        if (slips[of]) {
            force[3 * of + 1] = -mu[of] * x[i] * direction[2 * of];
            force[3 * of + 2] = -mu[of] * x[i] * direction[2 * of + 1];
        }
    }
    return all_finite(force, 3 * m->at.count);
}

/* M^-1 W l by moving entity. */
static void twists_of(const MODEL *m, const double *force, double *twist)
{
    int number, side, d, i;
    for (i = 0; i < 6 * BODIES; i++) {
        twist[i] = 0.0;
    }
    for (number = 0; number < m->at.count; number++) {
        const MODEL_directions *w = &m->at.directions[number];
        for (side = 0; side < 2; side++) {
            for (d = 0; w->place[side] >= 0 && d < 3; d++) {
                for (i = 0; i < 6; i++) {
                    twist[6 * w->place[side] + i] += w->response[side][d][i] * force[3 * number + d];
                }
            }
        }
    }
}

/* The tangential acceleration of a contact under the present forces. */
static void tangential_acceleration(const MODEL *m, int number, double *out)
{
    double block[3][3];
    int j, k, l;
    for (k = 0; k < 2; k++) {
        out[k] = m->at.free_rate[3 * number + 1 + k];
    }
    for (j = 0; j < m->at.count; j++) {
        if (delassus_block(m, number, j, block)) {
            for (k = 0; k < 2; k++) {
                for (l = 0; l < 3; l++) {
                    out[k] += block[1 + k][l] * m->at.force[3 * j + l];
                }
            }
        }
    }
}

/* Turns the directions of contacts that begin to slip towards their accelerations; 1 if any moved. */
static int turn_starting(MODEL *m)
{
    int has_moved = 0, i;
    for (i = 0; i < m->actives; i++) {
        const double limit = m->at.friction[i] * m->at.force[3 * i];
        double *old = m->at.slip_direction + 2 * i;
        double a[2], x, y, size;
        if (!m->active[i].slips || !m->active[i].is_starting || !(limit > 0.0)) {
            continue;
        }
        tangential_acceleration(m, i, a);
        x = a[0] + limit * tangential_mobility(m, i) * old[0];
        y = a[1] + limit * tangential_mobility(m, i) * old[1];
        size = hypot(x, y);
        if (!(size > 0.0) || x * old[0] + y * old[1] <= 0.0) {
            continue;
        }
        if (hypot(x / size - old[0], y / size - old[1]) > 1e-15) {
            has_moved = 1;
        }
        old[0] = x / size;
        old[1] = y / size;
    }
    return has_moved;
}

/* The forces of the present location. */
static int location_forces(MODEL *m)
{
    int slips[MODEL_CLOSED], is_any_starting = 0, turns, i;
    for (i = 0; i < m->actives; i++) {
        const MODEL_active *active = &m->active[i];
        const double *rate = m->at.kinematics[i].rate;
        const double speed = hypot(rate[1], rate[2]);
        double *direction = m->at.slip_direction + 2 * i;
        slips[i] = active->slips;
        direction[0] = active->direction[0];
        direction[1] = active->direction[1];
        /* Where dg_T has turned against its direction at the start of the step, that is kept: motion goes on smoothly through dg_T = 0. */
        if (active->slips && !active->is_starting && speed > 0.0 && rate[1] * direction[0] + rate[2] * direction[1] > 0.0) {
            direction[0] = rate[1] / speed;
            direction[1] = rate[2] / speed;
        }
        is_any_starting = is_any_starting || (active->slips && active->is_starting);
    }
    for (turns = 0;; turns++) {
        if (!location_solve(m, m->at.free_rate, slips, m->at.friction, m->at.slip_direction, m->at.force)) {
            return say(m, MODEL_NOT_FINITE, "a contact force is not finite");
        }
        if (!is_any_starting || turns >= MOST_TURNS || !turn_starting(m)) {
            return MODEL_OK;
        }
    }
}

/* The right-hand side of the flow. A message of a failure is kept only if no shorter step helps. */
static int right_hand_side(void *context, double t, const double *x, double *dx)
{
    MODEL *m = context;
    double twist[6 * MODEL_BODIES];
    int place, i;
    if (evaluate(m, t, x, NULL, m->active, m->actives) != MODEL_OK) {
        return 1;
    }
    for (i = 0; i < 6 * BODIES; i++) {
        twist[i] = 0.0;
    }
    if (m->actives > 0) {
        if (location_forces(m) != MODEL_OK) {
            return 1;
        }
        twists_of(m, m->at.force, twist);
    }
    for (place = 0; place < BODIES; place++) {
        const double *s = m->at.state + STATE * place, *w = s + 10;
        double *d = dx + STATE * place;
        for (i = 0; i < 3; i++) {
            d[i] = s[7 + i];
            d[7 + i] = m->at.acceleration[6 * place + i] + twist[6 * place + i];
            d[10 + i] = m->at.acceleration[6 * place + 3 + i] + twist[6 * place + 3 + i];
        }
        d[3] = 0.5 * (-w[0] * s[4] - w[1] * s[5] - w[2] * s[6]);
        d[4] = 0.5 * (w[0] * s[3] + w[1] * s[6] - w[2] * s[5]);
        d[5] = 0.5 * (-w[0] * s[6] + w[1] * s[3] + w[2] * s[4]);
        d[6] = 0.5 * (w[0] * s[5] - w[1] * s[4] + w[2] * s[3]);
    }
    return 0;
}

/* Keeps closed contacts closed: positions, then velocities, moved onto the constraints by the least change. */
static int project(MODEL *m, double t, double *x)
{
    double right[MODEL_UNKNOWNS], push[MODEL_UNKNOWNS], mu[MODEL_CLOSED], direction[2 * MODEL_CLOSED], twist[6 * MODEL_BODIES];
    int slips[MODEL_CLOSED], round, place, i;
    if (m->actives == 0) {
        return MODEL_OK;
    }
    for (i = 0; i < m->actives; i++) {
        mu[i] = 0.0;
        direction[2 * i] = 1.0;
        direction[2 * i + 1] = 0.0;
    }
    for (round = 0; round < 5; round++) {
        double worst = 0.0;
        if (evaluate(m, t, x, NULL, m->active, m->actives) != MODEL_OK) {
            return m->status;
        }
        for (i = 0; i < m->actives; i++) {
            worst = fmax(worst, fabs(m->at.kinematics[i].gap));
            right[3 * i] = m->at.kinematics[i].gap;
            right[3 * i + 1] = right[3 * i + 2] = 0.0;
            slips[i] = 1;
        }
        copy(x, m->at.state, STATE * BODIES);
        if (worst <= 1e-15 * SCALE_LENGTH || round == 4) {
            break;
        }
        if (!location_solve(m, right, slips, mu, direction, push)) {
            return say(m, MODEL_NOT_FINITE, "a correction of positions is not finite");
        }
        twists_of(m, push, twist);
        for (place = 0; place < BODIES; place++) {
            double *s = x + STATE * place, *d = twist + 6 * place, q[4], size;
            const double a = 0.5 * d[3], b = 0.5 * d[4], c = 0.5 * d[5];
            for (i = 0; i < 3; i++) {
                s[i] += d[i];
            }
            q[0] = s[3] - a * s[4] - b * s[5] - c * s[6];
            q[1] = s[4] + a * s[3] + b * s[6] - c * s[5];
            q[2] = s[5] - a * s[6] + b * s[3] + c * s[4];
            q[3] = s[6] + a * s[5] - b * s[4] + c * s[3];
            size = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
            for (i = 0; i < 4; i++) {
                s[3 + i] = q[i] / size;
            }
        }
    }
    for (i = 0; i < m->actives; i++) {
        const double *rate = m->at.kinematics[i].rate;
        const contact_numbers c = contact_moving(&m->at.kinematics[i]);
        /* A contact that begins to slip begins at rest. */
        slips[i] = m->active[i].slips && (contact_slips(&c, &USUAL) || is_frictionless(m, m->active[i].contact));
        right[3 * i] = rate[0];
        right[3 * i + 1] = slips[i] ? 0.0 : rate[1];
        right[3 * i + 2] = slips[i] ? 0.0 : rate[2];
    }
    if (!location_solve(m, right, slips, mu, direction, push)) {
        return say(m, MODEL_NOT_FINITE, "a correction of velocities is not finite");
    }
    twists_of(m, push, twist);
    for (place = 0; place < BODIES; place++) {
        for (i = 0; i < 6; i++) {
            x[STATE * place + 7 + i] += twist[6 * place + i];
        }
    }
    return MODEL_OK;
}
