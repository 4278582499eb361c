/* ------------------------------------------------------------------------------------------------------------------
   The automaton and its computation nodes.

   A location is the set of closed contacts with their friction modes. An impact node changes velocities, a contact node finds which closed
   contacts stay closed, and how. Transitions are queued with the places they lead to; each takes one microstep.
   ------------------------------------------------------------------------------------------------------------------ */

/* 1 + friction mode of a closed contact. */
enum { NAMED_STICK = 1, NAMED_TRANS = 2, NAMED_SLIP = 3 };

/* What a contact node says of a contact. */
enum { MODE_OPEN, MODE_STICK, MODE_TRANS, MODE_SLIP };

enum { AT_LOCATION = 0, AT_IMPACT = 1, AT_CONTACT = 2 };

/* Why the contact node is entered. */
enum { AFTER_GUARD = 0, AFTER_IMPACT = 1 };

/* Impacts slower than this may be the last of an accumulation, m/s. */
static const double SLOW_IMPACT = 1e-2 * SCALE_VELOCITY;

/* Appends to a name. */
static void name_add(MODEL *m, const char *text)
{
    const size_t used = strlen(m->location);
    (void)snprintf(m->location + used, sizeof m->location - used, "%s", text);
}

/* Where in a node: its entrance, or a further collision of a sequence. */
static void name_stage(MODEL *m, const MODEL_place *place)
{
    char text[16];
    if (place->collision == 0) {
        name_add(m, "en");
        return;
    }
    (void)snprintf(text, sizeof text, "%d", place->collision + 1);
    name_add(m, text);
}

#if IS_NUMBERED
/* n over k for n up to 64, below 2^64. */
static unsigned long long binomial(int n, int k)
{
    unsigned long long row[65];
    int i, j;
    if (k < 0 || k > n) {
        return 0;
    }
    for (i = 0; i <= n; i++) {
        row[i] = 1;
        for (j = i - 1; j > 0; j--) {
            row[j] += row[j - 1];
        }
    }
    return row[k];
}

/* The number k of V_k: by size, and within a size in revolving-door order. */
static unsigned long long vertex_number(const MODEL_place *place)
{
    unsigned long long below = 0, inside = 0;
    int size = 0, i;
    for (i = 0; i < CONTACTS; i++) {
        if (place->mode[i] != 0) {
            size++;
            inside = binomial(i + 1, size) - 1 - inside;
        }
    }
    for (i = 0; i < size; i++) {
        below += binomial(CONTACTS, i);
    }
    return below + inside;
}

/* The number i of s_k,i: modes in base 3, first contact most significant, plus one; of up to 31 digits. */
static void mode_number(const MODEL_place *place, char *text)
{
    int digit[40] = {0}, i, j, carry, top;
    for (i = 0; i < CONTACTS; i++) {
        if (place->mode[i] != 0) {
            carry = place->mode[i] - 1;
            for (j = 0; j < 40; j++) {
                carry += 3 * digit[j];
                digit[j] = carry % 10;
                carry /= 10;
            }
        }
    }
    carry = 1;
    for (j = 0; j < 40; j++) {
        carry += digit[j];
        digit[j] = carry % 10;
        carry /= 10;
    }
    top = 39;
    while (top > 0 && digit[top] == 0) {
        top--;
    }
    for (j = top; j >= 0; j--) {
        *text++ = (char)('0' + digit[j]);
    }
    *text = '\0';
}

