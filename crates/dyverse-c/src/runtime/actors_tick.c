/* ---- One tick: the least fixed point of all units' functions. -------------------------------------------------
 *
 * A unit is a signal, a region (present: active), or of a modal model the transition that preempts or the one that is taken.
 * All begin unknown; what is known never changes again, so the order does not matter for the result. Blocks are strongly
 * connected parts of the units' dependencies, in topological order: one of a single unit is evaluated once, others until
 * nothing more becomes known. */

enum { FAILED = -1, UNKNOWN = 0, ABSENT = 1, PRESENT = 2 };

static int is_present(const MODEL *m, int unit)
{
    return m->known[unit] == PRESENT;
}

static int is_active_region(const MODEL *m, int region)
{
    return is_present(m, SIGNALS + region);
}

static Moment moment_of_tick(MODEL *m)
{
    Moment c;
    c.m = m;
    c.v = m->value;
    c.u = m->input;
    c.p = m->parameter;
    c.t = m->t;
    c.is_flow = 0;
    return c;
}

static double value_at_tick(MODEL *m, int f)
{
    Moment c = moment_of_tick(m);
    return formulas[f](&c);
}

/* An expression: strict, absent if a signal that it reads is. */
static int strict(MODEL *m, int f, double *value)
{
    int i, status = PRESENT;
    for (i = reads_from[f]; i < reads_from[f + 1]; i++) {
        int known = m->known[reads[i]];
        if (known == UNKNOWN)
            return UNKNOWN;
        if (known == ABSENT)
            status = ABSENT;
    }
    if (status == PRESENT)
        *value = value_at_tick(m, f);
    return status;
}

/* The sum of two times, each with what rounding took from it: chains of delays and clocks do not drift. */
static double plus(double a, double a_carry, double b, double b_carry, double *carry)
{
    double sum = a + b, part = sum - a, error = (a - (sum - part)) + (b - part) + (a_carry + b_carry), rounded = sum + error;
    *carry = (sum - rounded) + error;
    return rounded;
}

/* Whether a timed signal will be present, and when, exactly. */
static int is_waiting_for(const MODEL *m, int s, double *due, double *carry)
{
    double begin = m->begins[signal_region[s]], begin_carry = m->begins_carry[signal_region[s]], local, rest;
    int place = signal_place[s];
    switch (signal_kind[s]) {
    case CLOCK:
        local = m->cell[s] * m->constant[s][0];
        rest = fma(m->cell[s], m->constant[s][0], -local);
        local = plus(m->constant[s][1], 0.0, local, rest, &rest);
        *due = plus(begin, begin_carry, local, rest, carry);
        return 1;
    case AT:
        if (at_time_formula_from[place] + (int)m->cell[s] >= at_time_formula_from[place + 1])
            return 0;
        *due = plus(begin, begin_carry, m->at_time[at_time_formula_from[place] + (int)m->cell[s]], 0.0, carry);
        return 1;
    case DELAY:
        if (m->queue_count[place] == 0)
            return 0;
        *due = plus(begin, begin_carry, m->queue_time[place][m->queue_head[place]],
                    m->queue_carry[place][m->queue_head[place]], carry);
        return 1;
    default:
        return 0;
    }
}

static int is_waiting(const MODEL *m, int s, double *due)
{
    double carry;
    return is_waiting_for(m, s, due, &carry);
}

static int is_due(const MODEL *m, int s)
{
    double due;
    return m->microstep > 0 && is_waiting(m, s, &due) && due <= m->t;
}

/* The initial value of an integrator or hold. */
static int initial(MODEL *m, int s, double *value)
{
    int status = strict(m, signal_formula[s], value);
    if (status == ABSENT)
        return say(m, MODEL_INIT_READS_ABSENT, "the initial value of `%s` reads an absent signal", signal_name[s]);
    return status;
}

static int fire_integrator(MODEL *m, int s, double *value)
{
    int impulse = signal_b[s], reset = signal_c[s], status = PRESENT;
    int pushed = impulse < 0 ? ABSENT : m->known[impulse];
    int set = reset < 0 ? ABSENT : m->known[reset];
    if (set == UNKNOWN || pushed == UNKNOWN)
        return UNKNOWN;
    if (set == PRESENT) {
        *value = m->value[reset];
        return PRESENT;
    }
    if (m->is_there[s])
        *value = m->cell[s];
    else
        status = initial(m, s, value);
    if (status == PRESENT && pushed == PRESENT)
        *value += m->value[impulse];
    return status;
}

