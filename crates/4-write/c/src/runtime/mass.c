/* ------------------------------------------------------------------------------------------------------------------
   Mass, inertia and reach of entities, from their surfaces filled evenly where the model does not give them.
   ------------------------------------------------------------------------------------------------------------------ */

enum { MASS_NONE, MASS_GIVEN, MASS_DENSITY };

/* The integral of x^2 over a rounded box whose half extent along x is a. */
static double second_moment(double a, double b, double c, double r)
{
    const double pi = 3.141592653589793, area = b * c, side = b + c;
    const double shell = r * (3.0 * a * (a + r) + r * r);
    const double cross_section = pi * (a * a) * (r * r) + 8.0 / 3.0 * a * (r * r * r) + pi * (r * r * r * r) / 4.0;
    return 8.0 / 3.0 * (a * a * a) * area + 8.0 / 3.0 * (a * a * a) * side * r + 8.0 / 3.0 * area * shell
        + 2.0 / 3.0 * pi * (r * r) * (a * a * a) + 2.0 * side * cross_section
        + pi * (4.0 / 3.0 * (a * a) * (r * r * r) + a * (r * r * r * r) + 4.0 / 15.0 * (r * r * r * r * r));
}

/* Volume of a surface of density one, and its inertia in its own frame. */
static double solid_of(const MODEL_surface *s, double *inertia)
{
    const double pi = 3.141592653589793, a = s->size[0], b = s->size[1], c = s->size[2], r = s->radius;
    double volume, x, y, z;
    int i;
    if (s->kind == ELLIPSOID) {
        volume = 4.0 / 3.0 * pi * a * b * c;
        x = volume * (a * a) / 5.0;
        y = volume * (b * b) / 5.0;
        z = volume * (c * c) / 5.0;
    } else {
        volume = 8.0 * a * b * c + 8.0 * r * (a * b + b * c + c * a) + 2.0 * pi * (r * r) * (a + b + c) + 4.0 / 3.0 * pi * (r * r * r);
        x = second_moment(a, b, c, r);
        y = second_moment(b, c, a, r);
        z = second_moment(c, a, b, r);
    }
    for (i = 0; i < 9; i++) {
        inertia[i] = 0.0;
    }
    inertia[0] = y + z;
    inertia[4] = z + x;
    inertia[8] = x + y;
    return volume;
}

/* I + m (|d|^2 1 - d d'). */
static void add_steiner(double *inertia, double mass, const double *d)
{
    const double squared = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    int i, j;
    for (i = 0; i < 3; i++) {
        for (j = 0; j < 3; j++) {
            inertia[3 * i + j] += mass * ((i == j ? squared : 0.0) - d[i] * d[j]);
        }
    }
}

/* Volume and inertia about the centroid of all surfaces of an entity. */
static double filled(const MODEL *m, int entity, double *inertia)
{
    double volume = 0.0, centroid[3] = {0.0, 0.0, 0.0}, own[9], part[9], r[3][3], d[3];
    int s, i;
    for (i = 0; i < 9; i++) {
        inertia[i] = 0.0;
    }
    for (s = ENTITY[entity].surface; s < ENTITY[entity].surface + ENTITY[entity].surfaces; s++) {
        const double size = solid_of(&m->surface[s], own);
        volume += size;
        for (i = 0; i < 3; i++) {
            centroid[i] += size * m->surface[s].position[i];
        }
    }
    for (i = 0; i < 3; i++) {
        centroid[i] /= volume;
    }
    for (s = ENTITY[entity].surface; s < ENTITY[entity].surface + ENTITY[entity].surfaces; s++) {
        const double size = solid_of(&m->surface[s], own);
        rotation_of(m->surface[s].orientation, r);
        turned(r, own, part);
        for (i = 0; i < 3; i++) {
            d[i] = m->surface[s].position[i] - centroid[i];
        }
        add_steiner(part, size, d);
        for (i = 0; i < 9; i++) {
            inertia[i] += part[i];
        }
    }
    return volume;
}

static void invert3(const double *a, double *out)
{
    double x[3], y[3], z[3], determinant;
    int i;
    cross3(a + 3, a + 6, x);
    cross3(a + 6, a, y);
    cross3(a, a + 3, z);
    determinant = a[0] * x[0] + a[1] * x[1] + a[2] * x[2];
    for (i = 0; i < 3; i++) {
        out[3 * i] = x[i] * (1.0 / determinant);
        out[3 * i + 1] = y[i] * (1.0 / determinant);
        out[3 * i + 2] = z[i] * (1.0 / determinant);
    }
}

/* Turns what the model gives (mass or density, sizes, normals) into what the dynamics needs. */
static void finish_constants(MODEL *m)
{
    double inertia[9];
    int e, s, i;
    for (s = 0; s < SURFACES; s++) {
        MODEL_surface *own = &m->surface[s];
        own->kind = SURFACE_KIND[s];
        if (own->kind == PLANE || own->kind == HALF_SPACE) {
            const double size = norm3(own->size);
            for (i = 0; i < 3; i++) {
                own->size[i] /= size;
            }
            own->offset /= size;
        }
    }
    for (e = 0; e < ENTITIES; e++) {
        const entity_data *entity = &ENTITY[e];
        m->reach[e] = 0.0;
        for (s = entity->surface; s < entity->surface + entity->surfaces; s++) {
            const MODEL_surface *own = &m->surface[s];
            double reach = own->radius + norm3(own->size);
            if (own->kind == PLANE || own->kind == HALF_SPACE) {
                reach = INFINITY;
            } else if (own->kind == ELLIPSOID) {
                reach = fmax(own->size[0], fmax(own->size[1], own->size[2]));
            }
            reach += norm3(own->position);
            /* What is not a number stays so, and is told. */
            m->reach[e] = reach > m->reach[e] || isnan(reach) ? reach : m->reach[e];
        }
        if (entity->mass_kind == MASS_NONE) {
            continue;
        }
        if (entity->mass_kind == MASS_DENSITY || !entity->has_inertia) {
            const double volume = filled(m, e, inertia);
            if (entity->mass_kind == MASS_DENSITY) {
                m->mass[e] *= volume;
            }
            for (i = 0; !entity->has_inertia && i < 9; i++) {
                m->inertia[9 * e + i] = inertia[i] * (m->mass[e] / volume);
            }
        }
        invert3(m->inertia + 9 * e, m->inverse + 9 * e);
    }
}
