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

/* What is known of a signal to a guard about the refinement `home`, or to what such a guard is made of (home < 0: to anything else). The refinement of
 * the guard's own mode is absent to it where it does not run before it: where the mode is being entered, or preempted. */
static int seen(const MODEL *m, int home, int s)
{
    int region = signal_region[s];
    if (home < 0)
        return m->known[s];
    while (region >= 0 && region != home)
        region = region_parent[region];
    if (region < 0)
        return m->known[s];
    if (m->known[SIGNALS + REGIONS + region_a[home]] == PRESENT || begin_mode(m, region_a[home]) != region_mode[home])
        return ABSENT;
    return m->known[s];
}

/* An expression: strict, absent if a signal that it reads is. */
static int strict_in(MODEL *m, int f, int home, double *value)
{
    int i, status = PRESENT;
    for (i = reads_from[f]; i < reads_from[f + 1]; i++) {
        int known = seen(m, home, reads[i]);
        if (known == UNKNOWN)
            return UNKNOWN;
        if (known == ABSENT)
            status = ABSENT;
    }
    if (status == PRESENT)
        *value = value_at_tick(m, f);
    return status;
}

static int strict(MODEL *m, int f, double *value)
{
    return strict_in(m, f, -1, value);
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
    return m->arrival[signal_region[s]] == STAYS && m->microstep > 0 && is_waiting(m, s, &due) && due <= m->t;
}

/* The initial value of an integrator or hold. */
static int initial(MODEL *m, int s, double *value)
{
    int status = strict(m, signal_formula[s], value);
    if (status == ABSENT)
        return say(m, MODEL_INIT_READS_ABSENT, "the initial value of `%s` reads an absent signal", signal_name[s]);
    return status;
}

/* What a primitive remembers: nothing if it is new. */
static int is_remembered(const MODEL *m, int s)
{
    return m->is_there[s] && m->arrival[signal_region[s]] != NEW;
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
    if (is_remembered(m, s))
        *value = m->cell[s];
    else
        status = initial(m, s, value);
    if (status == PRESENT && pushed == PRESENT)
        *value += m->value[impulse];
    return status;
}

/* What transitions taken at this tick give a signal, and which of the chain: absent if nothing. */
static int fire_output(MODEL *m, int modal, int s, double *value, int *place)
{
    int i, j, t, may = 0;
    if (m->microstep == 0)
        return ABSENT;
    for (t = transitions_from[modal]; t < transitions_from[modal + 1]; t++)
        if ((transition_flags[t] & IMMEDIATE) || leaves(t, begin_mode(m, modal)))
            for (j = outputs_signal_from[t]; j < outputs_signal_from[t + 1]; j++)
                may |= outputs_signal[j] == s;
    if (!may)
        return ABSENT;
    if (m->known[SIGNALS + REGIONS + MODALS + modal] == UNKNOWN)
        return UNKNOWN;
    for (i = m->chain_length[modal] - 1; i >= 0; i--) {
        t = m->chain[modal][i];
        for (j = outputs_signal_from[t]; j < outputs_signal_from[t + 1]; j++)
            if (outputs_signal[j] == s) {
                int status = strict(m, outputs_formula[j], value);
                *place = i;
                if (status != ABSENT)
                    return status;
            }
    }
    return ABSENT;
}

/* The region of a modal model's mode that a region lies in. */
static int mode_around(int region, int modal)
{
    while (region >= 0 && !(region_kind[region] == MODE && region_a[region] == modal))
        region = region_parent[region];
    return region;
}

/* The innermost mode that a region lies in. */
static int mode_around_any(int region)
{
    while (region >= 0 && region_kind[region] != MODE)
        region = region_parent[region];
    return region;
}

/* Something that is said about a merged signal: by a refinement in a region, or (modal >= 0) by a transition of a modal model in it. */
typedef struct {
    int region;
    int modal;
    int place;
} Said;

/* Which of two is said later on the way of a modal model: 1 the first, -1 the second, 0 there is no order. */
static int is_later(const MODEL *m, Said a, Said b)
{
    int around, found = 0;
    if (a.modal >= 0 && (around = mode_around(b.region, a.modal)) >= 0)
        return 2 * a.place + 1 > 2 * m->stage[around] ? 1 : -1;
    if (b.modal >= 0 && (around = mode_around(a.region, b.modal)) >= 0)
        return 2 * m->stage[around] > 2 * b.place + 1 ? 1 : -1;
    for (around = a.region; around >= 0; around = region_parent[around])
        if (region_kind[around] == MODE) {
            int other = mode_around(b.region, region_a[around]);
            if (other >= 0 && other != around)
                found = m->stage[around] > m->stage[other] ? 1 : -1;
        }
    return found;
}

/* Whether a region's modes are those in which the tick began, and none is preempted. One that is may be passed
 * through later. What is around the signal itself is active, whatever way it came to be so. */
static int runs_first(const MODEL *m, int region, int around)
{
    int runs = PRESENT;
    for (; region >= 0 && region != around; region = region_parent[region])
        if (region_kind[region] == MODE) {
            int preempting = m->known[SIGNALS + REGIONS + region_a[region]];
            if (begin_mode(m, region_a[region]) != region_mode[region] || preempting == PRESENT)
                return ABSENT;
            if (preempting == UNKNOWN)
                runs = UNKNOWN;
        }
    return runs;
}

