/** The model: all of its state and work space. The caller owns it; nothing is allocated, and a copy is a second model. */
typedef struct MODEL MODEL;

struct MODEL {
    double t;
    int microstep;
    int status;
    char location[MODEL_LOCATION_SIZE];
    char message[256];
FIELDS
};

/** Everything as in the model file, at time 0. Always call it first. */
int MODEL_init(MODEL *m);

/** Sets a variable: see enum MODEL_kind for which and when. An input keeps its value until it is set again. */
int MODEL_set(MODEL *m, int variable, double value);

/** The value of a variable; NaN if there is none. */
double MODEL_get(const MODEL *m, int variable);

/** Goes on to a time, executing all events before it. */
int MODEL_step(MODEL *m, double until);

/** Goes on to a time, or to the next discrete transition: MODEL_EVENT then, with time, microstep and location after it. */
int MODEL_step_to_event(MODEL *m, double until);

/** The model's time, s. */
double MODEL_time(const MODEL *m);

/** The microstep of the last transition at this time: superdense time is (time, microstep). */
int MODEL_microstep(const MODEL *m);

/** The name of the location in the automaton, such as S_0. */
const char *MODEL_location(const MODEL *m);

/** Why the model cannot go on; empty if it can. */
const char *MODEL_message(const MODEL *m);

/** Until when the model is meant to run, s; below zero if it does not say. */
double MODEL_horizon(void);

/** The variable of a name, such as "ball.x"; -1 if there is none. */
int MODEL_find(const char *name);

/** The name of a variable as in the model file; empty if there is none. */
const char *MODEL_name(int variable);

/** The unit of a variable; empty if it has none. */
const char *MODEL_unit(int variable);

/** What a variable is, one of enum MODEL_kind; -1 if there is none. */
int MODEL_kind(int variable);
