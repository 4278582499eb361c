/* The polynomial of one step: x(t) = x0 + sum_k slopes_k Q_k((t - t0)/h), Q_k the integrals of Legendre polynomials. */
typedef struct {
    double t0, t1, h;
    double x0[MODEL_DIMENSION];
    double carry[MODEL_DIMENSION];
    double slopes[MODEL_DIMENSION * 12];
} MODEL_dense;

/* The integrator: Gauss collocation with 12 nodes, order 24 at the end of a step, degree 12 inside it. */
typedef struct {
    int n;
    double t;
    double x[MODEL_DIMENSION];
    double carry[MODEL_DIMENSION];
    double h;
    int is_smooth;
    int is_end_slope_known;
    double end_slope[MODEL_DIMENSION];
    int last;
    MODEL_dense dense[2];
    double at_nodes[MODEL_DIMENSION * 12];
    double node[MODEL_DIMENSION];
    double fresh[MODEL_DIMENSION];
    double sizes[MODEL_DIMENSION];
    double rate;
} MODEL_flow;

/* A polynomial in Bernstein form on [l, r], and how far the function may be from it. */
typedef struct {
    double l, r, error;
    int degree;
    int is_fresh;
    double b[17];
} MODEL_piece;

/* What is left to do in a search for a crossing. */
typedef struct {
    int is_made;
    int stuck;
    double tail;
    MODEL_piece piece;
} MODEL_task;

typedef struct {
    int tasks;
    int pieces;
    double size;
    double noise;
    MODEL_task task[MODEL_TASKS];
} MODEL_search;