static void name_place(MODEL *m, const MODEL_place *place)
{
    const unsigned long long number = vertex_number(place);
    char modes[48];
    m->location[0] = '\0';
    if (place->node == AT_LOCATION && number == 0) {
        name_add(m, "S_0");
        return;
    }
    if (place->node == AT_LOCATION) {
        mode_number(place, modes);
        (void)snprintf(m->location, sizeof m->location, "s_%llu,%s", number, modes);
    } else {
        (void)snprintf(m->location, sizeof m->location, "%c_%llu,", place->node == AT_IMPACT ? 'I' : 'C', number);
        name_stage(m, place);
    }
}
#else
/* Too many contacts for numbers: a place is called by its closed contacts. */
static void name_place(MODEL *m, const MODEL_place *place)
{
    int is_first = 1, i;
    m->location[0] = '\0';
    name_add(m, place->node == AT_IMPACT ? "I{" : place->node == AT_CONTACT ? "C{" : "s{");
    for (i = 0; i < CONTACTS; i++) {
        if (place->mode[i] != 0) {
            name_add(m, is_first ? "" : ", ");
            name_add(m, CONTACT[i].label);
            is_first = 0;
        }
    }
    if (is_first && place->node == AT_LOCATION) {
        m->location[0] = '\0';
        name_add(m, "S_0");
        return;
    }
    name_add(m, "}");
    if (place->node != AT_LOCATION) {
        name_add(m, ",");
        name_stage(m, place);
    }
}
#endif

/* Queues a transition to a place. */
static void enter(MODEL *m, const MODEL_place *place, int node)
{
    MODEL_place *to = &m->queue[(m->queue_first + m->queue_count) % MODEL_QUEUE];
    *to = *place;
    to->node = node;
    to->again = 0;
    to->collision = 0;
    m->queue_count++;
}

static int is_empty(const MODEL_place *place)
{
    int i;
    for (i = 0; i < CONTACTS; i++) {
        if (place->mode[i] != 0) {
            return 0;
        }
    }
    return 1;
}

/* Trans lasts an instant and becomes slip. */
static MODEL_place settled(const MODEL_place *place)
{
    MODEL_place after = *place;
    int i;
    for (i = 0; i < CONTACTS; i++) {
        if (after.mode[i] == NAMED_TRANS) {
            after.mode[i] = NAMED_SLIP;
        }
    }
    return after;
}

static int is_same(const MODEL_place *a, const MODEL_place *b)
{
    return memcmp(a->mode, b->mode, sizeof a->mode) == 0;
}

/* Into and out of the contact node, where the closed contacts get their modes. */
static void settle(MODEL *m, const MODEL_place *modes)
{
    const MODEL_place after = settled(modes);
    m->closed = after;
    if (is_empty(modes)) {
        enter(m, modes, AT_LOCATION);
        return;
    }
    enter(m, modes, AT_CONTACT);
    enter(m, modes, AT_LOCATION);
    if (!is_same(&after, modes)) {
        enter(m, &after, AT_LOCATION);
    }
}

/* The contacts that touch, ascending; below zero: a status. */
static int touching(MODEL *m, const double *x, int *found)
{
    double one[STATE], two[STATE];
    MODEL_kinematics k;
    contact_numbers at;
    int count = 0, i, d;
    for (i = 0; i < CONTACTS; i++) {
        double apart[3], reach, margin;
        unit_state(fixed_or_moving(m, x, CONTACT[i].a), one);
        unit_state(fixed_or_moving(m, x, CONTACT[i].b), two);
        for (d = 0; d < 3; d++) {
            apart[d] = one[d] - two[d];
        }
        reach = m->reach[CONTACT[i].a] + m->reach[CONTACT[i].b];
        /* More than the gap of surfaces that touch. */
        margin = SCALE_LENGTH + TOLERANCE_GAP
            + (norm3(one + 7) + norm3(two + 7) + reach * (norm3(one + 10) + norm3(two + 10))) * TOLERANCE_SIMULTANEITY;
        if (norm3(apart) > reach + margin) {
            continue;
        }
        if (!pair_kinematics(&k, &m->pair[i], one, two, -1)) {
            return say(m, MODEL_NOT_FINITE, "%s: the surfaces overlap by more than their rounding radii", CONTACT[i].label);
        }
        at = contact_moving(&k);
        if (contact_closes(&at, &USUAL)) {
            if (count == MODEL_CLOSED) {
                return say(m, MODEL_TOO_MANY_CLOSED, "more than %d contacts are closed: compile with a larger MODEL_CLOSED", MODEL_CLOSED);
            }
            found[count++] = i;
        }
    }
    return count;
}

