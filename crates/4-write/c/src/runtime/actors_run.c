/* ---- The loop: instants, and time passing between them. ----------------------------------------------------------
 *
 * At each tick (t, n) the least fixed point is found, then primitives change state and transitions are taken. While anything
 * that is remembered changes, the next tick is (t, n + 1); the microstep at which nothing does is the final one, and its
 * values are where the solver starts. Time then passes to the next event. The tick there is (t, 0), the left limit, at which no
 * event is present and no transition is taken. */

enum { AT_TICK, AT_NEXT_TICK, AT_FINAL, IN_FLOW };

/* Cuts in a row without progress before a crossing counts as one that cannot be passed. */
enum { STUCK = 100 };

/* Time that counts as progress, part of max(1, t). */
static const double PROGRESS = 1e-11;

/* The first time after t at which a clock, `at` or delay of an active region is due. */
static double next_due(const MODEL *m, double t)
{
    double due, next = HUGE_VAL;
    int s;
    for (s = 0; s < SIGNALS; s++)
        if (is_active_region(m, signal_region[s]) && is_waiting(m, s, &due) && due > t)
            next = least(next, due);
    return next;
}

/* The last time at which something is due together with what is due first. */
static double last_due(const MODEL *m, double t)
{
    double due, last = m->due_first;
    int s;
    for (s = 0; s < SIGNALS; s++)
        if (is_active_region(m, signal_region[s]) && is_waiting(m, s, &due) && due > t
            && due <= simultaneous_until(m->due_first))
            last = largest(last, due);
    if (HORIZON > t && HORIZON <= simultaneous_until(m->due_first))
        last = largest(last, HORIZON);
    return last;
}

/* The longest step of the solver: a fiftieth of the run, and no more than eight of the steps that the model states. */
static double step_limit(const MODEL *m, double until)
{
    double limit = largest(HORIZON, until) / 50.0;
    return m->longest_step > 0.0 ? least(limit, 8.0 * m->longest_step) : limit;
}

/* Executes one tick. Whether the run can go on. */
static int tick(MODEL *m, double until)
{
    int is_open, n = m->microstep;
    m->tick_events = 0;
    m->is_changed = 0;
    m->zeno_limit = 0.0;
    if (!solve_tick(m) || !postfire(m) || !take_transitions(m))
        return 0;
    m->is_running = 1;
    is_open = m->is_changed
              || (n == 0 && (next_due(m, -HUGE_VAL) <= m->t || m->is_input_set || wants_to_move(m)));
    m->is_input_set = 0;
    if (m->zeno_limit > 0.0 && m->zeno_limit < until) {
        say(m, MODEL_ZENO, "events of %s accumulate at t = %.9g", key_name[m->zeno_key], m->zeno_limit);
        return 0;
    }
    if (m->event_count > m->event_limit) {
        say(m, MODEL_EVENT_LIMIT, "more than %ld events", m->event_limit);
        return 0;
    }
    if (is_open && is_chattering(m))
        return 0;
    if (!is_open && n > 0)
        m->stuck = 0;
    m->phase = is_open ? AT_NEXT_TICK : AT_FINAL;
    return 1;
}

/* Begins to let time pass from the final microstep. */
static int begin_flow(MODEL *m)
{
    double x[MODEL_DIMENSION];
    int i, k, q;
    if (!make_flow(m))
        return 0;
    /* What is not watched now may part unseen. */
    for (k = 0; k < DECISIONS; k++)
        m->is_met[k] &= m->is_active[k];
    m->flow_begin = m->t;
    m->due_first = next_due(m, m->t);
    /* The end that the model states is an instant, as in a run of dyverse. */
    if (HORIZON > m->t)
        m->due_first = least(m->due_first, HORIZON);
    m->due = last_due(m, m->t);
    for (i = 0; i < m->state_count; i++)
        x[i] = m->value[m->state_signal[i]];
    m->is_deciding = 1;
    evaluate_flow(m, m->t, x, m->watch_entries);
    m->is_deciding = 0;
    for (k = 0; k < DECISIONS; k++)
        if (m->is_met[k] && decision(decision_kind[k], 0.0) != m->frozen[k])
            m->is_met[k] = 0;
    for (q = 0; q < m->watch_count; q++)
        m->start[q] = watched(m, q);
    if (m->is_flow_started) {
        m->flow.n = m->state_count;
        flow_restart(&m->flow, m->t, x);
    } else {
        flow_start(&m->flow, m->state_count, m->t, x);
    }
    m->is_flow_started = 1;
    m->phase = IN_FLOW;
    return 1;
}

/* Writes the states at the present end of the flow back. */
static void leave_flow(MODEL *m)
{
    double due, rest, passed, first = HUGE_VAL;
    int i;
    for (i = 0; i < m->state_count; i++)
        m->cell[m->state_signal[i]] = m->flow.x[i];
    /* Where a clock or delay is why there is an instant, its own time is more exact than the rounded one. */
    m->carry = 0.0;
    for (i = 0; i < SIGNALS; i++)
        if (is_active_region(m, signal_region[i]) && is_waiting_for(m, i, &due, &rest) && due > m->flow_begin
            && due <= m->flow.t && due < first) {
            first = due;
            m->carry = plus(due, rest, -m->flow.t, 0.0, &rest);
        }
    passed = plus(m->flow.t, 0.0, -m->flow_begin, 0.0, &rest);
    for (i = 0; i < REGIONS; i++)
        if (!is_active_region(m, i))
            m->begins[i] = plus(m->begins[i], m->begins_carry[i], passed, rest, &m->begins_carry[i]);
    m->t = m->flow.t;
    m->microstep = 0;
    m->phase = AT_TICK;
}

