/* ---- Where inside a step the first watched quantity goes through its level. ----------------------------------------
 *
 * All quantities are evaluated at five Chebyshev points of the step; one whose interpolant stays clear of its level by more than
 * four times its last two coefficients is left alone. For the others the first crossing is searched on the dense output. With
 * tolerance 0 the event is at the first double after the crossing. With a tolerance it lies beyond the level, but by
 * less than the tolerance: where the quantity is half of it beyond. If the model states a longest step, events with a tolerance are seen on
 * the grid of such steps since the last event. */

enum { NOTHING, FOUND, LOST, NO_NUMBER };

/* Until when something happens together with what happens at t. */
static double simultaneous_until(double t)
{
    return t + 1e-12 * largest(fabs(t), 1.0);
}

static const double POINTS[5] = {0.0, 0.14644660940672624, 0.5, 0.8535533905932738, 1.0};

/* Half width of the level at the start of a search. */
static const double LEVEL = 1e-12;

/* Whether a quantity with these values surely stays positive. */
static int is_clear(const double *v, double shift)
{
    const double h = 0.70710678118654752440;
    double e0 = v[0] + v[4] + 2.0 * shift, e1 = v[1] + v[3] + 2.0 * shift, e2 = v[2] + shift;
    double o0 = v[0] - v[4], o1 = v[1] - v[3];
    double c0 = (0.5 * e0 + e1 + e2) / 4.0, c1 = (0.5 * o0 + h * o1) / 2.0, c2 = (0.5 * e0 - e2) / 2.0;
    double c3 = (0.5 * o0 - h * o1) / 2.0, c4 = (0.5 * e0 - e1 + e2) / 4.0;
    return c0 - fabs(c1) - fabs(c2) - 5.0 * (fabs(c3) + fabs(c4)) > 0.0;
}

/* The quantity of a side, positive on its side. */
static double side_value(void *context, int number, double t)
{
    MODEL *m = (MODEL *)context;
    const MODEL_side *side = &m->side[number];
    evaluate_watched(m, t);
    return side->sign * (watched(m, side->quantity) - side->level);
}

/* The same with its sign turned. */
static double side_mirrored(void *context, int number, double t)
{
    return -side_value(context, number, t);
}

/* The first point of the grid after t, not beyond end. */
static double grid_after(const MODEL *m, double t, double end)
{
    double step = m->longest_step;
    double point = m->flow_begin + largest(ceil((t - m->flow_begin) / step), 1.0) * step;
    return least(point < t ? point + step : point, end);
}

/* The first moment at which a quantity that is not yet so is half its tolerance beyond its level. */
static int half_beyond(MODEL *m, int number, double a, double b, double *at)
{
    crossing_found found = crossing_first(&m->search, side_value, m, number, -0.5 * m->side[number].tolerance, a, b,
                                          LEVEL, 0.0, 1);
    *at = found.t;
    switch (found.kind) {
    case CROSSING_NONE:
        return NOTHING;
    case CROSSING_NOT_FINITE:
        return NO_NUMBER;
    case CROSSING_NOT_ISOLATED:
        return LOST;
    default:
        return FOUND;
    }
}

/* Near the level, on a grid: the first point beyond it. What happens between, inside the tolerance, may be rounding. */
static int first_on_grid(MODEL *m, int number, double a, double b, double *at)
{
    const MODEL_side *side = &m->side[number];
    double from = a, arms = side->is_on ? largest(side_value(m, number, a), 0.0) * (1.0 + 1e-6) : 0.0;
    int is_armed = side->is_above || side->is_switch;
    while (from < b) {
        double next = from + 0.5 * m->longest_step;
        double point = grid_after(m, next > from ? next : b, b), there = side_value(m, number, point);
        if (is_armed && (there < 0.0 || (side->is_above && there == 0.0))) {
            *at = point;
            return there > -side->tolerance ? FOUND : half_beyond(m, number, from, point, at);
        }
        is_armed |= there > arms;
        from = point;
    }
    return NOTHING;
}