/* The contact node over the contacts evaluated last: forces in solver.best, accelerations and modes. */
static int sustained(MODEL *m, const contact_limits *limits, double *acceleration, int *mode)
{
    MODEL_problem *p = &m->solver.problem;
    int may_lack_solution = 0, is_found, j;
    problem_of(m, NULL, m->at.count);
    copy(p->bias, m->at.free_rate, 3 * p->n);
    for (j = 0; j < p->n; j++) {
        const double *rate = m->at.kinematics[j].rate;
        const contact_numbers c = contact_moving(&m->at.kinematics[j]);
        if (contact_slips(&c, limits)) {
            const double speed = length2(rate[1], rate[2]);
            p->is_fixed[j] = 1;
            p->direction[2 * j] = -rate[1] / speed;
            p->direction[2 * j + 1] = -rate[2] / speed;
            may_lack_solution = may_lack_solution || p->friction[j] > 0.0;
        }
    }
    if (!problem_finish(p)) {
        return say(m, MODEL_NOT_FINITE, "a contact of %s has no finite forces", first_label(m));
    }
    is_found = solve_contacts(&m->solver, may_lack_solution ? SWEEPS_WITH_SLIP : SWEEP_LIMIT);
    if (!is_found && may_lack_solution) {
        is_found = solve_enumerated(&m->solver);
        if (is_found == 0) {
            return say(m, MODEL_NO_FITTING_MODE, "no fitting mode was found for %s and the contacts with it", first_label(m));
        }
    }
    if (is_found <= 0) {
        return say(m, MODEL_FORCES_NOT_FOUND, "contact forces did not converge: %s and the contacts with it", first_label(m));
    }
    problem_rates(p, m->solver.best, acceleration);
    for (j = 0; j < p->n; j++) {
        const double *a = acceleration + 3 * j;
        contact_numbers c = contact_moving(&m->at.kinematics[j]);
        memcpy(c.acceleration, a, sizeof c.acceleration);
        if (a[0] > limits->acceleration && a[0] > p->normal[j] * m->solver.best[3 * j]) {
            mode[j] = MODE_OPEN;
        } else {
            mode[j] = contact_slips(&c, limits) ? MODE_SLIP : contact_starts(&c, limits) ? MODE_TRANS : MODE_STICK;
        }
    }
    return MODEL_OK;
}

/* The acceleration that presses each contact together: with the forces it would have if all stayed closed. */
static void pressing_of(MODEL *m, double *pressing)
{
    double acceleration[MODEL_UNKNOWNS] = {0.0};
    contact_limits limits = USUAL;
    int mode[MODEL_CLOSED] = {0}, is_slow = 0, j;
    limits.velocity = 1e-9 * SCALE_VELOCITY;
    for (j = 0; j < m->at.count; j++) {
        const double rate = m->at.kinematics[j].rate[0];
        is_slow = is_slow || (rate < 0.0 && rate > -SLOW_IMPACT);
        pressing[j] = -m->at.free_rate[3 * j];
    }
    if (!is_slow || m->at.count == 1) {
        return;
    }
    if (sustained(m, &limits, acceleration, mode) == MODEL_OK) {
        for (j = 0; j < m->at.count; j++) {
            pressing[j] = m->solver.problem.normal[j] * m->solver.best[3 * j];
        }
    } else {
        m->status = MODEL_OK;
        m->message[0] = '\0';
    }
}