/* An input was set at a time inside the last step: what lies after it is taken back. */
static void interrupt_flow(MODEL *m)
{
    if (m->t < m->flow.t) {
        cut_flow(m, m->t);
        memset(m->is_located, 0, sizeof m->is_located);
        memset(m->has_passed, 0, sizeof m->has_passed);
    }
    m->is_step_open = 0;
    leave_flow(m);
}

/* Signals at a time of the last step, for the caller. */
static void show_flow(MODEL *m, double t)
{
    int s;
    dense_part(flow_last(&m->flow), 0, m->state_count, t, m->work);
    evaluate_flow(m, t, t < m->flow.t ? m->work : m->flow.x, m->entry_count);
    for (s = 0; s < SIGNALS; s++)
        if (is_present(m, s))
            m->value[s] = m->flow_value[s];
    memcpy(m->input, m->flow_input, sizeof m->input);
    m->t = t;
    m->microstep = 0;
}

static int explain_flow(MODEL *m, int outcome)
{
    if (outcome == FLOW_NOT_FINITE)
        return say(m, MODEL_NOT_FINITE, "a derivative is no finite number");
    return say(m, MODEL_STEP_TOO_SMALL, "the solver's step became too small");
}

/* Makes one step of the flow. It may end after `until`, so that how a run is divided does not matter. */
static void step_flow(MODEL *m, double until)
{
    double last = largest(HORIZON, until), end = m->due_first <= last ? m->due : last, limit = step_limit(m, until);
    int outcome;
    list_sides(m);
    if (end > m->flow.t + 1.01 * limit)
        end = m->flow.t + limit;
    else if (end == m->due)
        /* Long enough for its polynomial to be extended to what happens right after. */
        end = largest(end, m->flow.t + 16.0 * (simultaneous_until(end) - end));
    outcome = flow_step(&m->flow, end, flow_slope_of_model, m);
    if (outcome != FLOW_DONE) {
        explain_flow(m, outcome);
        return;
    }
    m->scale = largest(HORIZON, until);
    if (m->flow.t > m->due)
        cut_flow(m, m->due);
    m->has_event = locate(m);
    m->is_step_open = 1;
    if (m->status != MODEL_OK)
        m->t = least(m->flow.t, until);
}

/* The end of a step is reached. */
static void end_step(MODEL *m)
{
    m->is_step_open = 0;
    m->t = m->flow.t;
    if (!m->has_event) {
        keep_sides(m);
        if (m->t >= m->due)
            leave_flow(m);
        return;
    }
    if (m->is_sliding) {
        say(m, MODEL_SLIDING, "`%s` switches to and fro, %d times within %.1e s",
            m->located_owner < 0 ? "a crossing" : owner_name(m->located_owner), m->slide_events, m->t - m->slide_since);
        return;
    }
    m->stuck = m->t - m->flow_begin > PROGRESS * largest(fabs(m->t), 1.0) ? 0 : m->stuck + 1;
    if (m->stuck > STUCK)
        say(m, MODEL_CROSSING_NOT_ISOLATED, "a crossing of `%s` cannot be passed",
            m->located_owner < 0 ? "a guard" : owner_name(m->located_owner));
    else
        leave_flow(m);
}

/* Whether the next instant is at the end that the model states, up to rounding: it is part of the run. */
static int is_at_horizon(const MODEL *m, double until)
{
    return until >= HORIZON && m->due_first <= HORIZON && m->flow.t >= m->due
           && m->flow.t <= HORIZON + 4.0 * MOST_SLACK * largest(fabs(HORIZON), 1.0);
}

/* Lets time pass in steps, not beyond `until`. Whether that is reached. */
static int pass_time(MODEL *m, double until)
{
    if (m->is_input_set) {
        interrupt_flow(m);
    } else if (m->is_step_open && (m->flow.t <= until || is_at_horizon(m, until))) {
        end_step(m);
    } else if (m->is_step_open || m->t >= until) {
        show_flow(m, largest(m->t, until));
        return 1;
    } else {
        step_flow(m, until);
    }
    return 0;
}

/* Runs until `until`, or until something happens. */
static int advance(MODEL *m, double until)
{
    while (m->status == MODEL_OK) {
        switch (m->phase) {
        case AT_NEXT_TICK:
            m->microstep++;
            m->phase = AT_TICK;
            break;
        case AT_TICK:
            if (tick(m, until) && m->tick_events > 0)
                return MODEL_EVENT;
            break;
        case AT_FINAL:
            if (m->is_input_set) {
                m->is_input_set = 0;
                m->phase = AT_NEXT_TICK;
            } else if (m->t >= until) {
                return MODEL_OK;
            } else {
                begin_flow(m);
            }
            break;
        default:
            if (pass_time(m, until))
                return MODEL_OK;
            break;
        }
    }
    return m->status;
}
