/* ------------------------------------------------------------------------------------------------------------------
   Geometry of contacts: gap, normal and closest points of two surfaces, and the kinematics of a contact.

   With the closest points p1, p2, arms r_i = p_i - c_i and y = v2 + w2 x r2 - v1 - w1 x r1: dg_N = n.y, dg_T = T'y. The biases
   w_a are the derivative of dg along the motion with velocities held constant; they come from evaluating dg on dual numbers
   a + a' e, e^2 = 0.
   ------------------------------------------------------------------------------------------------------------------ */

enum { SPHERE, ELLIPSOID, CAPSULE, ROUNDED_BOX, PLANE, HALF_SPACE };

/* A value and its derivative along the motion. */
typedef struct {
    double v, d;
} dual;

typedef struct {
    dual x, y, z;
} dvec;

typedef struct {
    dvec row[3];
} dmat;

/* Where a frame is, and how it moves. */
typedef struct {
    dvec position;
    dual q[4];
} dplace;

/* Gap, normal from the first surface to the second, points on both; and how far the place is from being this contact's own, not above 0 where it is. */
typedef struct {
    dual gap;
    dvec normal, on_first, on_second;
    double overshoot;
} closest;

static dual dual_of(double v)
{
    const dual r = {v, 0.0};
    return r;
}

static dual dual_make(double v, double d)
{
    dual r;
    r.v = v;
    r.d = d;
    return r;
}

static dual dual_add(dual a, dual b)
{
    return dual_make(a.v + b.v, a.d + b.d);
}

static dual dual_sub(dual a, dual b)
{
    return dual_make(a.v - b.v, a.d - b.d);
}

static dual dual_mul(dual a, dual b)
{
    return dual_make(a.v * b.v, a.d * b.v + a.v * b.d);
}

static dual dual_div(dual a, dual b)
{
    const double quotient = a.v / b.v;
    return dual_make(quotient, (a.d - quotient * b.d) / b.v);
}

static dual dual_neg(dual a)
{
    return dual_make(-a.v, -a.d);
}

static dual dual_sqrt(dual a)
{
    const double root = sqrt(a.v);
    return dual_make(root, a.d / (2.0 * root));
}

static dvec dvec_make(dual x, dual y, dual z)
{
    dvec r;
    r.x = x;
    r.y = y;
    r.z = z;
    return r;
}

static dvec dvec_of(const double *v)
{
    return dvec_make(dual_of(v[0]), dual_of(v[1]), dual_of(v[2]));
}

static dvec dvec_add(dvec a, dvec b)
{
    return dvec_make(dual_add(a.x, b.x), dual_add(a.y, b.y), dual_add(a.z, b.z));
}

static dvec dvec_sub(dvec a, dvec b)
{
    return dvec_make(dual_sub(a.x, b.x), dual_sub(a.y, b.y), dual_sub(a.z, b.z));
}

static dvec dvec_neg(dvec a)
{
    return dvec_make(dual_neg(a.x), dual_neg(a.y), dual_neg(a.z));
}

static dvec dvec_scale(dvec a, dual s)
{
    return dvec_make(dual_mul(a.x, s), dual_mul(a.y, s), dual_mul(a.z, s));
}

static dual dvec_dot(dvec a, dvec b)
{
    return dual_add(dual_add(dual_mul(a.x, b.x), dual_mul(a.y, b.y)), dual_mul(a.z, b.z));
}

static dvec dvec_cross(dvec a, dvec b)
{
    return dvec_make(dual_sub(dual_mul(a.y, b.z), dual_mul(a.z, b.y)), dual_sub(dual_mul(a.z, b.x), dual_mul(a.x, b.z)),
        dual_sub(dual_mul(a.x, b.y), dual_mul(a.y, b.x)));
}

static dual dvec_norm(dvec a)
{
    return dual_sqrt(dvec_dot(a, a));
}

