/* ---- After the fixed point: primitives change state, modal models take their transitions. -------------------------
 *
 * Everything new is computed from the values of the tick, then written. Modes that are passed through begin anew first, because
 * their refinement ran at this tick; then integrators, holds, delays; then initial values and set actions of transitions,
 * those of inner modal models first. */

/* Writes a cell; remembers whether that changed it. */
static void set_cell(MODEL *m, int s, double value, int is_there)
{
    if (m->is_there[s] != is_there || memcmp(&m->cell[s], &value, sizeof value) != 0)
        m->is_changed = 1;
    m->cell[s] = value;
    m->is_there[s] = (unsigned char)is_there;
}

static void initialise(MODEL *m, int s)
{
    m->cell[s] = 0.0;
    m->is_there[s] = 0;
    if (signal_kind[s] == POST && signal_constants[s][0] >= 0) {
        m->cell[s] = m->constant[s][0];
        m->is_there[s] = 1;
    } else if (signal_kind[s] == CROSS) {
        m->cell[s] = NAN;
    } else if (signal_kind[s] == DELAY) {
        m->queue_count[signal_place[s]] = 0;
    }
}

static int is_within(int inner, int outer)
{
    while (inner >= 0 && inner != outer)
        inner = region_parent[inner];
    return inner >= 0;
}

/* Whether a region belongs to a mode: to its refinement, or to what its guards are made of. */
static int is_of_mode(int region, int mode)
{
    return is_within(region, mode_region[mode]) || (mode_leaving[mode] >= 0 && is_within(region, mode_leaving[mode]));
}

/* Begins a mode anew: everything in it, and what its guards are made of, forgets; local time begins now. */
static void enter(MODEL *m, int mode)
{
    int i;
    for (i = 0; i < REGIONS; i++)
        if (is_of_mode(i, mode)) {
            m->begins[i] = m->t;
            m->begins_carry[i] = m->carry;
        }
    for (i = 0; i < SIGNALS; i++)
        if (is_of_mode(signal_region[i], mode))
            initialise(m, i);
    for (i = 0; i < MODALS; i++)
        if (is_of_mode(modal_region[i], mode))
            m->mode[i] = modal_initial[i];
    m->is_changed = 1;
}

/* Whether a mode's refinement ran because a modal model passed through it. */
static int is_passed(const MODEL *m, int mode)
{
    return m->arrival[mode_region[mode]] != STAYS && is_active_region(m, mode_region[mode]);
}

/* Begins modes anew that are passed through at this tick. */
static void begin_passed(MODEL *m)
{
    int modal, i;
    for (modal = 0; modal < MODALS; modal++)
        for (i = 0; i < m->chain_length[modal]; i++) {
            int mode = mode_region_from[modal] + transition_target[m->chain[modal][i]];
            if (m->arrival[mode_region[mode]] == NEW && is_passed(m, mode))
                enter(m, mode);
        }
}

/* Whether what lies in an active region remembers the tick: all but the guards of a mode that is being entered. */
static int remembers(const MODEL *m, int region)
{
    for (; region >= 0; region = region_parent[region])
        if (region_kind[region] == LEAVING && m->arrival[region] != STAYS)
            return 0;
    return 1;
}

/* On which side of its level a `cross` stands is in its cell: NaN before it was looked at, infinity above, -infinity below; a
 * number: it is on the level, and came to lie so far beyond. What was located is on the level, whatever rounding says, and has to
 * leave it before it can cross again. */

/* Rounding of a value near its level. */
static double level_rounding(const MODEL *m, int s, double value)
{
    double level = fabs(m->constant[s][0]);
    return level == 0.0 ? 0.0 : 16.0 * DBL_EPSILON * (fabs(value) > level ? fabs(value) : level);
}

/* Whether a `cross` that is on its level still is. */
static int is_on_level(const MODEL *m, int s, double value)
{
    double r = m->cell[s], beyond = value - m->constant[s][0], margin = 0.5 * m->constant[s][1] * (1.0 + 1e-6);
    if (!isfinite(r))
        return 0;
    margin = fmax(margin, level_rounding(m, s, value));
    return fmin(r, 0.0) - margin <= beyond && beyond <= fmax(r, 0.0) + margin;
}

static void postfire_cross(MODEL *m, int s)
{
    double side = m->cell[s];
    int of = signal_a[s], is_crossed = 0;
    if (is_present(m, of)) {
        double value = m->value[of], beyond = value - m->constant[s][0], near = 0.5 * m->constant[s][1] * (1.0 + 1e-6);
        int is_left = m->microstep == 0, is_there = fabs(beyond) <= level_rounding(m, s, value);
        int falls = side == HUGE_VAL && (beyond <= 0.0 || is_there);
        int rises = side == -HUGE_VAL && (beyond >= 0.0 || is_there);
        int is_near;
        is_crossed = (falls && signal_b[s] != RISING) || (rises && signal_b[s] != FALLING) || m->is_located[s];
        near = fmax(near, is_left ? 2e-14 : 0.0);
        is_near = fabs(beyond) <= near && (isnan(side) || (is_left && (falls || rises)));
        if (!is_on_level(m, s, value) || is_crossed)
            side = m->is_located[s] || m->has_passed[s] || is_there || is_near || (is_crossed && is_left) ? beyond
                   : beyond > 0.0                                                                         ? HUGE_VAL
                                                                                                          : -HUGE_VAL;
    }
    if (is_crossed)
        happen(m, signal_key[s]);
    set_cell(m, s, side, is_crossed);
}