/* Through the impact node: velocities jump. */
static int impact(MODEL *m, double t, double *x, const int *ids, int count)
{
    double e_n[MODEL_CLOSED] = {0.0}, pressing[MODEL_CLOSED] = {0.0}, impulse[MODEL_UNKNOWNS] = {0.0}, twist[6 * MODEL_BODIES];
    MODEL_place with = m->closed;
    int j, place, i;
    if (evaluate(m, t, x, ids, NULL, count) != MODEL_OK) {
        return m->status;
    }
    pressing_of(m, pressing);
    for (j = 0; j < count; j++) {
        const double rate = m->at.kinematics[j].rate[0], e = m->restitution[ids[j]];
        const contact_numbers c = contact_moving(&m->at.kinematics[j]);
        const double speed_after = e * fmax(-rate, 0.0);
        const int is_low = pressing[j] > 0.0 && speed_after * speed_after <= 2.0 * pressing[j] * TOLERANCE_GAP && e < 1.0;
        /* A bounce too low to follow: the impacts left out follow each other like a geometric series. */
        e_n[j] = is_low ? 0.0 : e;
        if (is_low && speed_after > 0.0 && contact_strikes(&c, &USUAL) && !isfinite(m->accumulating[ids[j]])) {
            m->accumulating[ids[j]] = t + 2.0 * speed_after / (pressing[j] * (1.0 - e));
        }
        if (with.mode[ids[j]] == 0) {
            with.mode[ids[j]] = NAMED_STICK;
        }
    }
    enter(m, &with, AT_IMPACT);
    if (impulses(m, e_n, impulse) != MODEL_OK) {
        return m->status;
    }
#if POLICY == POLICY_SEQUENTIAL
    /* Each collision is a transition of its own. */
    m->queue[(m->queue_first + m->queue_count - 1) % MODEL_QUEUE].again = m->collisions > 0 ? m->collisions - 1 : 0;
#endif
    twists_of(m, impulse, twist);
    for (place = 0; place < BODIES; place++) {
        for (i = 0; i < 6; i++) {
            x[STATE * place + 7 + i] += twist[6 * place + i];
        }
    }
    m->impacts++;
    return MODEL_OK;
}

/* Normal forces in the location that is left. */
typedef struct {
    int count, is_redundant;
    int contact[MODEL_CLOSED];
    double normal[MODEL_CLOSED];
} MODEL_left;

static void forces_left(MODEL *m, double t, const double *x, MODEL_left *left)
{
    int i;
    if (m->actives == 0) {
        return;
    }
    if (evaluate(m, t, x, NULL, m->active, m->actives) != MODEL_OK || location_forces(m) != MODEL_OK) {
        m->status = MODEL_OK;
        m->message[0] = '\0';
        return;
    }
    left->count = m->actives;
    left->is_redundant = m->at.is_redundant;
    for (i = 0; i < m->actives; i++) {
        left->contact[i] = m->active[i].contact;
        left->normal[i] = m->at.force[3 * i];
    }
}

/* Whether a contact that the node opens presses no more in the location that is left. */
static int is_let_go(const MODEL_left *left, int contact)
{
    int i;
    for (i = 0; i < left->count; i++) {
        if (left->contact[i] == contact) {
            return left->is_redundant || left->normal[i] <= USUAL.force;
        }
    }
    return 0;
}

/* The transitions through the contact node, and out of it again where contacts open there: at once where their force is not above zero in the location that is left (rule 7), else after the node. */
static void record_node(MODEL *m, int kind, const MODEL_place *at_first, const MODEL_place *at_last, const MODEL_left *left)
{
    MODEL_place modes = *at_first;
    int is_opening = 0, i;
    /* A slip that stops and goes on the other way is trans for an instant. */
    if (kind == AFTER_GUARD && is_same(at_last, &m->closed)) {
        return;
    }
    for (i = 0; i < CONTACTS; i++) {
        if (modes.mode[i] != 0 && at_last->mode[i] == 0) {
            if (kind == AFTER_GUARD && is_let_go(left, i)) {
                modes.mode[i] = 0;
            } else {
                is_opening = 1;
            }
        }
    }
    settle(m, &modes);
    if (is_opening) {
        settle(m, at_last);
    }
}

static void unit2(double x, double y, double *out)
{
    const double size = hypot(x, y);
    out[0] = size > 0.0 ? x / size : 1.0;
    out[1] = size > 0.0 ? y / size : 0.0;
}