/* Of what is said at one tick the last counts; where there is no order an output action beats a refinement. */
static int fire_merge(MODEL *m, int s, double *value)
{
    int i, found = -1, is_open = 0, place = signal_place[s], is_given = 0;
    Said given = {0, -1, 0}, source = {0, -1, 0};
    for (i = actors_on_from[place]; i < actors_on_from[place + 1]; i++) {
        Said said;
        double output = 0.0;
        int status;
        said.modal = actors_on[i];
        said.region = modal_region[said.modal];
        said.place = 0;
        status = fire_output(m, said.modal, s, &output, &said.place);
        if (status == UNKNOWN || status < 0)
            return status;
        if (status == PRESENT && (!is_given || is_later(m, said, given) > 0)) {
            is_given = 1;
            given = said;
            *value = output;
        }
    }
    for (i = merge_of_from[place]; i < merge_of_from[place + 1]; i++) {
        int next = merge_of[i];
        Said said;
        said.modal = -1;
        said.region = signal_region[next];
        said.place = 0;
        if (signal_kind[s] == BEFORE && runs_first(m, said.region, signal_region[s]) == UNKNOWN)
            return UNKNOWN;
        if (signal_kind[s] == BEFORE && runs_first(m, said.region, signal_region[s]) == ABSENT)
            continue;
        if (m->known[next] == UNKNOWN)
            is_open = 1;
        if (m->known[next] == PRESENT) {
            int order = found < 0 ? 1 : is_later(m, said, source);
            if (order == 0)
                return say(m, MODEL_TWO_SOURCES, "`%s` has two sources, one of them `%s`", signal_name[s],
                            signal_name[next]);
            if (order > 0) {
                found = next;
                source = said;
            }
        }
    }
    if (is_open
        && !(is_given && given.place + 1 == m->chain_length[given.modal] && mode_around_any(given.region) < 0))
        return UNKNOWN;
    if (is_given && (found < 0 || is_later(m, source, given) <= 0))
        return PRESENT;
    if (found < 0)
        return ABSENT;
    *value = m->value[found];
    return PRESENT;
}

static int pass_on(const MODEL *m, int home, int s, double *value)
{
    *value = m->value[s];
    return seen(m, home, s);
}

static int fire_signal(MODEL *m, int s, double *value)
{
    int a = signal_a[s], b = signal_b[s], home = signal_guards[s];
    switch (signal_kind[s]) {
    case EXPRESSION:
        return strict_in(m, signal_formula[s], home, value);
    case DEFAULT:
        return pass_on(m, home, seen(m, home, a) == ABSENT ? b : a, value);
    case INHIBIT:
        if (seen(m, home, b) == PRESENT)
            return ABSENT;
        return seen(m, home, b) == ABSENT ? pass_on(m, home, a, value) : UNKNOWN;
    case SAMPLE:
        return seen(m, home, b) == PRESENT ? pass_on(m, home, a, value) : seen(m, home, b);
    case HOLD:
        if (seen(m, home, a) != ABSENT)
            return pass_on(m, home, a, value);
        if (!is_remembered(m, s))
            return signal_formula[s] < 0 ? ABSENT : initial(m, s, value);
        *value = m->cell[s];
        return PRESENT;
    case POST:
        if (m->arrival[signal_region[s]] == NEW) {
            *value = m->constant[s][0];
            return signal_constants[s][0] >= 0 ? PRESENT : ABSENT;
        }
        *value = m->cell[s];
        return m->is_there[s] ? PRESENT : ABSENT;
    case CROSS:
        *value = 1.0;
        return m->is_there[s] && m->arrival[signal_region[s]] == STAYS ? PRESENT : ABSENT;
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
        if (seen(m, home, a) == UNKNOWN)
            return UNKNOWN;
        *value = (seen(m, home, a) == PRESENT) == (signal_kind[s] == IS_PRESENT) ? 1.0 : 0.0;
        return PRESENT;
    case INTEGRATOR:
        return fire_integrator(m, s, value);
    default:
        return fire_merge(m, s, value);
    }
}

/* Whether a region may be active at a tick, as far as the modes in which it begins tell. */
static int is_reached(const MODEL *m, int region)
{
    int must_be_new = 0;
    for (; region >= 0; region = region_parent[region]) {
        int modal = region_a[region], mode = region_mode[region];
        if (region_kind[region] != MODE && region_kind[region] != LEAVING)
            continue;
        if (has_immediate(modal, mode, region_kind[region] == MODE ? PREEMPTIVE : 0))
            return 1;
        if (m->mode[modal] != mode && modal_initial[modal] != mode)
            return 0;
        must_be_new |= m->mode[modal] != mode;
    }
    return !must_be_new;
}

static int fire_region(MODEL *m, int region)
{
    int a = region_a[region], parent = region_parent[region], arrival = STAYS, stage = 0, status = PRESENT;
    if (parent >= 0 && m->known[SIGNALS + parent] == UNKNOWN)
        return is_reached(m, region) ? UNKNOWN : ABSENT;
    if (parent >= 0 && m->known[SIGNALS + parent] == ABSENT)
        return ABSENT;
    if (parent >= 0)
        arrival = m->arrival[parent];
    if (region_kind[region] == ENABLED) {
        status = m->known[a];
        if (status == PRESENT && !(m->value[a] != 0.0))
            status = ABSENT;
    } else if (region_kind[region] != ROOT) {
        int is_current = begin_mode(m, a) == region_mode[region];
        int preempting = region_kind[region] == MODE ? m->known[SIGNALS + REGIONS + a] : ABSENT;
        if (is_current && preempting == UNKNOWN)
            return UNKNOWN;
        if (!is_current || preempting == PRESENT)
            status = fire_arrival(m, region, &arrival, &stage);
    }
    if (status == PRESENT) {
        m->arrival[region] = (unsigned char)arrival;
        m->stage[region] = stage;
    }
    return status;
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
    memset(m->arrival, STAYS, sizeof m->arrival);
    memset(m->stage, 0, sizeof m->stage);
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