static int postfire_integrator(MODEL *m, int s)
{
    int impulse = signal_b[s];
    if (impulse >= 0 && m->microstep == 0 && is_present(m, impulse) && m->value[impulse] != 0.0)
        return say(m, MODEL_IMPULSE_AT_MICROSTEP_ZERO,
                    "`%s` is no discrete signal: it gives an impulse of %g at microstep 0", signal_name[impulse],
                    m->value[impulse]);
    if (is_present(m, s)) {
        if (m->is_there[s] && m->cell[s] != m->value[s])
            happen(m, signal_key[s]);
        set_cell(m, s, m->value[s], 1);
    }
    return 0;
}

static int postfire_delay(MODEL *m, int s)
{
    int q = signal_place[s], of = signal_a[s];
    if (is_present(m, s)) {
        m->queue_head[q] = (m->queue_head[q] + 1) % MODEL_QUEUE;
        m->queue_count[q]--;
        m->is_changed = 1;
    }
    if (is_present(m, of)) {
        int place = (m->queue_head[q] + m->queue_count[q]) % MODEL_QUEUE;
        double rest, local = plus(m->t, m->carry, -m->begins[signal_region[s]], -m->begins_carry[signal_region[s]], &rest);
        if (m->queue_count[q] == MODEL_QUEUE)
            return say(m, MODEL_QUEUE_FULL, "`%s` has %d events on their way; compile with a larger MODEL_QUEUE",
                        signal_name[s], MODEL_QUEUE);
        m->queue_time[q][place] = plus(local, rest, m->constant[s][0], 0.0, &m->queue_carry[q][place]);
        m->queue_value[q][place] = m->value[of];
        m->queue_count[q]++;
    }
    return 0;
}

/* Writes what primitives remember for the next tick. */
static int postfire(MODEL *m)
{
    int s, failed = 0;
    begin_passed(m);
    for (s = 0; s < SIGNALS && !failed; s++) {
        int of = signal_a[s];
        if (!is_active_region(m, signal_region[s]) || !remembers(m, signal_region[s]))
            continue;
        switch (signal_kind[s]) {
        case INTEGRATOR:
            failed = postfire_integrator(m, s);
            break;
        case HOLD:
            if (is_present(m, s))
                set_cell(m, s, m->value[s], 1);
            break;
        case POST:
            set_cell(m, s, is_present(m, of) ? m->value[of] : 0.0, is_present(m, of));
            break;
        case CROSS:
            postfire_cross(m, s);
            break;
        case CLOCK:
        case AT:
            if (is_present(m, s))
                set_cell(m, s, m->cell[s] + 1.0, m->is_there[s]);
            break;
        case DELAY:
            failed = postfire_delay(m, s);
            break;
        default:
            break;
        }
    }
    memset(m->is_located, 0, sizeof m->is_located);
    memset(m->has_passed, 0, sizeof m->has_passed);
    return !failed;
}

static int depth_of(int region)
{
    int depth = 0;
    while ((region = region_parent[region]) >= 0)
        depth++;
    return depth;
}

/* Takes the transitions that the tick chose. All new values first: set actions read the tick, not each other. What begins anew outside
 * forgets what happened inside: inner modal models come first. */
static int take_transitions(MODEL *m)
{
    int modal, i, j, t, count = 0, depth, deepest = 0;
    for (modal = 0; modal < MODALS; modal++)
        for (i = 0; i < m->chain_length[modal]; i++) {
            t = m->chain[modal][i];
            for (j = sets_signal_from[t]; j < sets_signal_from[t + 1]; j++)
                if (strict(m, sets_formula[j], &m->set_value[j]) != PRESENT) {
                    say(m, MODEL_ACTION_READS_ABSENT, "%s sets `%s`, but what it reads is absent",
                         transition_text[t], signal_name[sets_signal[j]]);
                    return 0;
                }
            depth = depth_of(modal_region[modal]);
            deepest = depth > deepest ? depth : deepest;
            count++;
        }
    for (depth = count > 0 ? deepest : -1; depth >= 0; depth--)
        for (modal = 0; modal < MODALS; modal++)
            for (i = 0; depth_of(modal_region[modal]) == depth && i < m->chain_length[modal]; i++) {
                int mode;
                t = m->chain[modal][i];
                mode = mode_region_from[modal] + transition_target[t];
                m->mode[modal] = transition_target[t];
                if (!(transition_flags[t] & HISTORY) && !is_passed(m, mode))
                    enter(m, mode);
                for (j = sets_signal_from[t]; j < sets_signal_from[t + 1]; j++)
                    set_cell(m, sets_signal[j], m->set_value[j], 1);
                m->is_changed = 1;
            }
    for (modal = 0; modal < MODALS; modal++)
        for (i = 0; i < m->chain_length[modal]; i++)
            happen(m, SIGNAL_KEYS + m->chain[modal][i]);
    return 1;
}
