/* A surface in the frame of its entity: half sizes of its core (or the unit normal of a plane), radius of the ball swept over it. */
typedef struct {
    int kind;
    double size[3];
    double radius;
    double offset;
    double position[3];
    double orientation[4];
} MODEL_surface;

/* The two surfaces of a contact; side tells on which side of a plane the other entity started, yields whether the contact is one of a whole with
   the vertex of another, which counts only where it meets no vertex. */
typedef struct {
    MODEL_surface first, second;
    int side, yields;
} MODEL_pair;

/* g_N, the same as far as touching goes, (n, tx, ty), arms, dg and the biases w_a of a contact. */
typedef struct {
    int axis;
    double gap, closing_gap;
    double frame[3][3];
    double arm[2][3];
    double rate[3];
    double bias[3];
} MODEL_kinematics;

/* The columns of W and of M^-1 W of a contact on its two entities; place -1: that one is fixed. */
typedef struct {
    int place[2];
    double column[2][3][6];
    double response[2][3][6];
} MODEL_directions;

/* A closed contact: it slips or sticks, with the direction in which it slips, the axis of its tangents, and until when its impacts
   accumulate (infinite: they do not). */
typedef struct {
    int contact;
    int slips;
    int is_starting;
    int axis;
    double direction[2];
    double zeno_until;
} MODEL_active;

/* Everything about some contacts in one state. */
typedef struct {
    int count;
    int contact[MODEL_CLOSED];
    double state[MODEL_DIMENSION];
    double load[MODEL_BODIES * 6];
    double acceleration[MODEL_BODIES * 6];
    double inverse_inertia[MODEL_BODIES * 9];
    double friction[MODEL_CLOSED];
    double free_rate[MODEL_UNKNOWNS];
    double force[MODEL_UNKNOWNS];
    double slip_direction[2 * MODEL_CLOSED];
    int is_redundant; /* whether the forces are one choice of many */
    MODEL_kinematics kinematics[MODEL_CLOSED];
    MODEL_directions directions[MODEL_CLOSED];
} MODEL_evaluation;

/* A contact problem: G by rows, biases, laws. */
typedef struct {
    int n;
    double g[MODEL_UNKNOWNS * MODEL_UNKNOWNS];
    double bias[MODEL_UNKNOWNS];
    double friction[MODEL_CLOSED];
    double least[MODEL_CLOSED];
    int is_fixed[MODEL_CLOSED];
    double direction[2 * MODEL_CLOSED];
    double normal[MODEL_CLOSED];
    double tangential[MODEL_CLOSED];
    double scale;
} MODEL_problem;

/* Work space of computation nodes and of the forces in a location. */
typedef struct {
    MODEL_problem problem, softer;
    int sweeps;
    double residual;
    double best[MODEL_UNKNOWNS];
    double matrix[MODEL_UNKNOWNS * MODEL_UNKNOWNS];
    double transposed[MODEL_UNKNOWNS * MODEL_UNKNOWNS];
    double memory[11][2][MODEL_UNKNOWNS];
} MODEL_solver;

/* A place of the automaton: a dynamical location, or the entrance of a node; for each contact 0, or 1 + its friction mode. */
typedef struct {
    int node;
    /* Transitions to the same place that follow at once: further collisions of an impact. */
    int again;
    /* Which of them it is: 0 for the first, which is the entrance. */
    int collision;
    unsigned char mode[MODEL_CONTACTS];
} MODEL_place;