/* Where the event of a crossing at t is, for a tolerance. */
static double beyond(MODEL *m, int number, double t, double end)
{
    double tolerance = m->side[number].tolerance, at_end, at;
    if (tolerance <= 0.0)
        return t;
    if (m->longest_step > 0.0)
        end = grid_after(m, t, end);
    at_end = side_value(m, number, end);
    if (m->longest_step > 0.0 && at_end <= 0.0 && at_end > -tolerance)
        return end;
    return half_beyond(m, number, t, end, &at) == FOUND ? at : t;
}

/* The first moment at or right after an event at t at which a quantity is beyond its level and not on it; t if there is none
 * that happens together with it. */
static double off_level(MODEL *m, int number, double t)
{
    double ulps = 1.0, next;
    if (side_value(m, number, t) != 0.0)
        return t;
    for (;;) {
        next = t + ulps * DBL_EPSILON * largest(fabs(t), DBL_MIN);
        if (!(next <= simultaneous_until(t)))
            return t;
        if (next > t && side_value(m, number, next) < 0.0)
            return next;
        ulps *= 2.0;
    }
}

/* Whether the level of a switch is still on its side. */
static int is_strict(const MODEL *m, int number)
{
    const MODEL_side *side = &m->side[number];
    int of = m->watch[side->quantity].of;
    return side->is_switch && side->tolerance <= 0.0 && decision(decision_kind[of], side->level) == m->frozen[of]
           && !is_equality(decision_kind[of]);
}

/* The event of one side in (a, b]. */
static int first_event(MODEL *m, int number, double a, double b, double *at)
{
    const MODEL_side *side = &m->side[number];
    double v[5], from = a;
    int i, is_above = side->is_above, is_fresh = side->is_fresh && !side->is_switch && side->tolerance <= 0.0;
    for (i = 0; i < 5; i++)
        v[i] = side->sign * (m->table[side->quantity][i] - side->level);
    if (is_clear(v, 0.0))
        return NOTHING;
    if (side->tolerance > 0.0 && fabs(v[0]) <= side->tolerance) {
        double half = 0.5 * side->tolerance;
        if (m->longest_step > 0.0)
            return first_on_grid(m, number, a, b, at);
        if ((side->is_above || side->is_switch) && v[0] > -half)
            return is_clear(v, half) ? NOTHING : half_beyond(m, number, a, b, at);
        if (v[0] <= 0.0 && v[1] <= 0.0 && v[2] <= 0.0 && v[3] <= 0.0 && v[4] <= 0.0)
            return NOTHING;
    }
    if (side->is_on) {
        /* It must leave the level before it is above. */
        double size = largest(fabs(m->table[side->quantity][0]), fabs(side->level));
        double above = largest(fabs(v[0]) * (1.0 + 1e-6), 16.0 * DBL_EPSILON * size) + DBL_MIN;
        crossing_found up = crossing_first(&m->search, side_mirrored, m, number, -above, a, b, LEVEL, 0.0, 1);
        if (up.kind == CROSSING_NOT_ISOLATED)
            return LOST;
        if (up.kind == CROSSING_NOT_FINITE)
            return NO_NUMBER;
        if (up.kind != CROSSING_AT)
            return NOTHING;
        from = up.t;
        is_above = 1;
    }
    /* Each sinking is followed by a search from below, which cannot sink again. */
    for (i = 0; i < 4; i++) {
        crossing_found found = crossing_first(&m->search, side_value, m, number, 0.0, from, b, LEVEL, 0.0, is_above);
        switch (found.kind) {
        case CROSSING_NONE:
            return NOTHING;
        case CROSSING_NOT_ISOLATED:
            return LOST;
        case CROSSING_NOT_FINITE:
            return NO_NUMBER;
        default:
            break;
        }
        if (found.kind == CROSSING_AT && is_fresh && found.t <= simultaneous_until(a)) {
            /* It started on the level. */
            is_fresh = 0;
        } else if (found.kind == CROSSING_AT || side->is_switch) {
            *at = is_strict(m, number) ? off_level(m, number, found.t) : beyond(m, number, found.t, b);
            return FOUND;
        }
        from = found.t;
        is_above = 0;
    }
    return NOTHING;
}

