/* ---- Which transitions of modal models are taken at a tick. ------------------------------------------------------
 *
 * Order: preemptive guards (if one holds, the refinement does not run at this tick), the refinement, the other guards, then
 * immediate transitions out of the mode entered. In each class a default is taken only when all others are known to be
 * false; two that hold must both be marked as a choice. Transitions are taken at microstep 1 or later. */

static int is_present(const MODEL *m, int unit);
static int is_active_region(const MODEL *m, int region);
static int strict(MODEL *m, int f, double *value);

static int leaves(int t, int mode)
{
    return transition_source[t] < 0 || transition_source[t] == mode;
}

/* A guard at a tick: unknown, or 1 or 0. A guard that reads an absent signal is false. */
static int guard(MODEL *m, int t, int *holds)
{
    double value = 0.0;
    int status = strict(m, transition_guard[t], &value);
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
            if (guard(m, t, &holds) == 0)
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

static int fire_preempting(MODEL *m, int modal, double *value)
{
    int status = stands(m, modal);
    return status == 2 ? select_transition(m, modal, m->mode[modal], PREEMPTIVE, 0, value) : status;
}

/* All transitions that a modal model takes, in order; the value is the first of them. */
static int fire_choice(MODEL *m, int modal, double *value)
{
    int status = stands(m, modal), unit = SIGNALS + REGIONS + modal, count = 0, i, mode;
    if (status != 2)
        return status;
    status = m->known[unit];
    *value = m->value[unit];
    if (status == 1)
        status = select_transition(m, modal, m->mode[modal], 0, PREEMPTIVE, value);
    if (status != 2)
        return status;
    m->chain[modal][count++] = (int)*value;
    /* Targets differ, so this ends before the chain is full. */
    while (count < MODEL_CHAIN) {
        double next = -1.0;
        mode = transition_target[m->chain[modal][count - 1]];
        status = select_transition(m, modal, mode, IMMEDIATE, 0, &next);
        if (status == 0 || status < 0)
            return status;
        if (status == 1)
            break;
        for (i = 0; i < count; i++)
            if (transition_target[m->chain[modal][i]] == transition_target[(int)next])
                return say(m, MODEL_IMMEDIATE_CYCLE, "immediate transitions of `%s` go round in a circle: %s",
                            modal_name[modal], transition_text[(int)next]);
        m->chain[modal][count++] = (int)next;
    }
    for (i = 0; i < count; i++)
        m->has_chosen |= (transition_flags[m->chain[modal][i]] & CHOICE) != 0;
    m->chain_length[modal] = count;
    return 2;
}

/* Whether a guard of a current mode holds at this tick: at microstep 0 that makes another tick. */
static int wants_to_move(MODEL *m)
{
    int modal, t, holds;
    for (modal = 0; modal < MODALS; modal++)
        if (is_active_region(m, modal_region[modal]))
            for (t = transitions_from[modal]; t < transitions_from[modal + 1]; t++)
                if (leaves(t, m->mode[modal]) && guard(m, t, &holds) && holds)
                    return 1;
    return 0;
}
