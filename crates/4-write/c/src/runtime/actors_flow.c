/* ---- The flow that starts from a final microstep. ---------------------------------------------------------------
 *
 * Which signals are present, which regions are active and which modes are current cannot change while time passes without a
 * switch or an event. So `a ?? b` is one of its operands, a merge is the one that is present, and what is left are expressions,
 * states and constants: a list of signals in the order in which the tick found them. It has three parts: what derivatives
 * need, what watched quantities need besides, the rest. Decisions in the first two parts are frozen during a step, and their
 * switching quantities are watched. */

/* Whether something that a formula or decision reads along smooth paths changes while time passes. */
static int is_varying(const MODEL *m, int has_time, const int *signals, int count, const int *inputs, int input_count)
{
    int i;
    for (i = 0; i < count; i++)
        if (m->is_varying[signals[i]])
            return 1;
    for (i = 0; i < input_count; i++)
        if (!m->is_driven[inputs[i]] && formula_has_time[input_formula[inputs[i]]])
            return 1;
    return has_time;
}

static int is_formula_varying(const MODEL *m, int f)
{
    return is_varying(m, formula_has_time[f], smooth + smooth_from[f], smooth_from[f + 1] - smooth_from[f],
                      smooth_inputs + smooth_inputs_from[f], smooth_inputs_from[f + 1] - smooth_inputs_from[f]);
}

/* Freezes and watches a decision, if its quantity changes while time passes. */
static int activate(MODEL *m, int k, double tolerance)
{
    MODEL_watch *w;
    if (m->is_active[k])
        return 1;
    if (!is_varying(m, decision_has_time[k], decision_signals + decision_signals_from[k],
                    decision_signals_from[k + 1] - decision_signals_from[k],
                    decision_inputs + decision_inputs_from[k],
                    decision_inputs_from[k + 1] - decision_inputs_from[k]))
        return 0;
    m->is_active[k] = 1;
    w = &m->watch[m->watch_count++];
    w->is_cross = 0;
    w->of = k;
    w->owner = m->owner;
    w->tolerance = decision_kind[k] <= NOT_ZERO ? tolerance : 0.0;
    return 1;
}

/* Freezes the decisions of a formula; whether there are any that may turn. */
static int activate_all(MODEL *m, int f, double tolerance)
{
    int i, found = 0;
    for (i = formula_inputs_from[f]; i < formula_inputs_from[f + 1]; i++)
        if (!m->is_driven[formula_inputs[i]])
            found |= activate_all(m, input_formula[formula_inputs[i]], tolerance);
    for (i = formula_decisions_from[f]; i < formula_decisions_from[f + 1]; i++)
        found |= activate(m, formula_decisions[i], tolerance);
    return found;
}

/* The signal that a present signal's value is while time passes; -1: none, a constant. */
static int source_of(const MODEL *m, int s)
{
    int i, a = signal_a[s], b = signal_b[s];
    switch (signal_kind[s]) {
    case DEFAULT:
        return is_present(m, a) ? a : b;
    case INHIBIT:
    case SAMPLE:
        return a;
    case HOLD:
        return is_present(m, a) ? a : -1;
    case INTEGRATOR:
        return signal_c[s] >= 0 && is_present(m, signal_c[s]) ? signal_c[s] : -1;
    case MERGE:
    case BEFORE:
        for (i = merge_of_from[signal_place[s]]; i < merge_of_from[signal_place[s] + 1]; i++)
            if (is_present(m, merge_of[i]))
                return merge_of[i];
        return -1;
    default:
        return -1;
    }
}

/* Marks a signal and what its value comes from. */
static void need(MODEL *m, int s)
{
    int open = 0, i;
    if (m->mark[s] != 0)
        return;
    m->mark[s] = 1;
    m->has_marked = 1;
    m->stack[open++] = s;
    while (open > 0) {
        int source = -1, f = -1;
        s = m->stack[--open];
        if (signal_kind[s] == EXPRESSION)
            f = signal_formula[s];
        else
            source = source_of(m, s);
        if (source >= 0 && m->mark[source] == 0) {
            m->mark[source] = 1;
            m->stack[open++] = source;
        }
        for (i = f < 0 ? 0 : reads_from[f]; i < (f < 0 ? 0 : reads_from[f + 1]); i++)
            if (m->mark[reads[i]] == 0) {
                m->mark[reads[i]] = 1;
                m->stack[open++] = reads[i];
            }
    }
}