static void push_side(MODEL *m, int q, double sign, double level, double tolerance, int is_switch, int is_above)
{
    MODEL_side *side = &m->side[m->side_count++];
    side->is_on = !is_switch && isfinite(m->cell[m->watch[q].of]);
    side->is_fresh = m->flow.t == m->flow_begin;
    side->quantity = q;
    side->sign = sign;
    side->level = level;
    side->tolerance = tolerance;
    side->is_switch = is_switch;
    side->is_above = is_above;
}

static void push_switch(MODEL *m, int q, double sign, double level)
{
    push_side(m, q, sign, level, m->watch[q].tolerance, 1, sign * (m->start[q] - level) > 0.0);
}

/* What must not be passed in the next step, from the values at its start. */
static void list_sides(MODEL *m)
{
    int q;
    m->side_count = 0;
    for (q = 0; q < m->watch_count; q++) {
        const MODEL_watch *w = &m->watch[q];
        int of = w->of, kind;
        double now, value = m->start[q];
        if (w->is_cross) {
            if (signal_b[of] != RISING)
                push_side(m, q, 1.0, m->constant[of][0], w->tolerance, 0, m->cell[of] == HUGE_VAL);
            if (signal_b[of] != FALLING)
                push_side(m, q, -1.0, m->constant[of][0], w->tolerance, 0, m->cell[of] == -HUGE_VAL);
            continue;
        }
        kind = decision_kind[of];
        now = m->frozen[of];
        if (is_equality(kind)) {
            /* Sides that are equal must part; others must not meet. */
            double apart = largest(fabs(value) * (1.0 + 1e-6), 2e-12 * m->size[of]) + DBL_MIN, sign = value > 0.0 ? 1.0 : -1.0;
            if (decision(kind, 0.0) == now) {
                push_side(m, q, 1.0, -apart, 0.0, 1, 1);
                push_side(m, q, -1.0, apart, 0.0, 1, 1);
            } else {
                push_side(m, q, sign, 0.0, w->tolerance, 1, 1);
            }
            continue;
        }
        if (kind == FLOOR) {
            push_switch(m, q, 1.0, now);
            push_switch(m, q, -1.0, now + 1.0);
            continue;
        }
        if (decision(kind, -1.0) != now || (decision(kind, 0.0) != now && value > 0.0))
            push_switch(m, q, 1.0, 0.0);
        if (decision(kind, 1.0) != now || (decision(kind, 0.0) != now && value < 0.0))
            push_switch(m, q, -1.0, 0.0);
    }
}

static const char *owner_name(int owner)
{
    return owner < SIGNALS ? signal_name[owner] : modal_name[owner - SIGNALS];
}

static void fill_table(MODEL *m, double a, double b)
{
    int i, q;
    for (q = 0; q < m->watch_count; q++)
        m->table[q][0] = m->start[q];
    for (i = 1; i < 5; i++) {
        evaluate_watched(m, i == 4 ? b : a + POINTS[i] * (b - a));
        for (q = 0; q < m->watch_count; q++)
            m->table[q][i] = watched(m, q);
    }
}

/* Whether a quantity went straight back through its level, in hardly any time; see note_sliding. */
static int is_straight(const MODEL *m, const double *distance, double from, double to)
{
    double ends = largest(fabs(distance[0]), fabs(distance[2])), moment = 32.0 * DBL_EPSILON * fabs(to);
    return to - from <= moment
           || (fabs(distance[1]) <= 1.5 * ends && ends <= largest(4e-12, m->slide_rate * moment)
               && to - from <= 1e-4 * m->scale);
}

/* Switches that turn each other back: after 64 events of one quantity in a row that went straight back through its level the
 * motion would go along the surface on which they turn. */
