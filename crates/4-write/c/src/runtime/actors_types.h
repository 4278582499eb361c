/* Something that is evaluated while time passes: a signal (or what it copies), a guard, the condition of a region. */
typedef struct {
    int kind;
    int of;
    int source;
} MODEL_entry;

/* A quantity that is watched while time passes: a `cross`, or a decision that must not turn inside a step. */
typedef struct {
    int is_cross;
    int of;
    int owner;
    double tolerance;
} MODEL_watch;

/* A quantity that must stay on its side during a step: sign * (value - level) > 0. */
typedef struct {
    int quantity;
    int is_switch;
    int is_above;
    int is_on;
    int is_fresh;
    double sign;
    double level;
    double tolerance;
    double at;
} MODEL_side;