static void append(MODEL *m, int kind, int of, int source)
{
    MODEL_entry *e = &m->entry[m->entry_count++];
    e->kind = kind;
    e->of = of;
    e->source = source;
}

/* Lists what was marked, in the order in which the tick found it. */
static void list_marked(MODEL *m, int is_freezing)
{
    int i;
    if (!m->has_marked)
        return;
    m->has_marked = 0;
    for (i = 0; i < m->order_count; i++) {
        int s = m->order[i], source, has_switch = 0;
        if (s >= SIGNALS || m->mark[s] != 1)
            continue;
        m->mark[s] = 2;
        if (signal_kind[s] == EXPRESSION) {
            m->owner = s;
            if (is_freezing)
                has_switch = activate_all(m, signal_formula[s], m->crossing);
            m->is_varying[s] = (unsigned char)is_formula_varying(m, signal_formula[s]);
            if (m->is_varying[s] || has_switch || !is_freezing)
                append(m, OF_SIGNAL, s, -1);
        } else if ((source = source_of(m, s)) >= 0) {
            m->is_varying[s] = m->is_varying[source];
            if (m->is_varying[s] || !is_freezing)
                append(m, OF_SIGNAL, s, source);
        }
    }
}

static void need_present(MODEL *m, int s)
{
    if (s >= 0 && is_present(m, s))
        need(m, s);
}

/* Guards of current modes. One that reads an absent signal is false while time passes. */
static void watch_guard(MODEL *m, int t, int modal)
{
    int i, f = transition_guard[t], has_switch;
    for (i = reads_from[f]; i < reads_from[f + 1]; i++)
        if (!is_present(m, reads[i]))
            return;
    for (i = reads_from[f]; i < reads_from[f + 1]; i++)
        need(m, reads[i]);
    list_marked(m, 1);
    m->owner = SIGNALS + modal;
    has_switch = activate_all(m, f, m->transition_tolerance[t]);
    if (transition_truth[t] >= 0 && is_formula_varying(m, f))
        has_switch |= activate(m, transition_truth[t], m->transition_tolerance[t]);
    if (has_switch)
        append(m, OF_GUARD, t, -1);
}

static void watch_regions_and_guards(MODEL *m)
{
    int i, t;
    for (i = 0; i < REGIONS; i++) {
        int parent = region_parent[i], enable = region_a[i];
        if (region_kind[i] != ENABLED || (parent >= 0 && !is_active_region(m, parent)) || !is_present(m, enable))
            continue;
        need(m, enable);
        list_marked(m, 1);
        m->owner = enable;
        if (activate(m, region_truth[i], m->crossing))
            append(m, OF_REGION, i, -1);
    }
    for (i = 0; i < MODALS; i++)
        if (is_active_region(m, modal_region[i]))
            for (t = transitions_from[i]; t < transitions_from[i + 1]; t++)
                if (leaves(t, m->mode[i]))
                    watch_guard(m, t, i);
}

static int not_discrete(MODEL *m, int s, int needed_by)
{
    return say(m, MODEL_NOT_DISCRETE, "`%s` needs an event, but `%s` is present while time passes",
                signal_name[needed_by], signal_name[s]) < 0;
}

/* Delays are for discrete signals: what they delay must not be present while time passes. */
static int has_continuous_delay(MODEL *m)
{
    int s;
    for (s = 0; s < SIGNALS; s++)
        if (signal_kind[s] == DELAY && is_present(m, signal_a[s]) && is_active_region(m, signal_region[s]))
            return not_discrete(m, signal_a[s], s);
    return 0;
}

/* A microstep delay of something that changes while time passes would depend on the solver's steps. */
static int has_continuous_post(MODEL *m)
{
    int s, found = -1;
    for (s = 0; s < SIGNALS; s++) {
        int of = signal_a[s];
        if (signal_kind[s] != POST || !is_active_region(m, signal_region[s]) || !is_present(m, of))
            continue;
        need(m, of);
        list_marked(m, 1);
        if (m->is_varying[of])
            found = s;
    }
    return found >= 0 && not_discrete(m, signal_a[found], found);
}

static void watch_crossings(MODEL *m)
{
    int s;
    for (s = 0; s < SIGNALS; s++) {
        int of = signal_a[s];
        if (signal_kind[s] != CROSS || !is_active_region(m, signal_region[s]) || !is_present(m, of))
            continue;
        need(m, of);
        list_marked(m, 1);
        if (m->is_varying[of]) {
            MODEL_watch *w = &m->watch[m->watch_count++];
            w->is_cross = 1;
            w->of = s;
            w->owner = s;
            w->tolerance = m->constant[s][1];
        }
    }
}

