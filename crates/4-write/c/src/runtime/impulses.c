/* ------------------------------------------------------------------------------------------------------------------
   Impulses: Newton's and Poisson's laws with Coulomb friction, capped so that no impact adds kinetic energy.

   With dg after = dg before + G L the energy changes by L . (dg before + dg after)/2. A group of contacts that share moving entities and would gain
   energy gets the impulses of the same law with a part of its restitution, normal and tangential: the largest part at which it does not.
   ------------------------------------------------------------------------------------------------------------------ */

/* G of some of the contacts evaluated last, into the problem of the workspace; all of them for NULL. */
static void problem_of(MODEL *m, const int *member, int count)
{
    MODEL_problem *p = &m->solver.problem;
    const int size = 3 * count;
    double block[3][3];
    int i, j, k, l;
    p->n = count;
    for (i = 0; i < count; i++) {
        for (j = 0; j < count; j++) {
            (void)delassus_block(m, member == NULL ? i : member[i], member == NULL ? j : member[j], block);
            for (k = 0; k < 3; k++) {
                for (l = 0; l < 3; l++) {
                    p->g[(3 * i + k) * size + 3 * j + l] = block[k][l];
                }
            }
        }
        p->friction[i] = m->at.friction[member == NULL ? i : member[i]];
        p->least[i] = 0.0;
        p->is_fixed[i] = 0;
        p->direction[2 * i] = p->direction[2 * i + 1] = 0.0;
    }
}

static const char *first_label(const MODEL *m)
{
    return m->at.count > 0 ? CONTACT[m->at.contact[0]].label : "no contact";
}

/* Contacts whose impact is found together: numbers among the contacts evaluated last, dg before it (of all of those), e_N of all of them, and the part of
   restitution, normal and tangential, that acts. */
typedef struct {
    int n;
    int member[MODEL_CLOSED];
    const double *rate;
    const double *e_n;
    double share;
} MODEL_colliding;

static double colliding_e_t(const MODEL *m, const MODEL_colliding *c, int k)
{
    return c->share * m->tangential_restitution[m->at.contact[c->member[k]]];
}

#if POLICY != POLICY_POISSON
/* Newton's law with Coulomb friction, as it stands. */
static int plain_impulses(MODEL *m, const MODEL_colliding *c, double *impulse)
{
    MODEL_problem *p = &m->solver.problem;
    int k, is_found;
    problem_of(m, c->member, c->n);
    for (k = 0; k < p->n; k++) {
        const double *rate = c->rate + 3 * c->member[k];
        const double e_t = colliding_e_t(m, c, k);
        p->bias[3 * k] = (1.0 + c->share * c->e_n[c->member[k]]) * rate[0];
        p->bias[3 * k + 1] = (1.0 + e_t) * rate[1];
        p->bias[3 * k + 2] = (1.0 + e_t) * rate[2];
    }
#if POLICY == POLICY_SIMULTANEOUS
    is_found = problem_finish(p) && solve_contacts(&m->solver, SWEEP_LIMIT);
#else
    is_found = problem_finish(p) && solve_alone(&m->solver);
#endif
    if (!is_found) {
        return say(m, MODEL_FORCES_NOT_FOUND, "impulses did not converge: %s and the contacts with it", first_label(m));
    }
    copy(impulse, m->solver.best, 3 * p->n);
    return MODEL_OK;
}
#else
/* Poisson's law, as it stands: compression, then restitution of the stored impulses. */
static int plain_impulses(MODEL *m, const MODEL_colliding *c, double *impulse)
{
    MODEL_problem *p = &m->solver.problem;
    double after[MODEL_UNKNOWNS] = {0.0};
    int phase, j, k;
    problem_of(m, c->member, c->n);
    for (k = 0; k < 3 * p->n; k++) {
        after[k] = c->rate[3 * c->member[k / 3] + k % 3];
        impulse[k] = 0.0;
    }
    for (phase = 0; phase < 2; phase++) {
        for (k = 0; k < p->n; k++) {
            const double *rate = c->rate + 3 * c->member[k];
            const double e_t = colliding_e_t(m, c, k);
            p->bias[3 * k] = after[3 * k];
            p->bias[3 * k + 1] = after[3 * k + 1] + e_t * rate[1];
            p->bias[3 * k + 2] = after[3 * k + 2] + e_t * rate[2];
            p->least[k] = phase == 0 ? 0.0 : c->share * c->e_n[c->member[k]] * impulse[3 * k];
        }
        if (!problem_finish(p) || !solve_contacts(&m->solver, SWEEP_LIMIT)) {
            return say(m, MODEL_FORCES_NOT_FOUND, "impulses did not converge: %s and the contacts with it", first_label(m));
        }
        for (j = 0; j < 3 * p->n; j++) {
            impulse[j] += m->solver.best[j];
        }
        problem_respond(p, impulse, after);
        for (j = 0; j < 3 * p->n; j++) {
            after[j] += c->rate[3 * c->member[j / 3] + j % 3];
        }
    }
    return MODEL_OK;
}
#endif