static dvec dvec_divide(dvec a, dual s)
{
    return dvec_make(dual_div(a.x, s), dual_div(a.y, s), dual_div(a.z, s));
}

static void dvec_values(dvec a, double *v)
{
    v[0] = a.x.v;
    v[1] = a.y.v;
    v[2] = a.z.v;
}

/* The rotation of a quaternion of any length. */
static dmat dmat_of(const dual *q)
{
    const dual w = q[0], x = q[1], y = q[2], z = q[3];
    const dual s = dual_div(dual_of(2.0),
        dual_add(dual_mul(w, w), dual_add(dual_add(dual_mul(x, x), dual_mul(y, y)), dual_mul(z, z))));
    const dual xx = dual_mul(s, dual_mul(x, x)), yy = dual_mul(s, dual_mul(y, y)), zz = dual_mul(s, dual_mul(z, z));
    const dual xy = dual_mul(s, dual_mul(x, y)), xz = dual_mul(s, dual_mul(x, z)), yz = dual_mul(s, dual_mul(y, z));
    const dual wx = dual_mul(s, dual_mul(w, x)), wy = dual_mul(s, dual_mul(w, y)), wz = dual_mul(s, dual_mul(w, z));
    const dual one = dual_of(1.0);
    dmat r;
    r.row[0] = dvec_make(dual_sub(one, dual_add(yy, zz)), dual_sub(xy, wz), dual_add(xz, wy));
    r.row[1] = dvec_make(dual_add(xy, wz), dual_sub(one, dual_add(xx, zz)), dual_sub(yz, wx));
    r.row[2] = dvec_make(dual_sub(xz, wy), dual_add(yz, wx), dual_sub(one, dual_add(xx, yy)));
    return r;
}

static dvec dmat_apply(const dmat *a, dvec v)
{
    return dvec_make(dvec_dot(a->row[0], v), dvec_dot(a->row[1], v), dvec_dot(a->row[2], v));
}

static dvec dmat_apply_back(const dmat *a, dvec v)
{
    return dvec_add(dvec_add(dvec_scale(a->row[0], v.x), dvec_scale(a->row[1], v.y)), dvec_scale(a->row[2], v.z));
}