/* What transitions taken at this tick give a signal: absent if nothing. */
static int fire_output(MODEL *m, int modal, int s, double *value)
{
    int i, j, t, may = 0;
    if (m->microstep == 0)
        return ABSENT;
    for (t = transitions_from[modal]; t < transitions_from[modal + 1]; t++)
        if ((transition_flags[t] & IMMEDIATE) || leaves(t, m->mode[modal]))
            for (j = outputs_signal_from[t]; j < outputs_signal_from[t + 1]; j++)
                may |= outputs_signal[j] == s;
    if (!may)
        return ABSENT;
    if (m->known[SIGNALS + REGIONS + MODALS + modal] == UNKNOWN)
        return UNKNOWN;
    for (i = m->chain_length[modal] - 1; i >= 0; i--) {
        t = m->chain[modal][i];
        for (j = outputs_signal_from[t]; j < outputs_signal_from[t + 1]; j++)
            if (outputs_signal[j] == s)
                return strict(m, outputs_formula[j], value);
    }
    return ABSENT;
}

static int fire_merge(MODEL *m, int s, double *value)
{
    int i, found = -1, place = signal_place[s];
    for (i = actors_on_from[place]; i < actors_on_from[place + 1]; i++) {
        int status = fire_output(m, actors_on[i], s, value);
        if (status != ABSENT)
            return status;
    }
    for (i = merge_of_from[place]; i < merge_of_from[place + 1]; i++) {
        int source = merge_of[i];
        if (m->known[source] == UNKNOWN)
            return UNKNOWN;
        if (m->known[source] == PRESENT) {
            if (found >= 0)
                return say(m, MODEL_TWO_SOURCES, "`%s` has two sources, one of them `%s`", signal_name[s],
                            signal_name[source]);
            found = source;
        }
    }
    if (found < 0)
        return ABSENT;
    *value = m->value[found];
    return PRESENT;
}

static int pass_on(const MODEL *m, int s, double *value)
{
    *value = m->value[s];
    return m->known[s];
}

static int fire_signal(MODEL *m, int s, double *value)
{
    int a = signal_a[s], b = signal_b[s];
    switch (signal_kind[s]) {
    case EXPRESSION:
        return strict(m, signal_formula[s], value);
    case DEFAULT:
        return pass_on(m, m->known[a] == ABSENT ? b : a, value);
    case INHIBIT:
        if (m->known[b] == PRESENT)
            return ABSENT;
        return m->known[b] == ABSENT ? pass_on(m, a, value) : UNKNOWN;
    case SAMPLE:
        return m->known[b] == PRESENT ? pass_on(m, a, value) : m->known[b];
    case HOLD:
        if (m->known[a] != ABSENT)
            return pass_on(m, a, value);
        if (!m->is_there[s])
            return signal_formula[s] < 0 ? ABSENT : initial(m, s, value);
        *value = m->cell[s];
        return PRESENT;
    case POST:
        *value = m->cell[s];
        return m->is_there[s] ? PRESENT : ABSENT;
    case CROSS:
        *value = 1.0;
        return m->is_there[s] ? PRESENT : ABSENT;
    case CLOCK:
        *value = m->constant[s][2];
        return is_due(m, s) ? PRESENT : ABSENT;
    case AT:
        if (!is_due(m, s))
            return ABSENT;
        *value = m->at_value[at_time_formula_from[signal_place[s]] + (int)m->cell[s]];
        return PRESENT;
    case DELAY:
        if (!is_due(m, s))
            return ABSENT;
        *value = m->queue_value[signal_place[s]][m->queue_head[signal_place[s]]];
        return PRESENT;
    case IS_PRESENT:
    case IS_ABSENT:
        if (m->known[a] == UNKNOWN)
            return UNKNOWN;
        *value = (m->known[a] == PRESENT) == (signal_kind[s] == IS_PRESENT) ? 1.0 : 0.0;
        return PRESENT;
    case INTEGRATOR:
        return fire_integrator(m, s, value);
    default:
        return fire_merge(m, s, value);
    }
}