#if IS_CAPPED
/* The kinetic energy that the impulses of some of the colliding contacts add, those of `group` in `of` (all for NULL); what counts as none in *allowed, and
   what it is a sum of in *size. The impulses are those of the problem of the workspace. */
static double energy_added(const MODEL *m, const MODEL_colliding *c, const double *impulse, const int *of, int group, double *allowed, double *size)
{
    const MODEL_problem *p = &m->solver.problem;
    double after[MODEL_UNKNOWNS] = {0.0}, change = 0.0, pressed = 0.0, sum = 0.0, speed = 0.0;
    int j, k;
    problem_respond(p, impulse, after);
    for (j = 0; j < p->n; j++) {
        double work = 0.0;
        if (of != NULL && of[j] != group) {
            continue;
        }
        for (k = 0; k < 3; k++) {
            const double before = c->rate[3 * c->member[j] + k];
            const double behind = after[3 * j + k] + before;
            work += 0.5 * impulse[3 * j + k] * (before + behind);
            sum += fabs(impulse[3 * j + k]);
            speed = fmax(speed, fmax(fabs(before), fabs(behind)));
        }
        change += work;
        pressed += impulse[3 * j];
    }
    *size = sum * speed;
    *allowed = 1e-10 * *size + 0.5 * TOLERANCE_VELOCITY * pressed;
    return change;
}

/* The impulses with a part of restitution; the energy they add in *change, infinite where there are none. */
static int shared_impulses(MODEL *m, MODEL_colliding *c, double share, double *impulse, double *change, double *size)
{
    double allowed;
    c->share = share;
    *change = INFINITY;
    if (plain_impulses(m, c, impulse) != MODEL_OK) {
        return m->status;
    }
    *change = energy_added(m, c, impulse, NULL, 0, &allowed, size);
    return MODEL_OK;
}

/* The impulses of contacts that would gain energy with all of their restitution: with the largest part of it at which they do not. It is looked for from 1
   down in sixteenths, then bracketed by regula falsi and bisection; without any an impact never adds energy. */
static int capped_impulses(MODEL *m, MODEL_colliding *c, double added, double *impulse)
{
    double trial[MODEL_UNKNOWNS] = {0.0}, low = 0.0, high = 1.0, at_low = 0.0, at_high = added, loss = 0.0, size = 0.0;
    double widths[3] = {INFINITY, INFINITY, INFINITY};
    int look, turn;
    for (look = 15; look >= 0; look--) {
        double change;
        if (shared_impulses(m, c, look / 16.0, trial, &change, &size) != MODEL_OK) {
            if (look == 0) {
                return m->status;
            }
            m->status = MODEL_OK;
            m->message[0] = '\0';
        }
        if (change <= 0.0 || look == 0) {
            copy(impulse, trial, 3 * c->n);
            low = look / 16.0;
            at_low = loss = change;
            break;
        }
        high = look / 16.0;
        at_high = change;
    }
    for (turn = 0; turn < 100 && high - low > 1e-14 && -loss > 1e-14 * size; turn++) {
        const double width = high - low, secant = low - at_low * width / (at_high - at_low);
        const int is_slow = width > 0.5 * widths[0];
        const double share = is_slow || !(secant > low && secant < high) ? 0.5 * (low + high) : secant;
        double change, own = 0.0;
        widths[0] = widths[1];
        widths[1] = widths[2];
        widths[2] = width;
        if (shared_impulses(m, c, share, trial, &change, &own) != MODEL_OK) {
            m->status = MODEL_OK;
            m->message[0] = '\0';
        }
        if (change <= 0.0) {
            copy(impulse, trial, 3 * c->n);
            low = share;
            at_low = loss = change;
            size = own;
            at_high *= 0.5;
        } else {
            high = share;
            at_high = change;
            at_low *= isfinite(change) ? 0.5 : 1.0;
        }
    }
    return MODEL_OK;
}

/* Contacts that share moving entities, directly or through others, get the number of the first of them. */
static void groups_of(const MODEL *m, const MODEL_colliding *c, int *of)
{
    double block[3][3];
    int i, j, k;
    for (i = 0; i < c->n; i++) {
        of[i] = i;
    }
    for (i = 0; i < c->n; i++) {
        for (j = 0; j < i; j++) {
            if (of[i] != of[j] && delassus_block(m, c->member[i], c->member[j], block)) {
                const int first = of[i] < of[j] ? of[i] : of[j], second = of[i] < of[j] ? of[j] : of[i];
                for (k = 0; k < c->n; k++) {
                    of[k] = of[k] == second ? first : of[k];
                }
            }
        }
    }
}
#endif

