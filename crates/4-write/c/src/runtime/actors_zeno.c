/* ---- Runs that would never end: chattering at one instant, events that accumulate in finite time. -------------------
 *
 * What a tick at one instant gives depends only on what the model remembers: if that comes a second time, everything repeats for
 * ever. States are told apart by hash values of 128 bits. Distances of one kind of event that fall geometrically, d_{k+1} = r d_k
 * with r < 1, end at t + d r / (1 - r): eight distances in a row whose ratios agree to 1e-3 (four, if they fall below a third
 * each time), and a limit nearer than 1e-7. If
 * something that is remembered changes from event to event by more than the distances fall (a counter), it may end them, and the
 * run goes on. */

/* Times of a kind of event that are kept: eight distances. */
enum { EVENT_TIMES = 9, FEW_TIMES = 5 };

static double largest(double a, double b)
{
    return a > b ? a : b;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* Keeps what is remembered at an event whose distances fall. */
static void look(MODEL *m, int key, int is_falling)
{
    if (m->look_count > 0 && m->look_key != key)
        return;
    if (!is_falling) {
        m->look_count = 0;
        return;
    }
    m->look_key = key;
    if (m->look_count == 4) {
        memmove(m->look[0], m->look[1], 3 * sizeof m->look[0]);
        m->look_count = 3;
    }
    memcpy(m->look[m->look_count++], m->cell, sizeof m->cell);
}

/* Whether something that is remembered changes by more than the distances fall. */
static int moves_on(const MODEL *m, double ratio)
{
    double low = least(0.5 * (1.0 + ratio), 0.9995);
    int s, i;
    if (m->look_count < 3)
        return 0;
    for (s = 0; s < SIGNALS; s++) {
        int is_moving = 1;
        for (i = 2; i < m->look_count && is_moving; i++)
            is_moving = (m->look[i][s] - m->look[i - 1][s]) / (m->look[i - 1][s] - m->look[i - 2][s]) > low;
        if (is_moving)
            return 1;
    }
    return 0;
}

/* The common ratio of the last distances between so many of the times known, 1 if they have none. */
static double falling(const double *times, int known, int count)
{
    double low = HUGE_VAL, high = 0.0;
    int i;
    if (known < count)
        return 1.0;
    for (i = known - count + 2; i < known; i++) {
        double ratio = (times[i] - times[i - 1]) / (times[i - 1] - times[i - 2]);
        low = least(low, ratio);
        high = largest(high, ratio);
    }
    return high < 0.999 && high - low < 1e-3 ? high : 1.0;
}

/* An event of a kind at the present time. */
static void happen(MODEL *m, int key)
{
    double *times = m->event_times[key];
    double high, rest, last;
    int i;
    m->event_count++;
    m->tick_events++;
    m->last_event = key;
    if (m->event_known[key] > 0 && times[m->event_known[key] - 1] == m->t)
        return;
    if (m->event_known[key] == EVENT_TIMES) {
        memmove(times, times + 1, (EVENT_TIMES - 1) * sizeof *times);
        m->event_known[key]--;
    }
    times[m->event_known[key]++] = m->t;
    i = m->event_known[key];
    if (i > 2)
        look(m, key, times[i - 1] - times[i - 2] < times[i - 2] - times[i - 3]);
    high = falling(times, i, EVENT_TIMES);
    if (high >= 1.0) {
        high = falling(times, i, FEW_TIMES);
        if (high >= 0.34)
            return;
    }
    last = times[i - 1] - times[i - 2];
    rest = last * high / (1.0 - high);
    if (rest < 1e-7 * largest(fabs(m->t), 1.0) && !(m->zeno_limit > 0.0) && !moves_on(m, high)) {
        m->zeno_limit = m->t + rest;
        m->zeno_key = key;
    }
}

/* Mixes a word into both halves of a hash value. */
static void hash(unsigned long long *h, unsigned long long word)
{
    h[0] = mix(h[0] ^ word);
    h[1] = mix(h[1] + (word ^ 0x5851f42d4c957f2dULL));
}

static void fingerprint(const MODEL *m, unsigned long long *h)
{
    int i;
    h[0] = 1;
    h[1] = 2;
    for (i = 0; i < SIGNALS; i++) {
        unsigned long long bits;
        memcpy(&bits, &m->cell[i], sizeof bits);
        hash(h, bits);
        hash(h, m->is_there[i]);
    }
    for (i = 0; i < MODALS; i++)
        hash(h, (unsigned long long)m->mode[i]);
    for (i = 0; i < QUEUES; i++)
        hash(h, (unsigned long long)m->queue_count[i]);
}

/* After a microstep that is not the last: whether the instant has no end. */
static int is_chattering(MODEL *m)
{
    int n = m->microstep, limit = m->microstep_limit, patience = limit < 8 ? 0 : limit - 8, i;
    unsigned long long h[2];
    if (n == 0)
        m->seen_count = m->instant_has_chosen = 0;
    m->instant_has_chosen |= m->has_chosen;
    if (n < (patience < 16 ? patience : 16))
        return 0;
    if (n + 1 >= limit)
        return say(m, MODEL_CHATTERING, "no final value at one instant after %d microsteps", n + 1) < 0;
    /* Random choices break the argument: the same state may go on otherwise. */
    if (m->instant_has_chosen)
        return 0;
    fingerprint(m, h);
    for (i = 0; i < m->seen_count && i < MODEL_SEEN; i++)
        if (m->seen[i][0] == h[0] && m->seen[i][1] == h[1])
            return say(m, MODEL_CHATTERING, "no final value at one instant: everything repeats, seen after %d microsteps",
                        n + 1) < 0;
    m->seen[m->seen_count % MODEL_SEEN][0] = h[0];
    m->seen[m->seen_count % MODEL_SEEN][1] = h[1];
    m->seen_count++;
    return 0;
}
