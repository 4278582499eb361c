/* ---- Words of the tables. ------------------------------------------------------------------------------------------ */

/* What a formula is evaluated with. */
typedef struct {
    MODEL *m;
    const double *v;
    const double *u;
    const double *p;
    double t;
    int is_flow;
} Moment;

/* Primitives that signals are the output of. */
enum {
    EXPRESSION,
    DEFAULT,
    INHIBIT,
    SAMPLE,
    HOLD,
    POST,
    CROSS,
    CLOCK,
    AT,
    DELAY,
    IS_PRESENT,
    IS_ABSENT,
    INTEGRATOR,
    MERGE,
    BEFORE
};

/* Directions of a `cross`. */
enum { BOTH, RISING, FALLING };

/* What decides whether a region is active. */
enum { ROOT, ENABLED, MODE, LEAVING };

/* How a region that is active came to be so: its modes are those in which the tick began; entered with history; entered as new. */
enum { STAYS, RETURNS, NEW };

/* Decisions. Comparisons come first. */
enum {
    LESS,
    LESS_EQUAL,
    GREATER,
    GREATER_EQUAL,
    EQUAL,
    NOT_EQUAL,
    NOT_ZERO,
    SIGN,
    FLOOR,
    ABSOLUTE,
    MINIMUM,
    MAXIMUM
};

/* Flags of transitions. */
enum { IMMEDIATE = 1, PREEMPTIVE = 2, HISTORY = 4, IS_DEFAULT = 8, CHOICE = 16 };

/* What is evaluated while time passes. */
enum { OF_SIGNAL, OF_GUARD, OF_REGION };

static double switched(const Moment *c, int k, double a, double b);