static void note_sliding(MODEL *m, double a, double cut)
{
    double moment[3], rate = 0.0;
    int i, k, is_shallow = a == m->flow_begin;
    moment[0] = a;
    moment[1] = 0.5 * (a + cut);
    moment[2] = cut;
    for (k = 0; k < 3 && is_shallow; k++) {
        evaluate_watched(m, moment[k]);
        for (i = 0; i < m->side_count; i++)
            m->distance[i][k] = watched(m, m->side[i].quantity) - m->side[i].level;
    }
    for (i = 0; i < m->side_count && is_shallow; i++)
        if (m->side[i].at <= cut && cut > a)
            rate = largest(rate, fabs((m->distance[i][2] - m->distance[i][0]) / (cut - a)));
    for (i = 0; i < m->side_count && is_shallow; i++)
        if (m->side[i].at <= cut)
            is_shallow = is_straight(m, m->distance[i], a, cut);
    m->is_sliding = 0;
    m->slide_rate = is_shallow ? largest(m->slide_rate, rate) : rate;
    if (!is_shallow) {
        m->slide_events = 0;
        memset(m->slide_switch, 0, sizeof m->slide_switch);
        memset(m->slide_cross, 0, sizeof m->slide_cross);
        return;
    }
    if (m->slide_events++ == 0)
        m->slide_since = cut;
    for (i = 0; i < m->side_count; i++)
        if (m->side[i].at <= cut) {
            const MODEL_watch *w = &m->watch[m->side[i].quantity];
            int *count = w->is_cross ? &m->slide_cross[w->of] : &m->slide_switch[w->of];
            if (++*count >= 64)
                m->is_sliding = 1;
        }
}

/* `cross` detectors whose level was passed right before the cut without being an event. */
static void note_passed(MODEL *m, double a, double cut)
{
    double before = largest(cut - (simultaneous_until(cut) - cut), a);
    int q;
    evaluate_watched(m, before);
    for (q = 0; q < m->watch_count; q++)
        m->before[q] = watched(m, q);
    evaluate_watched(m, cut);
    for (q = 0; q < m->watch_count; q++) {
        const MODEL_watch *w = &m->watch[q];
        if (w->is_cross && !m->is_located[w->of]) {
            double level = m->constant[w->of][0];
            m->has_passed[w->of] = (m->before[q] - level) * (watched(m, q) - level) <= 0.0;
        }
    }
}

/* What rounding leaves open of a time at the most, part of max(1, t). */
static const double MOST_SLACK = 1e-9;

/* What rounding leaves open of the time of the event of a side. */
static double slack(MODEL *m, int number, double a)
{
    const MODEL_side *side = &m->side[number];
    const MODEL_watch *w = &m->watch[side->quantity];
    double t = side->at, size = largest(fabs(t), 1.0), apart = least(1e-7 * size, 0.5 * (t - a)), change, summed, open;
    if (!(apart > 0.0))
        return 0.0;
    change = side_value(m, number, t - apart);
    change = fabs(change - side_value(m, number, t));
    summed = largest(w->is_cross ? fabs(watched(m, side->quantity)) : m->size[w->of], fabs(side->level));
    open = 64.0 * DBL_EPSILON * summed * apart / change;
    return summed == 0.0 || isnan(open) ? 0.0 : least(open, MOST_SLACK * size);
}

/* Sides that are still to be passed at the end of the step, and are right after it. */
static void look_right_after(MODEL *m, double a, double b, double blur)
{
    double to = least(b + 2.0 * blur, b + flow_last(&m->flow)->h / 16.0);
    int i;
    for (i = 0; i < m->side_count && to > b; i++) {
        MODEL_side *side = &m->side[i];
        double now = side->sign * (m->table[side->quantity][4] - side->level);
        double then = side->sign * (m->start[side->quantity] - side->level);
        crossing_found found;
        if (side->at < HUGE_VAL || side->tolerance > 0.0 || !(now > 0.0))
            continue;
        if (side->is_on && now <= fabs(then) * (1.0 + 1e-6))
            continue;
        if (!(side_value(m, i, to) <= 0.0))
            continue;
        found = crossing_first(&m->search, side_value, m, i, 0.0, b, to, LEVEL, 0.0, 1);
        if (found.kind == CROSSING_AT && (side->is_switch || !side->is_fresh || found.t > simultaneous_until(a)))
            side->at = is_strict(m, i) ? off_level(m, i, found.t) : found.t;
    }
}

/* What happens at the same time as the first event or planned moment in the step, or right after it: when it happens, or HUGE_VAL
 * if nothing was located. Clocks, delays, crossings, guards and the end of the run are at the same time if they are closer than
 * 1e-12 of max(1, t), or than what rounding leaves open. All happen at the last of their moments. */
