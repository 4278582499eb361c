/* ---- Which transitions of modal models are taken at a tick. ------------------------------------------------------
 *
 * Order: preemptive guards (if one holds, the refinement does not run at this tick), the refinement, the other guards; then
 * out of each mode entered: immediate preemptive guards, other immediate guards. If one of the latter holds the mode is passed
 * through: its refinement runs at this tick too. In each class a default is taken only when all others are known to be
 * false; two that hold must both be marked as a choice. Transitions are taken at microstep 1 or later. */

static int is_present(const MODEL *m, int unit);
static int is_active_region(const MODEL *m, int region);
static int strict_in(MODEL *m, int f, int home, double *value);

static int leaves(int t, int mode)
{
    return transition_source[t] < 0 || transition_source[t] == mode;
}

/* A guard at a tick: unknown, or 1 or 0. A guard that reads an absent signal is false. */
static int guard(MODEL *m, int modal, int t, int *holds)
{
    double value = 0.0;
    int source = transition_source[t], home = source < 0 ? -1 : mode_region[mode_region_from[modal] + source];
    int status = strict_in(m, transition_guard[t], home, &value);
    *holds = status == 2 && value != 0.0 && !isnan(value);
    return status;
}

/* A number that looks random (splitmix64). */
static unsigned long long mix(unsigned long long seed)
{
    unsigned long long z = seed + 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

/* Which transitions are looked at: all of these flags, none of those. */
static int is_candidate(int t, int mode, int with, int without)
{
    return leaves(t, mode) && (transition_flags[t] & with) == with && (transition_flags[t] & without) == 0;
}

/* The one transition of a class whose guard holds, as its number. */
static int select_transition(MODEL *m, int modal, int mode, int with, int without, double *taken)
{
    int defaults, t;
    for (defaults = 0; defaults < 2; defaults++) {
        int count = 0, unmarked = -1, first = -1, other = -1;
        for (t = transitions_from[modal]; t < transitions_from[modal + 1]; t++) {
            int holds;
            if (((transition_flags[t] & IS_DEFAULT) != 0) != defaults || !is_candidate(t, mode, with, without))
                continue;
            if (guard(m, modal, t, &holds) == 0)
                return 0;
            if (!holds)
                continue;
            if (first < 0)
                first = t;
            if (unmarked < 0 && !(transition_flags[t] & CHOICE))
                unmarked = t;
            else
                other = t;
            m->enabled[count++] = t;
        }
        if (count == 0)
            continue;
        if (count > 1 && unmarked >= 0)
            return say(m, MODEL_AMBIGUOUS, "two transitions are enabled: %s, and %s", transition_text[unmarked],
                        transition_text[other]);
        if (count > 1) {
            unsigned long long salt = mix(m->seed ^ m->tick_count);
            first = m->enabled[mix(salt ^ mix((unsigned long long)modal)) % (unsigned long long)count];
        }
        *taken = first;
        return 2;
    }
    return 1;
}

/* Known without looking at guards: no transition at microstep 0, none of a modal model that is not active; else present. */
static int stands(const MODEL *m, int modal)
{
    return m->microstep == 0 ? 1 : m->known[SIGNALS + modal_region[modal]];
}

/* The mode in which a modal model begins the tick: inside what is entered as new, modal models begin anew. */
static int begin_mode(const MODEL *m, int modal)
{
    return m->arrival[modal_region[modal]] == NEW ? modal_initial[modal] : m->mode[modal];
}

static int fire_preempting(MODEL *m, int modal, double *value)
{
    int status = stands(m, modal);
    return status == 2 ? select_transition(m, modal, begin_mode(m, modal), PREEMPTIVE, 0, value) : status;
}

/* Follows the transitions that a modal model takes as far as guards are known. 2: to the end; 0: from mode `open` on (-1: everything) it
 * is not known. */
static int walk(MODEL *m, int modal, int *chain, int *count, int *open)
{
    int status = stands(m, modal), unit = SIGNALS + REGIONS + modal, i;
    double next = m->value[unit];
    *count = 0;
    *open = -1;
    if (status != 2)
        return status == 1 ? 2 : 0;
    *open = begin_mode(m, modal);
    status = m->known[unit];
    if (status == 1)
        status = select_transition(m, modal, *open, 0, PREEMPTIVE, &next);
    /* Targets differ, so this ends before the chain is full. */
    while (status == 2 && *count < MODEL_CHAIN) {
        *open = transition_target[(int)next];
        for (i = 0; i < *count; i++)
            if (transition_target[chain[i]] == *open)
                return say(m, MODEL_IMMEDIATE_CYCLE, "immediate transitions of `%s` go round in a circle: %s",
                            modal_name[modal], transition_text[(int)next]);
        chain[(*count)++] = (int)next;
        status = select_transition(m, modal, *open, IMMEDIATE | PREEMPTIVE, 0, &next);
        if (status == 1)
            status = select_transition(m, modal, *open, IMMEDIATE, PREEMPTIVE, &next);
    }
    return status == 1 ? 2 : status;
}

/* All transitions that a modal model takes, in order; the value is the first of them. */
static int fire_choice(MODEL *m, int modal, double *value)
{
    int chain[MODEL_CHAIN], count, open, i, status = walk(m, modal, chain, &count, &open);
    if (status != 2)
        return status;
    for (i = 0; i < count; i++) {
        m->chain[modal][i] = chain[i];
        m->has_chosen |= (transition_flags[chain[i]] & CHOICE) != 0;
    }
    m->chain_length[modal] = count;
    if (count == 0)
        return 1;
    *value = chain[0];
    return 2;
}

/* Whether a mode can be entered at one tick from another on: the one in which the tick began, or one that was entered. */
static int is_ahead(int modal, int from, int is_first, int target)
{
    int stack[MODEL_CHAIN], open = 0, t;
    unsigned char seen[MODEL_CHAIN];
    memset(seen, 0, sizeof seen);
    stack[open++] = from;
    while (open > 0) {
        int mode = stack[--open];
        for (t = transitions_from[modal]; t < transitions_from[modal + 1]; t++)
            if (leaves(t, mode) && (is_first || (transition_flags[t] & IMMEDIATE)) && !seen[transition_target[t]]) {
                seen[transition_target[t]] = 1;
                stack[open++] = transition_target[t];
            }
        is_first = 0;
    }
    return seen[target];
}

/* Whether an immediate transition leaves a mode; `without` these flags. */
static int has_immediate(int modal, int mode, int without)
{
    int t;
    for (t = transitions_from[modal]; t < transitions_from[modal + 1]; t++)
        if (is_candidate(t, mode, IMMEDIATE, without))
            return 1;
    return 0;
}

/* Whether the refinement of a mode runs because the modal model passes through it, or what its guards are made of is there because it is
 * being entered: unknown, no, yes; and how it arrives. */
static int fire_arrival(MODEL *m, int region, int *arrival, int *stage)
{
    int modal = region_a[region], mode = region_mode[region], is_refinement = region_kind[region] == MODE;
    int chain[MODEL_CHAIN], count, open, i, status;
    if (m->microstep == 0 || !has_immediate(modal, mode, is_refinement ? PREEMPTIVE : 0))
        return 1;
    status = walk(m, modal, chain, &count, &open);
    if (status < 0)
        return status;
    for (i = 0; i < count; i++)
        if (transition_target[chain[i]] == mode) {
            if (is_refinement && i + 1 == count)
                return status == 0 ? 0 : 1;
            if (is_refinement && (transition_flags[chain[i + 1]] & PREEMPTIVE))
                return 1;
            *arrival = transition_flags[chain[i]] & HISTORY && *arrival != NEW ? RETURNS : NEW;
            *stage = i + 1;
            return 2;
        }
    if (status == 0 && is_ahead(modal, open < 0 ? begin_mode(m, modal) : open, count == 0, mode))
        return 0;
    return 1;
}

/* Whether a guard of a current mode holds at this tick: at microstep 0 that makes another tick. */
static int wants_to_move(MODEL *m)
{
    int modal, t, holds;
    for (modal = 0; modal < MODALS; modal++)
        if (is_active_region(m, modal_region[modal]))
            for (t = transitions_from[modal]; t < transitions_from[modal + 1]; t++)
                if (leaves(t, m->mode[modal]) && guard(m, modal, t, &holds) && holds)
                    return 1;
    return 0;
}
