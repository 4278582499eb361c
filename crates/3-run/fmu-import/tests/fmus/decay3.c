/* A small FMU of FMI 3.0 for co-simulation only, written for the tests from the text of the standard.

   x' = -k (x - u), solved exactly over each step for a constant u. At t = refill_time a step returns early with an event, which sets x := x + amount. At t = last it asks for the end. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef void *Instance;
typedef void (*Logger)(void *, int, const char *, const char *);

enum { TIME, X, K, U, REFILL_TIME, AMOUNT, LIMIT, LAST, REALS };
enum { CREATED, INITIALISING, EVENT, STEP };

typedef struct {
    double r[REALS];
    int32_t steps, events;
    bool is_refilled, is_late, is_due;
    int mode;
    void *environment;
    Logger log;
} Decay;

static int complain(Decay *d, const char *text) {
    d->log(d->environment, 3, "error", text);
    return 3;
}

const char *fmi3GetVersion(void) { return "3.0"; }
int fmi3SetDebugLogging(Instance i, bool on, size_t n, const char *const *list) { (void)i; (void)on; (void)n; (void)list; return 0; }
Instance fmi3InstantiateModelExchange(const char *a, const char *b, const char *c, bool d, bool e, void *f, Logger g) {
    (void)a; (void)b; (void)c; (void)d; (void)e; (void)f; (void)g;
    return NULL;
}
Instance fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible, bool logging,
                                     bool events, bool early, const uint32_t *required, size_t n, void *environment,
                                     Logger log, void *update) {
    Decay *d;
    (void)name; (void)visible; (void)logging; (void)required; (void)n; (void)update;
    if (strcmp(token, "decay") != 0 || !events || !early || resources[strlen(resources) - 1] != '/') {
        log(environment, 3, "error", "the token is wrong, or the event mode is not used");
        return NULL;
    }
    d = calloc(1, sizeof(Decay));
    d->r[X] = 1;
    d->r[K] = 1;
    d->r[REFILL_TIME] = d->r[LIMIT] = d->r[LAST] = 1e9;
    d->environment = environment;
    d->log = log;
    return d;
}
void fmi3FreeInstance(Instance i) { free(i); }
int fmi3EnterInitializationMode(Instance i, bool a, double b, double t, bool c, double e) {
    (void)a; (void)b; (void)c; (void)e;
    ((Decay *)i)->r[TIME] = t;
    ((Decay *)i)->mode = INITIALISING;
    return 0;
}
int fmi3ExitInitializationMode(Instance i) { ((Decay *)i)->mode = EVENT; return 0; }
int fmi3EnterEventMode(Instance i) {
    Decay *d = i;
    if (d->mode != STEP) return complain(d, "event mode is entered twice");
    d->mode = EVENT;
    return 0;
}
int fmi3EnterStepMode(Instance i) {
    Decay *d = i;
    if (d->mode != EVENT) return complain(d, "step mode is entered twice");
    d->mode = STEP;
    return 0;
}
int fmi3Terminate(Instance i) { (void)i; return 0; }
int fmi3Reset(Instance i) { (void)i; return 3; }
int fmi3UpdateDiscreteStates(Instance i, bool *more, bool *end, bool *nominals, bool *states, bool *has_next, double *next) {
    Decay *d = i;
    *more = *end = *nominals = *states = *has_next = false;
    *next = 0;
    if (d->mode != EVENT) return complain(d, "no event mode");
    if (d->is_due) {
        d->is_due = false;
        d->is_refilled = true;
        d->r[X] += d->r[AMOUNT];
        d->events++;
    }
    return 0;
}
int fmi3DoStep(Instance i, double t, double length, bool prior, bool *event, bool *end, bool *early, double *reached) {
    Decay *d = i;
    double to = t + length;
    (void)prior;
    *event = *end = *early = false;
    if (d->mode != STEP) return complain(d, "no step mode");
    if (fabs(t - d->r[TIME]) > 1e-12) return complain(d, "a step begins where the last did not end");
    if (to > d->r[LIMIT]) return complain(d, "the limit is passed");
    if (!d->is_refilled && to >= d->r[REFILL_TIME]) {
        to = d->r[REFILL_TIME];
        *event = d->is_due = true;
        *early = to < t + length;
    }
    if (to >= d->r[LAST]) {
        to = d->r[LAST];
        *end = true;
        *early = to < t + length;
    }
    d->r[X] = d->r[U] + (d->r[X] - d->r[U]) * exp(-d->r[K] * (to - t));
    d->r[TIME] = *reached = to;
    d->steps++;
    return 0;
}

int fmi3GetFloat64(Instance i, const uint32_t *vr, size_t n, double *value, size_t m) {
    size_t k;
    if (n != m) return 3;
    for (k = 0; k < n; k++) value[k] = ((Decay *)i)->r[vr[k]];
    return 0;
}
int fmi3SetFloat64(Instance i, const uint32_t *vr, size_t n, const double *value, size_t m) {
    size_t k;
    if (n != m) return 3;
    for (k = 0; k < n; k++) ((Decay *)i)->r[vr[k]] = value[k];
    return 0;
}
int fmi3GetInt32(Instance i, const uint32_t *vr, size_t n, int32_t *value, size_t m) {
    size_t k;
    if (n != m) return 3;
    for (k = 0; k < n; k++) value[k] = vr[k] == 10 ? ((Decay *)i)->steps : ((Decay *)i)->events;
    return 0;
}
int fmi3SetBoolean(Instance i, const uint32_t *vr, size_t n, const bool *value, size_t m) {
    Decay *d = i;
    (void)vr;
    if (n != m) return 3;
    if (d->mode == STEP) return complain(d, "a discrete input is set in step mode");
    d->is_late = value[0];
    return 0;
}
int fmi3GetBoolean(Instance i, const uint32_t *vr, size_t n, bool *value, size_t m) {
    (void)vr;
    if (n != m) return 3;
    value[0] = ((Decay *)i)->is_late;
    return 0;
}

/* What this model has no variables for. */
#define NO_VALUES(Type, type)                                                                             \
    int fmi3Get##Type(Instance i, const uint32_t *vr, size_t n, type *value, size_t m) {                   \
        (void)vr; (void)n; (void)value; (void)m;                                                          \
        return complain(i, "no variable has this type");                                                  \
    }                                                                                                     \
    int fmi3Set##Type(Instance i, const uint32_t *vr, size_t n, const type *value, size_t m) {             \
        (void)vr; (void)n; (void)value; (void)m;                                                          \
        return complain(i, "no variable has this type");                                                  \
    }
NO_VALUES(Float32, float)
NO_VALUES(Int8, int8_t)
NO_VALUES(UInt8, uint8_t)
NO_VALUES(Int16, int16_t)
NO_VALUES(UInt16, uint16_t)
NO_VALUES(UInt32, uint32_t)
NO_VALUES(Int64, int64_t)
NO_VALUES(UInt64, uint64_t)
int fmi3SetInt32(Instance i, const uint32_t *vr, size_t n, const int32_t *value, size_t m) {
    (void)vr; (void)n; (void)value; (void)m;
    return complain(i, "counters cannot be set");
}
