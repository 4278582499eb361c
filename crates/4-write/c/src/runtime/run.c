/* ------------------------------------------------------------------------------------------------------------------
   The loop: a step of the flow, the first thing that happens in it, the nodes, the next step.
   ------------------------------------------------------------------------------------------------------------------ */

enum { EVENT_NONE, EVENT_CLOSING, EVENT_GUARD };
enum { GUARDS = 3, LOOKS = 32, MOST_HAPPENINGS = 10000, MOST_EMPTY_CLOSINGS = 500, MOST_CREEPS = 1000 };

static const double GAP_LEVEL = 1e-12 * SCALE_LENGTH;
static const double GUARD_LEVEL = 1e-12;

/* The scale of a guard. */
static double guard_scale(const MODEL *m, int i, int guard)
{
    if (guard == 0) {
        return SCALE_FORCE;
    }
    if (guard == 1) {
        return m->active[i].slips ? SCALE_VELOCITY : SCALE_FORCE * SCALE_FORCE;
    }
    return 1.0;
}

/* Position and orientation of an entity at a time of the present step. */
static void place_at(const MODEL *m, int entity, int count, double t, double *x)
{
    const int place = ENTITY[entity].place;
    if (place < 0) {
        copy(x, m->start + STATE * entity, count);
        return;
    }
    dense_part(flow_last(&m->flow), STATE * place, count, t, x);
    if (count > 3) {
        const double size = sqrt(x[3] * x[3] + (x[4] * x[4] + x[5] * x[5] + x[6] * x[6]));
        int i;
        for (i = 3; i < 7; i++) {
            x[i] /= size;
        }
    }
}

static int is_centred_sphere(const MODEL_surface *s)
{
    return s->kind == SPHERE && s->position[0] == 0.0 && s->position[1] == 0.0 && s->position[2] == 0.0;
}

/* The gap of a contact along the present step. */
static double gap_during(void *context, int contact, double t)
{
    const MODEL *m = context;
    const MODEL_pair *pair = &m->pair[contact];
    double one[7], two[7];
    if (is_centred_sphere(&pair->first) && is_centred_sphere(&pair->second)) {
        double apart[3];
        int i;
        place_at(m, CONTACT[contact].a, 3, t, one);
        place_at(m, CONTACT[contact].b, 3, t, two);
        for (i = 0; i < 3; i++) {
            apart[i] = two[i] - one[i];
        }
        return norm3(apart) - (pair->first.radius + pair->second.radius);
    }
    place_at(m, CONTACT[contact].a, 7, t, one);
    place_at(m, CONTACT[contact].b, 7, t, two);
    return pair_gap(pair, one, two);
}

/* The forces of the present location at a time of the present step. */
static int evaluate_during(MODEL *m, double t)
{
    double x[MODEL_DIMENSION] = {0.0}, dx[MODEL_DIMENSION] = {0.0};
    dense_part(flow_last(&m->flow), 0, m->flow.n, t, x);
    return right_hand_side(m, t, x, dx);
}

/* The kinematics of closed contacts at a time of the present step. */
static int kinematics_during(MODEL *m, double t)
{
    double x[MODEL_DIMENSION] = {0.0};
    dense_part(flow_last(&m->flow), 0, m->flow.n, t, x);
    return evaluate(m, t, x, NULL, m->active, m->actives);
}

/* The guards of a closed contact evaluated last, as functions crossed from above: it opens; it breaks away or stops; it does not slip
   slowly any more. */
static void guards_of(const MODEL *m, int i, double *out)
{
    const double *rate = m->at.kinematics[i].rate;
    contact_numbers c = contact_moving(&m->at.kinematics[i]);
    memcpy(c.force, m->at.force + 3 * i, sizeof c.force);
    c.friction = m->at.friction[i];
    memcpy(c.direction, m->active[i].direction, sizeof c.direction);
    if (m->active[i].slips) {
        out[1] = until_stops(&c, &USUAL);
    } else {
        c.slack = 4.0 * USUAL.acceleration / tangential_mobility(m, i);
        out[1] = until_breaks_away(&c, &USUAL);
    }
    out[0] = until_opens(&c, &USUAL);
    out[2] = 1.0 - hypot(rate[1], rate[2]) / (10.0 * SLOW);
}