static int fire_region(const MODEL *m, int region)
{
    int a = region_a[region], parent = region_parent[region];
    if (region_kind[region] == MODE && m->mode[a] != region_mode[region])
        return ABSENT;
    if (parent >= 0 && m->known[SIGNALS + parent] != PRESENT)
        return m->known[SIGNALS + parent];
    if (region_kind[region] == ROOT)
        return PRESENT;
    if (region_kind[region] == ENABLED) {
        if (m->known[a] == UNKNOWN)
            return UNKNOWN;
        return m->known[a] == PRESENT && m->value[a] != 0.0 ? PRESENT : ABSENT;
    }
    switch (m->known[SIGNALS + REGIONS + a]) {
    case UNKNOWN:
        return UNKNOWN;
    case ABSENT:
        return PRESENT;
    default:
        return ABSENT;
    }
}

/* Evaluates a unit; whether it became known, or FAILED. */
static int fire(MODEL *m, int unit)
{
    double value = 1.0;
    int status, modal = unit - SIGNALS - REGIONS;
    if (unit < SIGNALS) {
        status = m->known[SIGNALS + signal_region[unit]];
        if (status == PRESENT)
            status = fire_signal(m, unit, &value);
    } else if (modal < 0) {
        status = fire_region(m, unit - SIGNALS);
    } else if (modal < MODALS) {
        status = fire_preempting(m, modal, &value);
    } else {
        status = fire_choice(m, modal - MODALS, &value);
    }
    if (status < 0 || status == UNKNOWN)
        return status < 0 ? FAILED : 0;
    m->known[unit] = (unsigned char)status;
    m->value[unit] = status == PRESENT ? value : NAN;
    m->order[m->order_count++] = unit;
    return 1;
}

/* Inputs at the tick. What was set since the last one holds from microstep 1 on: microstep 0 is the left limit. */
static void read_inputs(MODEL *m)
{
    int i;
    Moment c = moment_of_tick(m);
    if (m->microstep > 0 || !m->is_running)
        for (i = 0; i < INPUTS; i++) {
            m->is_driven[i] = m->is_driven_next[i];
            m->driven[i] = m->driven_next[i];
        }
    for (i = 0; i < INPUTS; i++)
        m->input[i] = m->is_driven[i] ? m->driven[i] : formulas[input_formula[i]](&c);
}

static int report_unknown(MODEL *m)
{
    char names[160];
    size_t used = 0;
    int s;
    names[0] = 0;
    for (s = 0; s < SIGNALS; s++)
        if (m->known[s] == UNKNOWN && used + 4 < sizeof names) {
            int more = snprintf(names + used, sizeof names - used, "%s`%s`", used ? ", " : "", signal_name[s]);
            used = more < 0 || used + (size_t)more >= sizeof names ? sizeof names : used + (size_t)more;
        }
    return say(m, MODEL_NOT_CONSTRUCTIVE, "a causality loop: these signals wait for each other: %s", names);
}

/* Finds the least fixed point at (t, n). */
static int solve_tick(MODEL *m)
{
    int b, i;
    m->tick_count++;
    m->has_chosen = 0;
    m->order_count = 0;
    for (i = 0; i < UNITS_OF_TICK; i++) {
        m->known[i] = UNKNOWN;
        m->value[i] = NAN;
    }
    for (i = 0; i < MODALS; i++)
        m->chain_length[i] = 0;
    read_inputs(m);
    for (b = 0; b < BLOCKS; b++) {
        int is_progress = 1, is_single = blocks_from[b + 1] - blocks_from[b] == 1;
        while (is_progress) {
            is_progress = 0;
            for (i = blocks_from[b]; i < blocks_from[b + 1]; i++)
                if (m->known[blocks[i]] == UNKNOWN) {
                    int fired = fire(m, blocks[i]);
                    if (fired < 0)
                        return 0;
                    is_progress |= fired && !is_single;
                }
        }
    }
    if (m->order_count < UNITS_OF_TICK)
        return report_unknown(m) >= 0;
    for (i = 0; i < SIGNALS; i++)
        if (is_present(m, i) && !isfinite(m->value[i])) {
            say(m, MODEL_NOT_FINITE, "`%s` is no finite number", signal_name[i]);
            return 0;
        }
    return 1;
}