/* The impulses of contacts that collide together; no group of them gains energy, if that is not allowed. */
static int impulses_together(MODEL *m, MODEL_colliding *c, double *impulse)
{
    if (plain_impulses(m, c, impulse) != MODEL_OK) {
        return m->status;
    }
#if IS_CAPPED
    {
        double added[MODEL_CLOSED] = {0.0}, own[MODEL_UNKNOWNS] = {0.0};
        int of[MODEL_CLOSED] = {0}, gains[MODEL_CLOSED] = {0}, place[MODEL_CLOSED] = {0}, group, j, k;
        groups_of(m, c, of);
        for (group = 0; group < c->n; group++) {
            double allowed = 0.0, size = 0.0;
            if (of[group] == group) {
                added[group] = energy_added(m, c, impulse, of, group, &allowed, &size);
                gains[group] = added[group] > allowed;
            }
        }
        for (group = 0; group < c->n; group++) {
            MODEL_colliding some = *c;
            if (!gains[group]) {
                continue;
            }
            some.n = 0;
            for (j = 0; j < c->n; j++) {
                if (of[j] == group) {
                    place[some.n] = j;
                    some.member[some.n++] = c->member[j];
                }
            }
            if (capped_impulses(m, &some, added[group], own) != MODEL_OK) {
                return m->status;
            }
            for (j = 0; j < some.n; j++) {
                for (k = 0; k < 3; k++) {
                    impulse[3 * place[j] + k] = own[3 * j + k];
                }
            }
        }
    }
#endif
    return MODEL_OK;
}

#if POLICY != POLICY_SEQUENTIAL
/* All contacts together. */
static int impulses(MODEL *m, const double *e_n, double *impulse)
{
    MODEL_colliding c;
    double rate[MODEL_UNKNOWNS] = {0.0};
    int j, k;
    c.n = m->at.count;
    c.rate = rate;
    c.e_n = e_n;
    c.share = 1.0;
    for (j = 0; j < c.n; j++) {
        c.member[j] = j;
        for (k = 0; k < 3; k++) {
            rate[3 * j + k] = m->at.kinematics[j].rate[k];
        }
    }
    return impulses_together(m, &c, impulse);
}
#else
/* The next number of SplitMix64. */
static unsigned long long random_next(unsigned long long *state)
{
    unsigned long long z;
    *state = (*state + 0x9e3779b97f4a7c15ULL) & 0xffffffffffffffffULL;
    z = *state;
    z = ((z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL) & 0xffffffffffffffffULL;
    z = ((z ^ (z >> 27)) * 0x94d049bb133111ebULL) & 0xffffffffffffffffULL;
    return z ^ (z >> 31);
}

/* A number below a bound: the high part of the product with a 64-bit number. */
static int random_below(unsigned long long *state, int bound)
{
    const unsigned long long z = random_next(state);
    const unsigned long long low = (z & 0xffffffffULL) * (unsigned long long)bound;
    return (int)(((z >> 32) * (unsigned long long)bound + (low >> 32)) >> 32);
}

/* One collision at a time, until no contact is closing. */
static int impulses(MODEL *m, const double *e_n, double *impulse)
{
    /* The place of the softer problem holds G: single collisions need no softer problems. */
    MODEL_problem *whole = &m->solver.softer;
    unsigned long long state = RANDOM_SEED + m->impacts;
    MODEL_colliding c;
    contact_numbers after;
    double rate[MODEL_UNKNOWNS] = {0.0}, own[MODEL_UNKNOWNS] = {0.0};
    int closing[MODEL_CLOSED], collisions, j, k;
    problem_of(m, NULL, m->at.count);
    *whole = m->solver.problem;
    c.n = 1;
    c.rate = rate;
    c.e_n = e_n;
    for (j = 0; j < 3 * whole->n; j++) {
        impulse[j] = 0.0;
    }
    for (collisions = 0; collisions < 10000; collisions++) {
        int count = 0;
        problem_respond(whole, impulse, rate);
        for (j = 0; j < whole->n; j++) {
            for (k = 0; k < 3; k++) {
                rate[3 * j + k] += m->at.kinematics[j].rate[k];
            }
            memset(&after, 0, sizeof after);
            memcpy(after.rate, rate + 3 * j, sizeof after.rate);
            if (contact_strikes(&after, &USUAL)) {
                closing[count++] = j;
            }
        }
        if (count == 0) {
            m->collisions = collisions;
            return MODEL_OK;
        }
        j = closing[IS_RANDOM ? random_below(&state, count) : 0];
        c.member[0] = j;
        c.share = 1.0;
        if (IS_FRICTION_OF_SPEED(m->at.contact[j])) {
            /* Each collision is an impact of its own, with the slip just before it. */
            const double speed = length2(rate[3 * j + 1], rate[3 * j + 2]);
            memcpy(after.rate, rate + 3 * j, sizeof after.rate);
            m->at.friction[j] = friction_at(m, m->at.contact[j], contact_slips(&after, &USUAL) ? speed : 0.0);
        }
        if (impulses_together(m, &c, own) != MODEL_OK) {
            return say(m, MODEL_FORCES_NOT_FOUND, "the impulse of %s did not converge", CONTACT[m->at.contact[j]].label);
        }
        for (k = 0; k < 3; k++) {
            impulse[3 * j + k] += own[k];
        }
    }
    return say(m, MODEL_FORCES_NOT_FOUND, "%s is still closing after 10000 collisions", CONTACT[m->at.contact[closing[0]]].label);
}
#endif