/* A guard along the present step; each moment is evaluated once. */
static double guard_during(void *context, int number, double t)
{
    MODEL *m = context;
    int i, place;
    for (i = 0; i < m->guards_known && i < MODEL_GUARDS_KEPT; i++) {
        if (m->guard_time[i] == t) {
            return m->guard_value[i][number];
        }
    }
    place = m->guards_known % MODEL_GUARDS_KEPT;
    if (evaluate_during(m, t) != 0) {
        return NAN;
    }
    for (i = 0; i < m->actives; i++) {
        guards_of(m, i, m->guard_value[place] + GUARDS * i);
    }
    m->guard_time[place] = t;
    m->guards_known++;
    return m->guard_value[place][number];
}

/* How fast a closed contact moves in a direction in which it must not, m/s. */
static double departure(const MODEL *m, int i)
{
    const double *rate = m->at.kinematics[i].rate;
    return fmax(fabs(rate[0]), m->active[i].slips ? 0.0 : hypot(rate[1], rate[2]));
}

/* The first closed contact that leaves its constraint; -1 if none does. */
static int departed(MODEL *m, double t)
{
    int i;
    if (kinematics_during(m, t) != MODEL_OK) {
        return -2;
    }
    for (i = 0; i < m->actives; i++) {
        if (departure(m, i) > 10.0 * TOLERANCE_VELOCITY) {
            return m->active[i].contact;
        }
    }
    return -1;
}

static void note_event(MODEL *m, double t, int kind, int contact)
{
    m->event_time = t;
    m->event_kind = kind;
    m->event_contact = contact;
}

/* How well a guard is known: some roundings of what it is a difference of. */
static double guard_noise(const MODEL *m, int i, int guard)
{
    const double *force = m->at.force + 3 * i, *arm0 = m->at.kinematics[i].arm[0], *arm1 = m->at.kinematics[i].arm[1];
    const double size = fabs(force[0]) + fabs(force[1]) + fabs(force[2]), arm = fmax(norm3(arm0), norm3(arm1));
    double noise = guard == 0 ? size : 1.0;
    int place;
    if (guard == 1) {
        noise = m->active[i].slips ? 0.0 : size * size;
        for (place = 0; m->active[i].slips && place < BODIES; place++) {
            const double *s = m->at.state + STATE * place;
            noise = fmax(noise, norm3(s + 7) + arm * norm3(s + 10));
        }
    }
    return 16.0 * DBL_EPSILON * noise;
}

/* For redundant contacts: by how much the contact node would move a contact that must not move; above zero if not. */
static double moves_during(MODEL *m, double t)
{
    double x[MODEL_DIMENSION] = {0.0}, acceleration[MODEL_UNKNOWNS] = {0.0}, worst = 0.0;
    int ids[MODEL_CLOSED] = {0}, mode[MODEL_CLOSED] = {0}, i;
    dense_part(flow_last(&m->flow), 0, m->flow.n, t, x);
    for (i = 0; i < m->actives; i++) {
        ids[i] = m->active[i].contact;
    }
    if (evaluate(m, t, x, ids, NULL, m->actives) != MODEL_OK || sustained(m, &USUAL, acceleration, mode) != MODEL_OK) {
        return NAN;
    }
    for (i = 0; i < m->actives; i++) {
        const double *a = acceleration + 3 * i;
        worst = fmax(worst, m->active[i].slips ? a[0] : fmax(a[0], hypot(a[1], a[2])));
    }
    return 10.0 * USUAL.acceleration - worst;
}