/* Through the contact node over the contacts of ids that do not open: m->active are those that stay closed. */
static int contact_node(MODEL *m, double t, const double *x, const int *ids, int count, int kind, int is_silent)
{
    double acceleration[MODEL_UNKNOWNS] = {0.0};
    int staying[MODEL_CLOSED] = {0}, starting[MODEL_CLOSED] = {0}, mode[MODEL_CLOSED] = {0}, stays = 0, is_any_slow = 0, i;
    MODEL_place at_first, at_last;
    MODEL_left left;
    memset(&left, 0, sizeof left);
    if (kind == AFTER_GUARD && !is_silent) {
        forces_left(m, t, x, &left);
    }
    memset(&at_first, 0, sizeof at_first);
    memset(&at_last, 0, sizeof at_last);
    if (evaluate(m, t, x, ids, NULL, count) != MODEL_OK) {
        return m->status;
    }
    for (i = 0; i < count; i++) {
        const contact_numbers c = contact_moving(&m->at.kinematics[i]);
        is_any_slow = is_any_slow || !contact_slips(&c, &SLOWLY);
        if (!contact_leaves(&c, &USUAL)) {
            starting[stays] = 0;
            staying[stays++] = ids[i];
        }
    }
    m->actives = 0;
    if (stays > 0) {
        if (evaluate(m, t, x, staying, NULL, stays) != MODEL_OK) {
            return m->status;
        }
        if (is_any_slow) {
            if (sustained(m, &SLOWLY, acceleration, mode) == MODEL_OK) {
                for (i = 0; i < stays; i++) {
                    starting[i] = mode[i] == MODE_TRANS;
                }
            } else {
                m->status = MODEL_OK;
                m->message[0] = '\0';
            }
        }
        if (sustained(m, &USUAL, acceleration, mode) != MODEL_OK) {
            return m->status;
        }
    }
    for (i = 0; i < stays; i++) {
        const double *rate = m->at.kinematics[i].rate, *a = acceleration + 3 * i;
        const contact_numbers c = contact_moving(&m->at.kinematics[i]);
        const int id = staying[i];
        const int is_pending = m->accumulating[id] > t && isfinite(m->accumulating[id]);
        const int named = mode[i] == MODE_STICK ? NAMED_STICK
            : mode[i] == MODE_TRANS            ? NAMED_TRANS
            : mode[i] == MODE_SLIP             ? NAMED_SLIP
            : contact_slips(&c, &USUAL)        ? NAMED_SLIP
                                               : NAMED_STICK;
        MODEL_active *active = &m->active[m->actives];
        at_first.mode[id] = (unsigned char)(is_pending ? 0 : named);
        if (mode[i] == MODE_OPEN) {
            continue;
        }
        at_last.mode[id] = at_first.mode[id];
        active->contact = id;
        active->slips = mode[i] != MODE_STICK || is_frictionless(m, id);
        /* One without friction that is at rest is named so until it moves. */
        active->is_starting = active->slips && (starting[i] || (named == NAMED_STICK && is_frictionless(m, id)));
        active->axis = m->at.kinematics[i].axis;
        active->zeno_until = is_pending ? m->accumulating[id] : INFINITY;
        if (mode[i] == MODE_TRANS) {
            unit2(a[1], a[2], active->direction);
        } else {
            unit2(rate[1], rate[2], active->direction);
        }
        m->actives++;
    }
    if (is_silent) {
        m->closed = settled(&at_last);
    } else {
        record_node(m, kind, &at_first, &at_last, &left);
    }
    return MODEL_OK;
}

/* Through impact node and contact node, and onto the constraints; x are the states of all moving entities. */
static int pass_nodes(MODEL *m, double t, double *x, int is_start)
{
    int ids[MODEL_CLOSED] = {0}, count, is_impact = 0, i, status;
    for (i = 0; i < CONTACTS; i++) {
        m->accumulating[i] = INFINITY;
    }
    for (i = 0; i < m->actives; i++) {
        m->accumulating[m->active[i].contact] = m->active[i].zeno_until;
    }
    count = touching(m, x, ids);
    if (count < 0) {
        return count;
    }
    if (evaluate(m, t, x, ids, NULL, count) != MODEL_OK) {
        return m->status;
    }
    for (i = 0; i < count; i++) {
        const contact_numbers c = contact_moving(&m->at.kinematics[i]);
        is_impact = is_impact || contact_strikes(&c, &USUAL);
    }
    if (is_impact && impact(m, t, x, ids, count) != MODEL_OK) {
        return m->status;
    }
    status = contact_node(m, t, x, ids, count, is_impact ? AFTER_IMPACT : AFTER_GUARD, is_start && !is_impact);
    return status != MODEL_OK ? status : project(m, t, x);
}