static dual dual_pick(dvec a, int axis)
{
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

/* The place of something placed in a frame that is placed itself. */
static dplace dplace_compose(const dplace *outer, const double *position, const double *q)
{
    const dual *a = outer->q;
    dplace r = *outer;
    if (position[0] != 0.0 || position[1] != 0.0 || position[2] != 0.0) {
        const dmat rotation = dmat_of(a);
        r.position = dvec_add(dmat_apply(&rotation, dvec_of(position)), outer->position);
    }
    if (q[1] != 0.0 || q[2] != 0.0 || q[3] != 0.0) {
        const dual w = dual_of(q[0]), x = dual_of(q[1]), y = dual_of(q[2]), z = dual_of(q[3]);
        r.q[0] = dual_sub(dual_sub(dual_sub(dual_mul(a[0], w), dual_mul(a[1], x)), dual_mul(a[2], y)), dual_mul(a[3], z));
        r.q[1] = dual_sub(dual_add(dual_add(dual_mul(a[0], x), dual_mul(a[1], w)), dual_mul(a[2], z)), dual_mul(a[3], y));
        r.q[2] = dual_add(dual_add(dual_sub(dual_mul(a[0], y), dual_mul(a[1], z)), dual_mul(a[2], w)), dual_mul(a[3], x));
        r.q[3] = dual_add(dual_sub(dual_add(dual_mul(a[0], z), dual_mul(a[1], y)), dual_mul(a[2], x)), dual_mul(a[3], w));
    }
    return r;
}

/* The points of swept shapes from those of their cores: distance, unit vector n from x1 to x2, radii. */
static void closest_swept(closest *c, dual distance, dvec normal, dvec x1, dvec x2, double r1, double r2)
{
    c->gap = dual_sub(dual_sub(distance, dual_of(r1)), dual_of(r2));
    c->normal = normal;
    c->on_first = dvec_add(x1, dvec_scale(normal, dual_of(r1)));
    c->on_second = dvec_sub(x2, dvec_scale(normal, dual_of(r2)));
}

/* 0 if the cores meet: then there is no normal. */
static int closest_from_cores(closest *c, dvec x1, dvec x2, double r1, double r2)
{
    const dvec apart = dvec_sub(x2, x1);
    const dual distance = dvec_norm(apart);
    if (!(distance.v > 0.0)) {
        return 0;
    }
    closest_swept(c, distance, dvec_divide(apart, distance), x1, x2, r1, r2);
    return 1;
}

static void closest_exchange(closest *c)
{
    const dvec first = c->on_first;
    c->normal = dvec_neg(c->normal);
    c->on_first = c->on_second;
    c->on_second = first;
}

/* How far the core of a shape reaches in the unit direction up, and the vector from its centre to the point there. */
static dual core_below(const MODEL_surface *s, const dplace *at, dvec up, dvec *to_lowest)
{
    dmat rotation;
    dvec local, point;
    dual reach;
    if (s->kind == SPHERE) {
        *to_lowest = dvec_make(dual_of(0.0), dual_of(0.0), dual_of(0.0));
        return dual_of(0.0);
    }
    rotation = dmat_of(at->q);
    local = dmat_apply_back(&rotation, up);
    if (s->kind == ELLIPSOID) {
        const dvec a = dvec_of(s->size);
        const dvec stretched = dvec_make(dual_mul(a.x, local.x), dual_mul(a.y, local.y), dual_mul(a.z, local.z));
        reach = dvec_norm(stretched);
        point = dvec_divide(
            dvec_make(dual_mul(a.x, stretched.x), dual_mul(a.y, stretched.y), dual_mul(a.z, stretched.z)), reach);
    } else {
        const double x = (double)((local.x.v > 0.0) - (local.x.v < 0.0)) * s->size[0];
        const double y = (double)((local.y.v > 0.0) - (local.y.v < 0.0)) * s->size[1];
        const double z = (double)((local.z.v > 0.0) - (local.z.v < 0.0)) * s->size[2];
        point = dvec_make(dual_of(x), dual_of(y), dual_of(z));
        reach = dvec_dot(point, local);
    }
    *to_lowest = dmat_apply(&rotation, point);
    return reach;
}

/* A bounded shape and a plane, seen from one side (1 front, -1 back). */
static void closest_to_plane(closest *c, const MODEL_surface *s, const dplace *at, const MODEL_surface *plane,
    const dplace *plane_at, int side)
{
    const dmat rotation = dmat_of(plane_at->q);
    dvec up = dmat_apply(&rotation, dvec_of(plane->size));
    dvec to_lowest, lowest;
    dual height = dual_sub(dvec_dot(up, dvec_sub(at->position, plane_at->position)), dual_of(plane->offset));
    dual reach;
    if (side < 0) {
        up = dvec_neg(up);
        height = dual_neg(height);
    }
    reach = core_below(s, at, up, &to_lowest);
    c->gap = dual_sub(dual_sub(height, reach), dual_of(s->radius));
    lowest = dvec_sub(dvec_sub(at->position, to_lowest), dvec_scale(up, dual_of(s->radius)));
    c->on_first = lowest;
    c->on_second = dvec_sub(lowest, dvec_scale(up, c->gap));
    c->normal = dvec_neg(up);
}

#if HAS_SOLIDS
/* The sine of the angle of edges that are parallel. */
#define PARALLEL_EDGES 1e-6

static dual dual_clamp(dual a, double half)
{
    return a.v < -half ? dual_of(-half) : a.v > half ? dual_of(half) : a;
}

/* The turned z-axis. */
static dvec axis_of(const dplace *at)
{
    const dmat rotation = dmat_of(at->q);
    return dvec_make(rotation.row[0].z, rotation.row[1].z, rotation.row[2].z);
}

static int closest_sphere_capsule(closest *c, const MODEL_surface *s, const dplace *at, const MODEL_surface *k, const dplace *k_at)
{
    const dvec axis = axis_of(k_at);
    const dual along = dual_clamp(dvec_dot(axis, dvec_sub(at->position, k_at->position)), k->size[2]);
    return closest_from_cores(c, at->position, dvec_add(k_at->position, dvec_scale(axis, along)), s->radius, k->radius);
}

static int closest_sphere_box(closest *c, const MODEL_surface *s, const dplace *at, const MODEL_surface *b, const dplace *b_at)
{
    const dmat rotation = dmat_of(b_at->q);
    const dvec local = dmat_apply_back(&rotation, dvec_sub(at->position, b_at->position));
    const dvec nearest
        = dvec_make(dual_clamp(local.x, b->size[0]), dual_clamp(local.y, b->size[1]), dual_clamp(local.z, b->size[2]));
    const dvec apart = dvec_sub(nearest, local);
    const dual distance = dvec_norm(apart);
    if (!(distance.v > 0.0)) {
        return 0;
    }
    closest_swept(c, distance, dmat_apply(&rotation, dvec_divide(apart, distance)), at->position,
        dvec_add(dmat_apply(&rotation, nearest), b_at->position), s->radius, b->radius);
    return 1;
}

/* How far two segments of half lengths g and h are from crossing, seen along their common normal; from the places of the closest points of their lines times
   the squared sine. Segments closer to parallel than PARALLEL_EDGES never cross. */
static double segments_overshoot(double first, double second, double sine, double g, double h)
{
    const double divisor = fmax(sine, 0.5 * PARALLEL_EDGES);
    const double beyond = fmax(fabs(first) / divisor - g * sine, fabs(second) / divisor - h * sine);
    return fmax(beyond, (g + h) * (1.0 - sine / PARALLEL_EDGES));
}

static int closest_capsules(closest *c, const MODEL_surface *a, const dplace *a_at, const MODEL_surface *b, const dplace *b_at)
{
    const dvec d = axis_of(a_at), e = axis_of(b_at), w = dvec_sub(b_at->position, a_at->position);
    const dvec across = dvec_cross(d, e);
    const dual wd = dvec_dot(w, d), we = dvec_dot(w, e), de = dvec_dot(d, e), determinant = dvec_dot(across, across);
    const double g = a->size[2], h = b->size[2];
    dual s, t;
    if (determinant.v > 1e-30) {
        s = dual_clamp(dual_div(dual_sub(wd, dual_mul(de, we)), determinant), g);
    } else {
        /* Parallel: the middle of the overlap. */
        const dual from = wd.v - h < -g ? dual_of(-g) : dual_sub(wd, dual_of(h));
        const dual to = wd.v + h > g ? dual_of(g) : dual_add(wd, dual_of(h));
        s = dual_mul(dual_add(from, to), dual_of(0.5));
    }
    t = dual_clamp(dual_sub(dual_mul(de, s), we), h);
    s = dual_clamp(dual_add(wd, dual_mul(de, t)), g);
    c->overshoot = segments_overshoot(wd.v - de.v * we.v, de.v * wd.v - we.v, sqrt(determinant.v), g, h);
    return closest_from_cores(c, dvec_add(a_at->position, dvec_scale(d, s)), dvec_add(b_at->position, dvec_scale(e, t)), a->radius,
        b->radius);
}

static double dot3(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* d + sum f_k w_k over the fractions that are free (1), held (0), or all (-1). */
static void box_difference(const double *d, double axes[6][3], const double *f, const int *is_free, int which, double *r)
{
    int k, i;
    for (i = 0; i < 3; i++) {
        r[i] = d[i];
        for (k = 0; k < 6; k++) {
            if (which < 0 || is_free[k] == which) {
                r[i] += f[k] * axes[k][i];
            }
        }
    }
}

/* The free fractions that minimise |d + sum f_k w_k|; 0 if more than three are free. */
static int box_best(const double *d, double axes[6][3], const double *f, const int *is_free, double *best)
{
    double held[3];
    int free_ones[6], count = 0, k, i;
    for (k = 0; k < 6; k++) {
        best[k] = 0.0;
        if (is_free[k]) {
            free_ones[count++] = k;
        }
    }
    box_difference(d, axes, f, is_free, 0, held);
    if (count == 1) {
        const double *w = axes[free_ones[0]];
        best[free_ones[0]] = -dot3(held, w) / dot3(w, w);
    } else if (count == 2) {
        const double *w = axes[free_ones[0]], *v = axes[free_ones[1]];
        const double share = dot3(v, w) / dot3(w, w);
        double across[3], second;
        for (i = 0; i < 3; i++) {
            across[i] = v[i] - w[i] * share;
        }
        second = -dot3(held, across) / dot3(across, across);
        for (i = 0; i < 3; i++) {
            across[i] = held[i] + v[i] * second;
        }
        best[free_ones[1]] = second;
        best[free_ones[0]] = -dot3(across, w) / dot3(w, w);
    } else if (count == 3) {
        /* Cramer's rule. */
        const double *u = axes[free_ones[0]], *v = axes[free_ones[1]], *w = axes[free_ones[2]];
        double vw[3], wu[3], uv[3], determinant;
        for (i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, l = (i + 2) % 3;
            vw[i] = v[j] * w[l] - v[l] * w[j];
            wu[i] = w[j] * u[l] - w[l] * u[j];
            uv[i] = u[j] * v[l] - u[l] * v[j];
        }
        determinant = dot3(u, vw);
        best[free_ones[0]] = -dot3(held, vw) / determinant;
        best[free_ones[1]] = -dot3(held, wu) / determinant;
        best[free_ones[2]] = -dot3(held, uv) / determinant;
    }
    return count <= 3;
}

/* Solves for the free fractions, holding those that meet a bound on the way. */
static int box_settle(const double *d, double axes[6][3], double *f, int *is_free)
{
    int round, k;
    for (round = 0; round < 6; round++) {
        double target[6], reach = 1.0;
        int first = -1;
        if (!box_best(d, axes, f, is_free, target)) {
            return 0;
        }
        for (k = 0; k < 6; k++) {
            if (is_free[k] && !(fabs(target[k]) <= 1.0)) {
                const double share = fmax(((target[k] > 0.0 ? 1.0 : -1.0) - f[k]) / (target[k] - f[k]), 0.0);
                if (share < reach) {
                    reach = share;
                    first = k;
                }
            }
        }
        for (k = 0; k < 6; k++) {
            if (is_free[k]) {
                f[k] += reach * (target[k] - f[k]);
            }
        }
        if (first < 0) {
            return 1;
        }
        is_free[first] = 0;
        f[first] = target[first] > 0.0 ? 1.0 : -1.0;
    }
    return 1;
}

/* Which fractions of two boxes are free at their closest points (active sets); 0 if they meet. */
static int box_fractions(const double *d, double axes[6][3], double *f, int *is_free)
{
    double scale = sqrt(dot3(d, d));
    int sets, k;
    for (k = 0; k < 6; k++) {
        scale += sqrt(dot3(axes[k], axes[k]));
        f[k] = 0.0;
        is_free[k] = 0;
    }
    for (sets = 0; sets < 200; sets++) {
        const double tolerance = 2e-15 * scale;
        double r[3], size, most = 0.0;
        int worst = -1;
        if (!box_settle(d, axes, f, is_free)) {
            return 0;
        }
        box_difference(d, axes, f, is_free, -1, r);
        size = sqrt(dot3(r, r));
        if (!(size > 2e-14 * scale)) {
            return 0;
        }
        for (k = 0; k < 6; k++) {
            const double slope = dot3(r, axes[k]) / sqrt(dot3(axes[k], axes[k]));
            const double gain = is_free[k] ? 0.0 : f[k] >= 1.0 ? slope : f[k] <= -1.0 ? -slope : fabs(slope);
            if (gain > tolerance && gain >= most) {
                most = gain;
                worst = k;
            }
        }
        if (worst < 0) {
            return 1;
        }
        is_free[worst] = 1;
    }
    return 0;
}

/* Rounded boxes and capsules, in closed form once the free fractions are known. */
static int closest_boxes(closest *c, const MODEL_surface *a, const dplace *a_at, const MODEL_surface *b, const dplace *b_at)
{
    const dmat of_a = dmat_of(a_at->q), of_b = dmat_of(b_at->q);
    const dvec apart = dvec_sub(b_at->position, a_at->position);
    dvec axis[6], held = apart, x1 = a_at->position, x2 = b_at->position, normal;
    dual f[6], distance;
    double d[3], axes[6][3], values[6];
    int is_free[6], free_ones[6], count = 0, k;
    dvec_values(apart, d);
    for (k = 0; k < 3; k++) {
        const dvec u = dvec_make(dual_pick(of_a.row[0], k), dual_pick(of_a.row[1], k), dual_pick(of_a.row[2], k));
        const dvec v = dvec_make(dual_pick(of_b.row[0], k), dual_pick(of_b.row[1], k), dual_pick(of_b.row[2], k));
        axis[k] = dvec_scale(u, dual_of(-a->size[k]));
        axis[k + 3] = dvec_scale(v, dual_of(b->size[k]));
    }
    for (k = 0; k < 6; k++) {
        dvec_values(axis[k], axes[k]);
    }
    if (!box_fractions(d, axes, values, is_free)) {
        return 0;
    }
    for (k = 0; k < 6; k++) {
        f[k] = dual_of(values[k]);
        if (is_free[k]) {
            free_ones[count++] = k;
        } else {
            held = dvec_add(held, dvec_scale(axis[k], f[k]));
        }
    }
    if (count == 2) {
        const dvec w = axis[free_ones[0]], v = axis[free_ones[1]];
        const dvec across = dvec_cross(w, v);
        const dual squared = dvec_dot(across, across);
        f[free_ones[0]] = dual_neg(dual_div(dvec_dot(held, dvec_cross(v, across)), squared));
        f[free_ones[1]] = dual_neg(dual_div(dvec_dot(held, dvec_cross(across, w)), squared));
        normal = dvec_divide(across, dual_sqrt(squared));
        distance = dvec_dot(normal, held);
        if (!(distance.v > 0.0)) {
            distance = dual_neg(distance);
            normal = dvec_neg(normal);
        }
    } else {
        dvec r = held;
        if (count == 1) {
            const dvec w = axis[free_ones[0]];
            f[free_ones[0]] = dual_neg(dual_div(dvec_dot(held, w), dvec_dot(w, w)));
            r = dvec_add(held, dvec_scale(w, f[free_ones[0]]));
        } else if (count > 2) {
            return 0;
        }
        distance = dvec_norm(r);
        normal = dvec_divide(r, distance);
    }
    if (!(distance.v > 0.0)) {
        return 0;
    }
    for (k = 0; k < 3; k++) {
        x1 = dvec_sub(x1, dvec_scale(axis[k], f[k]));
        x2 = dvec_add(x2, dvec_scale(axis[k + 3], f[k + 3]));
    }
    closest_swept(c, distance, normal, x1, x2, a->radius, b->radius);
    return 1;
}
#endif

/* The closest points of a pair in the order in which its method knows it; 0 if the cores meet. */
static int closest_ordered(closest *c, const MODEL_surface *a, const dplace *a_at, const MODEL_surface *b, const dplace *b_at, int side)
{
    if (b->kind == PLANE || b->kind == HALF_SPACE) {
        closest_to_plane(c, a, a_at, b, b_at, b->kind == PLANE ? side : 1);
        return 1;
    }
#if HAS_SOLIDS
    if (a->kind == SPHERE && b->kind == CAPSULE) {
        return closest_sphere_capsule(c, a, a_at, b, b_at);
    }
    if (a->kind == SPHERE && b->kind == ROUNDED_BOX) {
        return closest_sphere_box(c, a, a_at, b, b_at);
    }
    if (a->kind == CAPSULE && b->kind == CAPSULE) {
        return closest_capsules(c, a, a_at, b, b_at);
    }
    if (a->kind == ROUNDED_BOX) {
        return closest_boxes(c, a, a_at, b, b_at);
    }
#endif
    return closest_from_cores(c, a_at->position, b_at->position, a->radius, b->radius);
}

/* Whether the methods know a pair in the other order only. */
static int is_exchanged(int a, int b)
{
    return a == PLANE || a == HALF_SPACE || (a == CAPSULE && (b == SPHERE || b == ROUNDED_BOX)) || (a == ROUNDED_BOX && b == SPHERE);
}

/* How far the vertex p is from meeting another place of a whole capsule or box than a vertex. */
static double vertex_overshoot(const MODEL_surface *s, const dplace *at, dvec p)
{
    const dmat rotation = dmat_of(at->q);
    const dvec local = dmat_apply_back(&rotation, dvec_sub(p, at->position));
    const double z = fabs(local.z.v) - s->size[2];
    if (s->kind == CAPSULE) {
        return z;
    }
    if (s->kind != ROUNDED_BOX) {
        return 0.0;
    }
    return fmin(fmin(fabs(local.x.v) - s->size[0], fabs(local.y.v) - s->size[1]), z);
}

/* The closest points of a contact with its entities at these places; 0 if the cores meet. */
static int closest_points(closest *c, const MODEL_pair *pair, const dplace *one, const dplace *two)
{
    const dplace a = dplace_compose(one, pair->first.position, pair->first.orientation);
    const dplace b = dplace_compose(two, pair->second.position, pair->second.orientation);
    int is_found;
    c->overshoot = 0.0;
    if (is_exchanged(pair->first.kind, pair->second.kind)) {
        is_found = closest_ordered(c, &pair->second, &b, &pair->first, &a, pair->side);
        if (is_found) {
            closest_exchange(c);
        }
    } else {
        is_found = closest_ordered(c, &pair->first, &a, &pair->second, &b, pair->side);
    }
    if (is_found && pair->yields) {
        c->overshoot = vertex_overshoot(&pair->first, &a, b.position);
    }
    return is_found;
}

/* A state (position, orientation, velocity, angular velocity) as a place that moves with its velocities. */
static dplace coasting(const double *x)
{
    const double *v = x + 7, *w = x + 10;
    dplace r;
    r.position = dvec_make(dual_make(x[0], v[0]), dual_make(x[1], v[1]), dual_make(x[2], v[2]));
    r.q[0] = dual_make(x[3], 0.5 * (-w[0] * x[4] - w[1] * x[5] - w[2] * x[6]));
    r.q[1] = dual_make(x[4], 0.5 * (w[0] * x[3] + w[1] * x[6] - w[2] * x[5]));
    r.q[2] = dual_make(x[5], 0.5 * (-w[0] * x[6] + w[1] * x[3] + w[2] * x[4]));
    r.q[3] = dual_make(x[6], 0.5 * (w[0] * x[5] - w[1] * x[4] + w[2] * x[3]));
    return r;
}

static dplace resting(const double *x)
{
    dplace r;
    int i;
    r.position = dvec_of(x);
    for (i = 0; i < 4; i++) {
        r.q[i] = dual_of(x[3 + i]);
    }
    return r;
}

/* The gap of a contact as far as touching goes; where the cores meet, that of a core distance of zero. */
static double pair_gap(const MODEL_pair *pair, const double *one, const double *two)
{
    const dplace a = resting(one), b = resting(two);
    closest c;
    if (!closest_points(&c, pair, &a, &b)) {
        return -pair->first.radius - pair->second.radius;
    }
    return c.gap.v + fmax(c.overshoot, 0.0);
}

/* The kinematics of a contact; axis is that of the world from which the tangents are made, or -1 to choose it. 0 if the cores meet. */
static int pair_kinematics(MODEL_kinematics *k, const MODEL_pair *pair, const double *one, const double *two, int axis)
{
    const dplace a = coasting(one), b = coasting(two);
    closest c;
    dvec tx, ty, r1, r2, relative, v1, v2;
    dual rate[3];
    int i;
    if (!closest_points(&c, pair, &a, &b)) {
        return 0;
    }
    if (axis < 0) {
        axis = fabs(c.normal.x.v) <= 0.75 ? 0 : 1;
    }
    tx = dvec_neg(dvec_scale(c.normal, dual_pick(c.normal, axis)));
    if (axis == 0) {
        tx.x = dual_add(tx.x, dual_of(1.0));
    } else {
        tx.y = dual_add(tx.y, dual_of(1.0));
    }
    tx = dvec_scale(tx, dual_div(dual_of(1.0), dvec_norm(tx)));
    ty = dvec_cross(c.normal, tx);
    r1 = dvec_sub(c.on_first, a.position);
    r2 = dvec_sub(c.on_second, b.position);
    v1 = dvec_add(dvec_of(one + 7), dvec_cross(dvec_of(one + 10), r1));
    v2 = dvec_add(dvec_of(two + 7), dvec_cross(dvec_of(two + 10), r2));
    relative = dvec_sub(v2, v1);
    rate[0] = dvec_dot(relative, c.normal);
    rate[1] = dvec_dot(relative, tx);
    rate[2] = dvec_dot(relative, ty);
    k->gap = c.gap.v;
    k->closing_gap = c.gap.v + fmax(c.overshoot, 0.0);
    k->axis = axis;
    dvec_values(c.normal, k->frame[0]);
    dvec_values(tx, k->frame[1]);
    dvec_values(ty, k->frame[2]);
    dvec_values(r1, k->arm[0]);
    dvec_values(r2, k->arm[1]);
    for (i = 0; i < 3; i++) {
        k->rate[i] = rate[i].v;
        k->bias[i] = rate[i].d;
    }
    return 1;
}

/* A surface of which a contact is with the whole (0), an end of a capsule (1, 2), a corner (8 ... 15) or an edge of a box (16 ... 27) alone. */
static void surface_feature(MODEL_surface *out, const MODEL_surface *s, int feature)
{
    /* A third of a turn takes z to x, and back takes it to y. */
    static const double TURN[3][4] = {{0.5, 0.5, 0.5, 0.5}, {0.5, -0.5, -0.5, -0.5}, {1.0, 0.0, 0.0, 0.0}};
    const int axis = feature >= 16 ? (feature - 16) / 4 : -1;
    double centre[3], x[7];
    dplace at, placed;
    int i, bit = 0;
    *out = *s;
    if (feature == 0) {
        return;
    }
    for (i = 0; i < 3; i++) {
        int is_plus = feature >= 8 ? (feature - 8) >> i & 1 : feature == 2;
        if (axis >= 0 && i != axis) {
            is_plus = (feature - 16) >> bit & 1;
            bit++;
        }
        centre[i] = i == axis ? 0.0 : is_plus ? s->size[i] : -s->size[i];
        x[i] = s->position[i];
    }
    for (i = 0; i < 4; i++) {
        x[3 + i] = s->orientation[i];
    }
    at = resting(x);
    placed = dplace_compose(&at, centre, TURN[axis >= 0 ? axis : 2]);
    dvec_values(placed.position, out->position);
    out->kind = SPHERE;
    if (axis >= 0) {
        out->kind = CAPSULE;
        out->size[2] = s->size[axis];
        out->size[0] = 0.0;
        out->size[1] = 0.0;
        for (i = 0; i < 4; i++) {
            out->orientation[i] = placed.q[i].v;
        }
    }
}