/* Makes the flow of the present configuration. */
static int make_flow(MODEL *m)
{
    int s, i;
    memset(m->mark, 0, sizeof m->mark);
    memset(m->is_varying, 0, sizeof m->is_varying);
    memset(m->is_active, 0, sizeof m->is_active);
    m->has_marked = m->entry_count = m->watch_count = m->state_count = 0;
    for (s = 0; s < SIGNALS; s++)
        if (signal_kind[s] == INTEGRATOR && is_present(m, s) && source_of(m, s) < 0) {
            m->state_signal[m->state_count++] = s;
            m->is_varying[s] = 1;
            m->mark[s] = 2;
        }
    if (has_continuous_delay(m))
        return 0;
    for (i = 0; i < m->state_count; i++)
        need_present(m, signal_a[m->state_signal[i]]);
    list_marked(m, 1);
    m->slope_entries = m->entry_count;
    watch_regions_and_guards(m);
    if (has_continuous_post(m))
        return 0;
    /* Impulses that are present while time passes: what decides them is watched, so that one that is not 0 is seen. */
    for (s = 0; s < SIGNALS; s++)
        if (signal_kind[s] == INTEGRATOR && is_present(m, s)) {
            need_present(m, signal_b[s]);
            need_present(m, signal_c[s]);
            list_marked(m, 1);
        }
    watch_crossings(m);
    m->watch_entries = m->entry_count;
    for (s = 0; s < SIGNALS; s++)
        need_present(m, s);
    list_marked(m, 0);
    memcpy(m->flow_value, m->value, sizeof m->flow_value);
    memcpy(m->flow_input, m->input, sizeof m->flow_input);
    return 1;
}

/* Evaluates a part of the flow for the states x. */
static void evaluate_flow(MODEL *m, double t, const double *x, int count)
{
    int i;
    Moment c;
    c.m = m;
    c.v = m->flow_value;
    c.u = m->flow_input;
    c.p = m->parameter;
    c.t = t;
    c.is_flow = 1;
    for (i = 0; i < m->state_count; i++)
        m->flow_value[m->state_signal[i]] = x[i];
    for (i = 0; i < INPUTS; i++)
        if (!m->is_driven[i])
            m->flow_input[i] = formulas[input_formula[i]](&c);
    for (i = 0; i < count; i++) {
        const MODEL_entry *e = &m->entry[i];
        if (e->kind == OF_SIGNAL && e->source >= 0)
            m->flow_value[e->of] = m->flow_value[e->source];
        else if (e->kind == OF_SIGNAL)
            m->flow_value[e->of] = formulas[signal_formula[e->of]](&c);
        else if (e->kind == OF_REGION)
            switched(&c, region_truth[e->of], m->flow_value[region_a[e->of]], 0.0);
        else {
            double value = formulas[transition_guard[e->of]](&c);
            if (transition_truth[e->of] >= 0)
                switched(&c, transition_truth[e->of], value, 0.0);
        }
    }
}

/* The slope of the active integrators. */
static int flow_slope_of_model(void *context, double t, const double *x, double *dx)
{
    MODEL *m = (MODEL *)context;
    int i;
    evaluate_flow(m, t, x, m->slope_entries);
    for (i = 0; i < m->state_count; i++) {
        int of = signal_a[m->state_signal[i]];
        dx[i] = is_present(m, of) ? m->flow_value[of] : 0.0;
    }
    return 0;
}

static double watched(const MODEL *m, int q)
{
    const MODEL_watch *w = &m->watch[q];
    return w->is_cross ? m->flow_value[signal_a[w->of]] : m->quantity[w->of];
}

/* Evaluates what is watched at a moment of the last step. */
static void evaluate_watched(MODEL *m, double t)
{
    dense_part(flow_last(&m->flow), 0, m->state_count, t, m->work);
    evaluate_flow(m, t, m->work, m->watch_entries);
}

/* Takes back the part of the last step after t, or lets it end a little later. */
static void cut_flow(MODEL *m, double t)
{
    MODEL_flow *f = &m->flow;
    MODEL_dense *step = &f->dense[f->last];
    step->t1 = least(largest(t, step->t0), step->t0 + 1.125 * step->h);
    f->t = step->t1;
    f->is_end_slope_known = 0;
    dense_with_carry(step, f->n, f->t, f->x, f->carry);
}
