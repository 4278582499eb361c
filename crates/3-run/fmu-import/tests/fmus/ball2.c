/* A small FMU of FMI 2.0 for model exchange, written for the tests from the text of the standard.

   h' = v, v' = -g + u; at h <= 0 and v < 0: v := -e v, in two updates of discrete states; at t = kick_time: v := v + kick.
   y = h + 2 u depends directly on the input. After the step that passes t = wish an event is asked for; at fail_time derivatives fail.
   At the bounce number last_bounce, and after the step that passes t = last_step, the end of the simulation is asked for. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef void *Component;
typedef void (*Logger)(void *, const char *, int, const char *, const char *, ...);
typedef struct {
    Logger logger;
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void (*finished)(void *, int);
    void *environment;
} Callbacks;
typedef struct {
    int more, end, nominals, states, has_next;
    double next;
} EventInfo;

enum { TIME, H, V, DV, G, E, U, Y, KICK_TIME, KICK, WISH, FAIL_TIME, LAST_BOUNCE, LAST_STEP, REALS };
enum { BOUNCES, STEPS, WISHES, HEAVY, INTEGERS };
enum { CREATED, INITIALISING, EVENT, CONTINUOUS };

typedef struct {
    double r[REALS];
    int i[INTEGERS];
    int mode, is_kicked, is_wished, is_half_done;
    const Callbacks *callbacks;
} Ball;

static int complain(Ball *b, const char *text, double number) {
    b->callbacks->logger(b->callbacks->environment, "ball", 3, "error", text, number);
    return 3;
}

const char *fmi2GetVersion(void) { return "2.0"; }
const char *fmi2GetTypesPlatform(void) { return "default"; }

Component fmi2Instantiate(const char *name, int type, const char *token, const char *resources,
                          const Callbacks *callbacks, int visible, int logging) {
    Ball *b;
    (void)name; (void)visible; (void)logging;
    if (type != 0 || strcmp(token, "{ball}") != 0 || strncmp(resources, "file:///", 8) != 0) {
        callbacks->logger(callbacks->environment, "ball", 3, "error", "the token is %s, not {ball}", token);
        return NULL;
    }
    b = callbacks->allocate(1, sizeof(Ball));
    b->r[H] = 1;
    b->r[G] = 9.81;
    b->r[E] = 0.7;
    b->r[KICK_TIME] = b->r[WISH] = b->r[FAIL_TIME] = b->r[LAST_BOUNCE] = b->r[LAST_STEP] = 1e9;
    b->callbacks = callbacks;
    return b;
}
void fmi2FreeInstance(Component c) { if (c) ((Ball *)c)->callbacks->release(c); }
int fmi2SetDebugLogging(Component c, int on, size_t n, const char *const *list) { (void)c; (void)on; (void)n; (void)list; return 0; }
int fmi2SetupExperiment(Component c, int a, double b, double t, int d, double e) {
    (void)a; (void)b; (void)d; (void)e;
    ((Ball *)c)->r[TIME] = t;
    return 0;
}
int fmi2EnterInitializationMode(Component c) { ((Ball *)c)->mode = INITIALISING; return 0; }
int fmi2ExitInitializationMode(Component c) { ((Ball *)c)->mode = EVENT; return 0; }
int fmi2Terminate(Component c) { (void)c; return 0; }
int fmi2Reset(Component c) { (void)c; return 3; }

int fmi2GetReal(Component c, const unsigned *vr, size_t n, double *value) {
    Ball *b = c;
    size_t k;
    b->r[DV] = -b->r[G] + b->r[U];
    b->r[Y] = b->r[H] + 2 * b->r[U];
    for (k = 0; k < n; k++) {
        if (vr[k] >= REALS) return complain(b, "there is no real number %g", vr[k]);
        value[k] = b->r[vr[k]];
    }
    return 0;
}
int fmi2SetReal(Component c, const unsigned *vr, size_t n, const double *value) {
    Ball *b = c;
    size_t k;
    for (k = 0; k < n; k++) {
        if (vr[k] >= REALS) return complain(b, "there is no real number %g", vr[k]);
        if (vr[k] != U && b->mode != CREATED) return complain(b, "number %g cannot be set now", vr[k]);
        if (vr[k] == E && value[k] > 1) return complain(b, "e is %g, more than 1", value[k]);
        b->r[vr[k]] = value[k];
    }
    return 0;
}
int fmi2GetInteger(Component c, const unsigned *vr, size_t n, int *value) {
    Ball *b = c;
    size_t k;
    for (k = 0; k < n; k++) {
        if (vr[k] >= INTEGERS) return complain(b, "there is no integer %g", vr[k]);
        value[k] = b->i[vr[k]];
    }
    return 0;
}
int fmi2SetInteger(Component c, const unsigned *vr, size_t n, const int *value) { (void)vr; (void)n; (void)value; return complain(c, "%g", 0); }
int fmi2GetBoolean(Component c, const unsigned *vr, size_t n, int *value) { return fmi2GetInteger(c, vr, n, value); }
int fmi2SetBoolean(Component c, const unsigned *vr, size_t n, const int *value) {
    Ball *b = c;
    size_t k;
    if (b->mode == CONTINUOUS) return complain(b, "a discrete input is set at %g, while time passes", b->r[TIME]);
    for (k = 0; k < n; k++) b->i[vr[k]] = value[k];
    return 0;
}

int fmi2EnterEventMode(Component c) {
    Ball *b = c;
    if (b->mode != CONTINUOUS) return complain(b, "event mode is entered twice at %g", b->r[TIME]);
    b->mode = EVENT;
    return 0;
}
int fmi2NewDiscreteStates(Component c, EventInfo *info) {
    Ball *b = c;
    memset(info, 0, sizeof *info);
    if (b->mode != EVENT) return complain(b, "no event mode at %g", b->r[TIME]);
    if (b->is_half_done) {
        b->is_half_done = 0;
        b->r[V] *= -b->r[E];
        b->i[BOUNCES]++;
        info->states = 1;
        info->end = b->i[BOUNCES] >= b->r[LAST_BOUNCE];
    } else if (b->r[H] <= 0 && b->r[V] < 0) {
        b->is_half_done = info->more = 1;
    }
    if (!b->is_kicked && b->r[TIME] >= b->r[KICK_TIME]) {
        b->is_kicked = info->states = 1;
        b->r[V] += b->r[KICK];
    }
    if (b->is_wished == 1) {
        b->is_wished = 2;
        b->i[WISHES]++;
    }
    info->has_next = !b->is_kicked;
    info->next = b->r[KICK_TIME];
    return 0;
}
int fmi2EnterContinuousTimeMode(Component c) { ((Ball *)c)->mode = CONTINUOUS; return 0; }
int fmi2CompletedIntegratorStep(Component c, int prior, int *event, int *end) {
    Ball *b = c;
    (void)prior;
    b->i[STEPS]++;
    *event = 0;
    *end = b->r[TIME] > b->r[LAST_STEP];
    if (b->is_wished == 0 && b->r[TIME] > b->r[WISH]) {
        b->is_wished = *event = 1;
    }
    return 0;
}
int fmi2SetTime(Component c, double time) { ((Ball *)c)->r[TIME] = time; return 0; }
int fmi2SetContinuousStates(Component c, const double *x, size_t n) {
    Ball *b = c;
    if (n != 2 || b->mode != CONTINUOUS) return complain(b, "states cannot be set at %g", b->r[TIME]);
    b->r[H] = x[0];
    b->r[V] = x[1];
    return 0;
}
int fmi2GetContinuousStates(Component c, double *x, size_t n) {
    (void)n;
    x[0] = ((Ball *)c)->r[H];
    x[1] = ((Ball *)c)->r[V];
    return 0;
}
int fmi2GetDerivatives(Component c, double *dx, size_t n) {
    Ball *b = c;
    (void)n;
    if (b->r[TIME] > b->r[FAIL_TIME]) return complain(b, "t is %g: 100%% too late", b->r[TIME]);
    dx[0] = b->r[V];
    dx[1] = -(b->i[HEAVY] ? 2 : 1) * b->r[G] + b->r[U];
    return 0;
}
int fmi2GetEventIndicators(Component c, double *z, size_t n) {
    (void)n;
    /* The sign is turned on purpose: events in both directions count. */
    z[0] = -((Ball *)c)->r[H];
    return 0;
}