static double together(MODEL *m, double a, double b)
{
    double planned = b >= m->due ? m->due_first : HUGE_VAL, first = planned, until, cut = -HUGE_VAL;
    int i, is_located = 0, earliest = -1;
    for (i = 0; i < m->side_count; i++)
        first = least(first, m->side[i].at);
    if (first == HUGE_VAL)
        return HUGE_VAL;
    if (first + 2.0 * MOST_SLACK * largest(fabs(first), 1.0) >= b)
        look_right_after(m, a, b, MOST_SLACK * largest(fabs(first), 1.0));
    for (i = 0; i < m->side_count; i++)
        if (m->side[i].at < planned && (earliest < 0 || m->side[i].at < m->side[earliest].at))
            earliest = i;
    first = earliest < 0 ? planned : m->side[earliest].at;
    until = simultaneous_until(first) + (earliest < 0 ? 0.0 : slack(m, earliest, a));
    for (i = 0; i < m->side_count; i++) {
        MODEL_side *side = &m->side[i];
        if (side->at == HUGE_VAL)
            continue;
        if (side->at <= until || (side->at <= until + 2.0 * MOST_SLACK * largest(fabs(first), 1.0)
                                  && side->at - slack(m, i, a) <= until)) {
            cut = largest(cut, side->at);
            is_located = 1;
        } else {
            side->at = HUGE_VAL;
        }
    }
    if (!is_located)
        return HUGE_VAL;
    if (planned <= until)
        cut = largest(cut, b <= until ? b : planned);
    return cut;
}

/* Keeps the equalities whose sides met. */
static void note_met(MODEL *m, double cut)
{
    int i;
    evaluate_watched(m, cut);
    for (i = 0; i < m->side_count; i++) {
        const MODEL_watch *w = &m->watch[m->side[i].quantity];
        if (m->side[i].at <= cut && !w->is_cross && is_equality(decision_kind[w->of])
            && decision(decision_kind[w->of], 0.0) != m->frozen[w->of]) {
            m->is_met[w->of] = 1;
            m->met[w->of] = watched(m, m->side[i].quantity);
        }
    }
}

/* Cuts the last step at its first event. Whether there is one, or FAILED. */
static int locate(MODEL *m)
{
    const MODEL_dense *step = flow_last(&m->flow);
    double a = step->t0, b = step->t1, cut;
    int i, q;
    if (m->side_count == 0)
        return 0;
    fill_table(m, a, b);
    for (i = 0; i < m->side_count; i++) {
        int found = first_event(m, i, a, b, &m->side[i].at);
        if (found == LOST)
            return say(m, MODEL_CROSSING_NOT_ISOLATED, "a crossing of `%s` could not be isolated",
                        owner_name(m->watch[m->side[i].quantity].owner));
        if (found == NO_NUMBER)
            return say(m, MODEL_NOT_FINITE, "what `%s` watches is no finite number",
                        owner_name(m->watch[m->side[i].quantity].owner));
        if (found == NOTHING)
            m->side[i].at = HUGE_VAL;
    }
    cut = together(m, a, b);
    if (cut == HUGE_VAL) {
        for (q = 0; q < m->watch_count; q++)
            m->start[q] = m->table[q][4];
        return 0;
    }
    m->located_owner = -1;
    for (i = 0; i < m->side_count; i++)
        if (m->side[i].at <= cut) {
            const MODEL_watch *w = &m->watch[m->side[i].quantity];
            if (w->is_cross)
                m->is_located[w->of] = 1;
            else if (m->located_owner < 0)
                m->located_owner = w->owner;
        }
    note_sliding(m, a, cut);
    note_passed(m, a, cut);
    note_met(m, cut);
    cut_flow(m, cut);
    return 1;
}

/* After a whole step without events: on which sides of their levels `cross` detectors are now. */
static void keep_sides(MODEL *m)
{
    int q;
    if (m->side_count == 0)
        return;
    for (q = 0; q < m->watch_count; q++) {
        const MODEL_watch *w = &m->watch[q];
        if (w->is_cross) {
            double value = m->table[q][4], past = value - m->constant[w->of][0];
            /* Inside the tolerance it may still be seen as a crossing later. */
            if (!is_on_level(m, w->of, value) && fabs(past) > 0.5 * w->tolerance)
                m->cell[w->of] = past > 0.0 ? HUGE_VAL : -HUGE_VAL;
        }
    }
}