static int predict_moves(MODEL *m, double from, double to)
{
    double low, high;
    int look;
    for (look = 1; look <= LOOKS; look++) {
        const double value = moves_during(m, from + (to - from) * look / LOOKS);
        if (isnan(value)) {
            return m->status;
        }
        if (value <= 0.0) {
            low = from + (to - from) * (look - 1) / LOOKS;
            high = from + (to - from) * look / LOOKS;
            while (high - low > 4.0 * DBL_EPSILON * fmax(fabs(high), 1e-3 * SCALE_TIME)) {
                const double middle = 0.5 * (low + high);
                if (moves_during(m, middle) > 0.0) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            note_event(m, high, EVENT_GUARD, m->active[0].contact);
            return MODEL_OK;
        }
    }
    return MODEL_OK;
}

/* The first guard of a closed contact that is crossed in the present step. */
static int predict_guards(MODEL *m)
{
    const double from = flow_last(&m->flow)->t0;
    double to = fmin(flow_last(&m->flow)->t1, m->event_time), t = 0.0;
    double noise[MODEL_UNKNOWNS];
    int contact, i, guard;
    if (m->actives == 0) {
        return MODEL_OK;
    }
    contact = departed(m, to);
    if (contact >= 0) {
        double low = from;
        for (;;) {
            const double middle = 0.5 * (low + to);
            int found;
            if (middle <= low || middle >= to) {
                break;
            }
            found = departed(m, middle);
            if (found >= 0) {
                to = middle;
                contact = found;
            } else if (found == -1) {
                low = middle;
            } else {
                return m->status;
            }
        }
        note_event(m, to, EVENT_GUARD, contact);
    } else if (contact < -1) {
        return m->status;
    }
    if (m->asks_node) {
        if (predict_moves(m, from, to) != MODEL_OK) {
            return m->status;
        }
        to = fmin(to, m->event_time);
    }
    m->guards_known = 0;
    if (isnan(guard_during(m, 0, from))) {
        return m->status;
    }
    for (i = 0; i < m->actives; i++) {
        for (guard = 0; guard < GUARDS; guard++) {
            noise[GUARDS * i + guard] = guard_noise(m, i, guard);
        }
    }
    for (i = 0; i < m->actives; i++) {
        for (guard = 0; guard < GUARDS; guard++) {
            const int id = m->active[i].contact;
            int found;
            /* What the node was asked are forces; how a contact slips does not hang on which of many they are. */
            if (m->asks_node && (guard == 0 || !m->active[i].slips)) {
                continue;
            }
            if ((guard == 1 && is_frictionless(m, id)) || (guard == 2 && !m->active[i].is_starting)) {
                continue;
            }
            found = crossing_downward(&m->search, guard_during, m, GUARDS * i + guard, from, to, GUARD_LEVEL * guard_scale(m, i, guard), noise[GUARDS * i + guard], &t);
            if (m->status != MODEL_OK) {
                return m->status;
            }
            if (found == CROSSING_NOT_ISOLATED) {
                return say(m, MODEL_CROSSING_NOT_ISOLATED, "no crossing could be isolated of the %s of %s",
                    guard == 0 ? "normal force" : "friction", CONTACT[id].label);
            }
            if (found == CROSSING_AT) {
                to = t;
                note_event(m, t, EVENT_GUARD, id);
            }
        }
    }
    return MODEL_OK;
}

/* A box that holds an entity during the present step: each coordinate's polynomial stays within the sum of its coefficients. */
static void bounds_of(const MODEL *m, int entity, double *low, double *high)
{
    const int place = ENTITY[entity].place;
    int axis, k;
    for (axis = 0; axis < 3; axis++) {
        double middle = m->start[STATE * entity + axis], spread = 0.0, margin;
        if (place >= 0) {
            const MODEL_dense *d = flow_last(&m->flow);
            const double *b = d->slopes + (STATE * place + axis) * NODES;
            double a[NODES + 1] = {0.0};
            a[0] = d->x0[STATE * place + axis] + (d->carry[STATE * place + axis] + 0.5 * b[0]);
            a[1] = 0.5 * b[0];
            for (k = 1; k < NODES; k++) {
                const double part = b[k] / (2.0 * (2 * k + 1));
                a[k + 1] += part;
                a[k - 1] -= part;
            }
            middle = a[0];
            for (k = 1; k <= NODES; k++) {
                spread += fabs(a[k]);
            }
        }
        margin = spread + m->reach[entity] + TOLERANCE_GAP + 1e-12 * fabs(middle);
        low[axis] = middle - margin;
        high[axis] = middle + margin;
    }
}

/* The first gap that closes in the present step. */
static int predict_closings(MODEL *m)
{
    const MODEL_dense *d = flow_last(&m->flow);
    double low[MODEL_ENTITIES][3], high[MODEL_ENTITIES][3], closes[MODEL_CONTACTS], t = 0.0;
    int i, k;
    for (i = 0; i < ENTITIES; i++) {
        bounds_of(m, i, low[i], high[i]);
    }
    for (i = 0; i < CONTACTS; i++) {
        const int a = CONTACT[i].a, b = CONTACT[i].b;
        double one[7], two[7], noise;
        int is_out = 0, found;
        closes[i] = INFINITY;
        for (k = 0; k < 3; k++) {
            is_out = is_out || low[a][k] > high[b][k] || low[b][k] > high[a][k];
        }
        for (k = 0; k < m->actives; k++) {
            is_out = is_out || m->active[k].contact == i;
        }
        if (is_out) {
            continue;
        }
        place_at(m, a, 3, d->t0, one);
        place_at(m, b, 3, d->t0, two);
        noise = norm3(one) + norm3(two) + (isfinite(m->reach[a]) ? m->reach[a] : 0.0) + (isfinite(m->reach[b]) ? m->reach[b] : 0.0);
        found = crossing_downward(&m->search, gap_during, m, i, d->t0, fmin(d->t1, m->event_time + TOLERANCE_SIMULTANEITY), GAP_LEVEL,
            8.0 * DBL_EPSILON * noise, &t);
        if (found == CROSSING_NOT_ISOLATED) {
            return say(m, MODEL_CROSSING_NOT_ISOLATED, "no crossing could be isolated of the gap of %s", CONTACT[i].label);
        }
        if (found == CROSSING_AT) {
            closes[i] = t;
            if (t < m->event_time) {
                note_event(m, t, EVENT_CLOSING, i);
            }
        }
    }
    m->event_closings = 0;
    for (i = 0; i < CONTACTS; i++) {
        m->event_closings += closes[i] <= m->event_time + TOLERANCE_SIMULTANEITY;
    }
    return MODEL_OK;
}

/* How long a step may be at most for contacts that slip: beyond dg_T = 0 their motion is only made up. */
static int slip_end(MODEL *m, double t, double *end)
{
    double dx[MODEL_DIMENSION] = {0.0}, a[2], shortest = INFINITY;
    int is_any = 0, i;
    *end = INFINITY;
    for (i = 0; i < m->actives; i++) {
        is_any = is_any || (m->active[i].slips && !m->active[i].is_starting);
    }
    if (!is_any) {
        return MODEL_OK;
    }
    if (right_hand_side(m, t, m->flow.x, dx) != 0) {
        return m->status;
    }
    for (i = 0; i < m->actives; i++) {
        const double *rate = m->at.kinematics[i].rate;
        double lasts;
        if (!m->active[i].slips || m->active[i].is_starting || is_frictionless(m, m->active[i].contact)) {
            continue;
        }
        tangential_acceleration(m, i, a);
        lasts = 4.0 * hypot(rate[1], rate[2]) / hypot(a[0], a[1]);
        if (lasts > 0.0) {
            shortest = fmin(shortest, lasts);
        }
    }
    *end = t + fmax(shortest, 1e-12 * SCALE_TIME);
    return MODEL_OK;
}

/* The longest step of a run until a time. */
static double longest_step(double until)
{
    double longest = LONGEST_STEP > 0.0 ? LONGEST_STEP : INFINITY;
    if (STEP_PARTS > 0.0) {
        longest = fmin(longest, fmax(until, HORIZON) / STEP_PARTS);
    }
    return longest;
}

/* The next step of the flow, and what happens first in it. */
static int make_step(MODEL *m, double until)
{
    double slips_until, end;
    int ended;
    if (slip_end(m, m->flow.t, &slips_until) != MODEL_OK) {
        return m->status;
    }
    end = fmin(fmax(until, HORIZON), m->flow.t + longest_step(until));
    ended = flow_step(&m->flow, fmin(end, slips_until), right_hand_side, m);
    if (ended == FLOW_FAILED) {
        return m->status;
    }
    if (ended == FLOW_NOT_FINITE) {
        return say(m, MODEL_NOT_FINITE, "the state or its rate is not finite after t = %g", m->flow.t);
    }
    if (ended != FLOW_DONE) {
        return say(m, MODEL_STEP_TOO_SMALL, "no step is short enough at t = %g", m->flow.t);
    }
    m->status = MODEL_OK;
    m->message[0] = '\0';
    m->has_step = 1;
    note_event(m, INFINITY, EVENT_NONE, -1);
    ended = predict_closings(m);
    return ended != MODEL_OK ? ended : predict_guards(m);
}

/* Time goes on: microsteps begin anew. */
static void advance_to(MODEL *m, double t)
{
    if (t > m->t) {
        m->t = t;
        m->microstep = 0;
        m->next_microstep = 0;
    }
}

/* The states to go on with after nodes or a projection; those of entities that touch nothing keep what rounding took from them. */
static void go_on_from(MODEL *m, double t, const double *x, const double *carry)
{
    int is_held[MODEL_BODIES], i, k;
    flow_restart(&m->flow, t, x);
    for (k = 0; k < BODIES; k++) {
        is_held[k] = 0;
    }
    for (i = 0; i < m->actives; i++) {
        const int a = ENTITY[CONTACT[m->active[i].contact].a].place, b = ENTITY[CONTACT[m->active[i].contact].b].place;
        if (a >= 0) {
            is_held[a] = 1;
        }
        if (b >= 0) {
            is_held[b] = 1;
        }
    }
    for (k = 0; carry != NULL && k < BODIES; k++) {
        for (i = 0; i < 3 && !is_held[k]; i++) {
            m->flow.carry[STATE * k + i] = carry[STATE * k + i];
        }
    }
    m->has_step = 0;
}

/* States at t of the present step with orientations of length one, and what rounding took from them. */
static void states_at(const MODEL *m, double t, double *x, double *carry)
{
    double raw[MODEL_DIMENSION] = {0.0};
    int place;
    dense_with_carry(flow_last(&m->flow), m->flow.n, t, raw, carry);
    for (place = 0; place < BODIES; place++) {
        unit_state(raw + STATE * place, x + STATE * place);
    }
}

/* What rounding took from the time of a crossing: the gap is zero at t + rest. */
static double rest_of_time(MODEL *m, int contact, const double *x, const double *carry)
{
    const int a = CONTACT[contact].a, b = CONTACT[contact].b;
    const int place_a = ENTITY[a].place, place_b = ENTITY[b].place;
    const double *one = fixed_or_moving(m, x, a), *two = fixed_or_moving(m, x, b);
    MODEL_kinematics k;
    contact_numbers c;
    double gap, rest, size;
    int i;
    if (!pair_kinematics(&k, &m->pair[contact], one, two, -1)) {
        return 0.0;
    }
    c = contact_moving(&k);
    if (!contact_strikes(&c, &USUAL)) {
        return 0.0;
    }
    gap = k.gap;
    for (i = 0; i < 3; i++) {
        gap += k.frame[0][i] * ((place_b >= 0 ? carry[STATE * place_b + i] : 0.0) - (place_a >= 0 ? carry[STATE * place_a + i] : 0.0));
    }
    rest = -gap / k.rate[0];
    size = norm3(one) + norm3(two) + norm3(k.arm[0]) + norm3(k.arm[1]);
    if (fabs(rest) <= 8.0 * DBL_EPSILON * fmax(fabs(m->t), 1.0) || fabs(gap) <= 8.0 * DBL_EPSILON * size) {
        return rest;
    }
    return 0.0;
}

/* Moves states on by a rest of time far below the step. */
static void move_on(MODEL *m, double t, double rest, double *x, double *carry)
{
    const MODEL_dense *d = flow_last(&m->flow);
    double p[NODES], raw[MODEL_DIMENSION] = {0.0};
    int i;
    dense_with_carry(d, m->flow.n, t, raw, carry);
    legendre(2.0 * dense_tau(d, t) - 1.0, NODES, p);
    for (i = 0; i < m->flow.n; i++) {
        const double slope = dense_sum(p, d->slopes + i * NODES) / d->h, before = raw[i];
        raw[i] += carry[i] + rest * slope;
        carry[i] += rest * slope - (raw[i] - before);
    }
    for (i = 0; i < BODIES; i++) {
        unit_state(raw + STATE * i, x + STATE * i);
    }
}

/* Gaps close: impact node, contact node. */
static int happen_closing(MODEL *m, double t)
{
    double x[MODEL_DIMENSION] = {0.0}, carry[MODEL_DIMENSION] = {0.0};
    const int before = m->queue_count;
    states_at(m, t, x, carry);
    if (m->event_closings == 1) {
        const double rest = rest_of_time(m, m->event_contact, x, carry);
        if (rest != 0.0) {
            move_on(m, t, rest, x, carry);
        }
    }
    m->asks_node = 0;
    if (pass_nodes(m, t, x, 0) != MODEL_OK) {
        return m->status;
    }
    go_on_from(m, t, x, carry);
    m->empty_closings = m->queue_count > before ? 0 : m->empty_closings + 1;
    if (m->empty_closings > MOST_EMPTY_CLOSINGS) {
        return say(m, MODEL_NO_FITTING_MODE, "%s: flat parts of the surfaces lie on each other, which one contact cannot hold",
            CONTACT[m->event_contact].label);
    }
    return MODEL_OK;
}

/* Guards are passed: forces and modes are found anew. */
static int resolve(MODEL *m, double t)
{
    double x[MODEL_DIMENSION] = {0.0}, carry[MODEL_DIMENSION] = {0.0};
    states_at(m, t, x, carry);
    if (pass_nodes(m, t, x, 0) != MODEL_OK) {
        return m->status;
    }
    go_on_from(m, t, x, carry);
    return MODEL_OK;
}

/* A guard of a closed contact is crossed. */
static int happen_guard(MODEL *m, double t)
{
    double x[MODEL_DIMENSION] = {0.0}, carry[MODEL_DIMENSION] = {0.0}, acceleration[MODEL_UNKNOWNS] = {0.0};
    int ids[MODEL_CLOSED] = {0}, mode[MODEL_CLOSED] = {0}, count, is_same_again, is_any_stick = 0, is_creeping = 0, i;
    if (kinematics_during(m, t) != MODEL_OK) {
        return m->status;
    }
    for (i = 0; i < m->actives; i++) {
        const double speed = departure(m, i), limit = 10.0 * TOLERANCE_VELOCITY;
        is_creeping = is_creeping || (speed > limit && speed < 2.0 * limit);
    }
    m->creeps += is_creeping;
    if (is_creeping && m->creeps > MOST_CREEPS) {
        return say(m, MODEL_NO_FITTING_MODE, "%s: flat parts of the surfaces lie on each other, which one contact cannot hold",
            CONTACT[m->event_contact].label);
    }
    states_at(m, t, x, carry);
    count = touching(m, x, ids);
    if (count < 0) {
        return count;
    }
    is_same_again = count > 0 && count == m->actives;
    if (count > 0) {
        if (evaluate(m, t, x, ids, NULL, count) != MODEL_OK || sustained(m, &USUAL, acceleration, mode) != MODEL_OK) {
            return m->status;
        }
        for (i = 0; is_same_again && i < count; i++) {
            is_same_again = m->active[i].contact == ids[i] && mode[i] == (m->active[i].slips ? MODE_SLIP : MODE_STICK);
            is_any_stick = is_any_stick || mode[i] == MODE_STICK;
        }
    }
    /* The same modes again: another choice of the forces of redundant contacts crosses no guard. */
    m->asks_node = is_same_again && is_any_stick;
    return resolve(m, t);
}

/* A step ends: drift is taken out, directions of slip are turned. */
static int happen_end(MODEL *m, double t)
{
    double x[MODEL_DIMENSION] = {0.0}, carry[MODEL_DIMENSION] = {0.0};
    int is_stopped = 0, i;
    if (m->actives == 0) {
        m->has_step = 0;
        return MODEL_OK;
    }
    if (kinematics_during(m, t) != MODEL_OK) {
        return m->status;
    }
    for (i = 0; i < m->actives; i++) {
        const contact_numbers c = contact_moving(&m->at.kinematics[i]);
        is_stopped = is_stopped
            || (m->active[i].slips && !m->active[i].is_starting && !is_frictionless(m, m->active[i].contact)
                && !contact_slips(&c, &USUAL));
    }
    if (is_stopped) {
        m->asks_node = 0;
        return resolve(m, t);
    }
    states_at(m, t, x, carry);
    if (project(m, t, x) != MODEL_OK || evaluate(m, t, x, NULL, m->active, m->actives) != MODEL_OK) {
        return m->status;
    }
    go_on_from(m, t, x, carry);
    for (i = 0; i < m->actives; i++) {
        const double *rate = m->at.kinematics[i].rate;
        const double speed = hypot(rate[1], rate[2]);
        if (m->active[i].slips && !(m->active[i].is_starting && is_frictionless(m, m->active[i].contact)) && (speed > SLOW || (speed > 0.0 && !m->active[i].is_starting))) {
            unit2(rate[1], rate[2], m->active[i].direction);
            m->active[i].is_starting = 0;
        }
    }
    return MODEL_OK;
}

/* Impacts have accumulated: from now on the contact is closed in name too. */
static void happen_zeno(MODEL *m, int i)
{
    const int contact = m->active[i].contact;
    MODEL_place with = m->closed;
    m->active[i].zeno_until = INFINITY;
    with.mode[contact] = (unsigned char)(m->active[i].slips ? NAMED_SLIP : NAMED_STICK);
    enter(m, &with, AT_IMPACT);
    settle(m, &with);
}

/* The closed contact whose accumulation of impacts ends first; -1 if there is none. */
static int next_zeno(const MODEL *m)
{
    int first = -1, i;
    for (i = 0; i < m->actives; i++) {
        if (isfinite(m->active[i].zeno_until) && (first < 0 || m->active[i].zeno_until < m->active[first].zeno_until)) {
            first = i;
        }
    }
    return first;
}

/* Counts what happens at one instant. */
static int count_happening(MODEL *m, double t)
{
    if (t > m->instant) {
        m->instant = t;
        m->happenings = 0;
    }
    if (++m->happenings > MOST_HAPPENINGS) {
        return say(m, MODEL_MICROSTEP_LIMIT, "more than %d things happen at t = %.17g", (int)MOST_HAPPENINGS, t);
    }
    return MODEL_OK;
}

/* Takes the next transition out of the queue. */
static int take_transition(MODEL *m)
{
    MODEL_place *next = &m->queue[m->queue_first];
    name_place(m, next);
    if (next->again > 0) {
        next->again--;
        next->collision++;
    } else {
        m->queue_first = (m->queue_first + 1) % MODEL_QUEUE;
        m->queue_count--;
    }
    m->microstep = m->next_microstep++;
    return MODEL_EVENT;
}

static void show(MODEL *m, double t)
{
    double carry[MODEL_DIMENSION] = {0.0};
    if (m->has_step) {
        states_at(m, t, m->now, carry);
    } else {
        copy(m->now, m->flow.x, m->flow.n);
    }
}

/* A contact whose numbers are out of range; what is told. */
static int check_numbers(MODEL *m)
{
    int i, k;
    for (i = 0; i < ENTITIES; i++) {
        if (!(m->reach[i] > 0.0)) {
            return say(m, MODEL_BAD_NUMBER, "with these parameters the size of %s is %g", ENTITY[i].name, m->reach[i]);
        }
        if (ENTITY[i].place >= 0 && !(m->mass[i] > 0.0 && isfinite(m->mass[i]))) {
            return say(m, MODEL_BAD_NUMBER, "with these parameters the mass of %s is %g", ENTITY[i].name, m->mass[i]);
        }
        for (k = 0; k < STATE; k++) {
            if (!isfinite(m->start[STATE * i + k])) {
                return say(m, MODEL_BAD_NUMBER, "with these parameters the initial state of %s is not finite", ENTITY[i].name);
            }
        }
    }
    for (i = 0; i < CONTACTS; i++) {
        if (!(m->restitution[i] >= 0.0 && m->restitution[i] <= 1.0)) {
            return say(m, MODEL_BAD_NUMBER, "with these parameters the restitution of %s is %g", CONTACT[i].label, m->restitution[i]);
        }
        if (!(m->tangential_restitution[i] >= -1.0 && m->tangential_restitution[i] <= 1.0)) {
            return say(m, MODEL_BAD_NUMBER, "with these parameters the tangential restitution of %s is %g", CONTACT[i].label,
                m->tangential_restitution[i]);
        }
        if (!IS_FRICTION_OF_SPEED(i) && !(m->friction[i] >= 0.0 && isfinite(m->friction[i]))) {
            return say(m, MODEL_BAD_NUMBER, "with these parameters the friction of %s is %g", CONTACT[i].label, m->friction[i]);
        }
    }
    return MODEL_OK;
}

/* The side of a plane on which another entity starts; 0 if the surface is no plane. */
static int side_of(const MODEL *m, const MODEL_surface *s, int wall, int other)
{
    dplace at, placed;
    dmat rotation;
    dvec normal;
    if (s->kind != PLANE) {
        return 0;
    }
    at = resting(m->start + STATE * wall);
    placed = dplace_compose(&at, s->position, s->orientation);
    rotation = dmat_of(placed.q);
    normal = dmat_apply(&rotation, dvec_of(s->size));
    return dvec_dot(normal, dvec_sub(dvec_of(m->start + STATE * other), placed.position)).v >= s->offset ? 1 : -1;
}

/* The first location. */
static int begin(MODEL *m)
{
    double x[MODEL_DIMENSION] = {0.0};
    int i, status;
    /* An attempt before this one may have failed on the way. */
    m->queue_first = m->queue_count = 0;
    m->actives = 0;
    m->impacts = 0;
    memset(&m->closed, 0, sizeof m->closed);
    status = check_numbers(m);
    if (status != MODEL_OK) {
        return status;
    }
    for (i = 0; i < ENTITIES; i++) {
        unit_state(m->start + STATE * i, m->start + STATE * i);
        if (ENTITY[i].place >= 0) {
            copy(x + STATE * ENTITY[i].place, m->start + STATE * i, STATE);
        }
    }
    for (i = 0; i < CONTACTS; i++) {
        const contact_data *c = &CONTACT[i];
        MODEL_pair *pair = &m->pair[i];
        double gap;
        surface_feature(&pair->first, &m->surface[c->surface_a], c->feature_a);
        surface_feature(&pair->second, &m->surface[c->surface_b], c->feature_b);
        pair->yields = c->feature_a == 0 && c->feature_b > 0 && c->feature_b < 16;
        pair->side = side_of(m, &pair->first, c->a, c->b);
        if (pair->side == 0) {
            pair->side = side_of(m, &pair->second, c->b, c->a);
        }
        gap = pair_gap(pair, m->start + STATE * c->a, m->start + STATE * c->b);
        if (gap < -TOLERANCE_GAP) {
            return say(m, MODEL_OVERLAP, "with these parameters %s overlap at the start: their gap is %g", c->label, gap);
        }
    }
    if (pass_nodes(m, m->t, x, 1) != MODEL_OK) {
        return m->status;
    }
    flow_start(&m->flow, STATE * BODIES, m->t, x);
    m->has_begun = 1;
    if (m->queue_count == 0) {
        name_place(m, &m->closed);
    }
    show(m, m->t);
    return MODEL_OK;
}

/* An input was set: forces jump, so the location may fit no more. */
static int change_inputs(MODEL *m)
{
    double x[MODEL_DIMENSION] = {0.0}, carry[MODEL_DIMENSION] = {0.0};
    m->has_input_changed = 0;
    if (m->has_step) {
        states_at(m, m->t, x, carry);
    } else {
        copy(x, m->flow.x, m->flow.n);
        copy(carry, m->flow.carry, m->flow.n);
    }
    m->asks_node = 0;
    if (m->actives > 0 && pass_nodes(m, m->t, x, 0) != MODEL_OK) {
        return m->status;
    }
    go_on_from(m, m->t, x, carry);
    show(m, m->t);
    return MODEL_OK;
}

/* What happens next, not beyond `until`: MODEL_EVENT if something did. */
static int happen_next(MODEL *m, double until)
{
    const double end = flow_last(&m->flow)->t1;
    const int zeno = next_zeno(m);
    const double zeno_time = zeno >= 0 ? m->active[zeno].zeno_until : INFINITY;
    const double t = fmin(fmin(m->event_time, end), zeno_time);
    int status;
    if (until <= t) {
        advance_to(m, until);
        show(m, until);
        return MODEL_OK;
    }
    advance_to(m, t);
    status = count_happening(m, t);
    if (status != MODEL_OK) {
        return status;
    }
    if (zeno_time <= t) {
        happen_zeno(m, zeno);
    } else if (m->event_time <= t) {
        status = m->event_kind == EVENT_CLOSING ? happen_closing(m, t) : happen_guard(m, t);
    } else {
        status = happen_end(m, t);
    }
    if (status != MODEL_OK) {
        return status;
    }
    show(m, t);
    return MODEL_EVENT;
}

int MODEL_step_to_event(MODEL *m, double until)
{
    if (m->status != MODEL_OK) {
        return m->status;
    }
    if (!(until >= m->t && isfinite(until))) {
        return MODEL_BAD_ARGUMENT;
    }
    if (!m->has_begun && begin(m) != MODEL_OK) {
        return m->status;
    }
    for (;;) {
        int status;
        if (m->queue_count > 0) {
            return take_transition(m);
        }
        if (m->has_input_changed && change_inputs(m) != MODEL_OK) {
            return m->status;
        }
        if (m->queue_count > 0) {
            continue;
        }
        if (!m->has_step) {
            if (!(m->flow.t < until)) {
                return MODEL_OK;
            }
            if (make_step(m, until) != MODEL_OK) {
                return m->status;
            }
        }
        status = happen_next(m, until);
        if (status != MODEL_EVENT) {
            return status;
        }
    }
}

int MODEL_init(MODEL *m)
{
    memset(m, 0, sizeof *m);
    m->instant = -INFINITY;
    m->location[0] = '\0';
    name_place(m, &m->closed);
    constants(m);
    return MODEL_OK;
}

int MODEL_set(MODEL *m, int variable, double value)
{
    int place;
    if (variable < 0 || variable >= (int)MODEL_VARIABLES || !isfinite(value)) {
        return MODEL_BAD_ARGUMENT;
    }
    place = VARIABLE_PLACE[variable];
    if (KINDS[variable] == MODEL_INPUT) {
        m->has_input_changed = m->has_begun && (m->has_input_changed || !m->is_driven[place] || m->input[place] != value);
        m->input[place] = value;
        m->is_driven[place] = 1;
        return MODEL_OK;
    }
    if (m->has_begun) {
        return MODEL_BAD_ARGUMENT;
    }
    if (KINDS[variable] == MODEL_PARAMETER) {
        m->parameter[place] = value;
        m->is_parameter_set[place] = 1;
    } else {
        m->start[place] = value;
        m->is_start_set[place] = 1;
    }
    m->status = MODEL_OK;
    m->message[0] = '\0';
    constants(m);
    return MODEL_OK;
}

double MODEL_get(const MODEL *m, int variable)
{
    int place;
    if (variable < 0 || variable >= (int)MODEL_VARIABLES) {
        return NAN;
    }
    place = VARIABLE_PLACE[variable];
    if (KINDS[variable] == MODEL_PARAMETER) {
        return m->parameter[place];
    }
    if (KINDS[variable] == MODEL_INPUT) {
        return input_value(m, place, m->t);
    }
    if (!m->has_begun) {
        return m->start[place];
    }
    return m->now[STATE * ENTITY[place / STATE].place + place % STATE];
}
