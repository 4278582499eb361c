/* ---- The interface. -------------------------------------------------------------------------------------------------- */

/* The name of the location: the current modes of all modal models. */
static void name_location(MODEL *m)
{
    size_t used = 0;
    int i;
    if (MODALS == 0)
        (void)snprintf(m->location, sizeof m->location, "%s", TITLE);
    for (i = 0; i < MODALS; i++) {
        int more = snprintf(m->location + used, sizeof m->location - used, "%s%s.%s", i > 0 ? ", " : "",
                            modal_name[i], mode_name[mode_region_from[i] + m->mode[i]]);
        if (more < 0 || used + (size_t)more >= sizeof m->location)
            return;
        used += (size_t)more;
    }
}

/* Values of all parameters: those given, else the model's own, which may use others. */
static void find_parameters(MODEL *m)
{
    Moment c = moment_of_tick(m);
    int i;
    for (i = 0; i < PARAMETERS; i++)
        m->parameter[i] = m->is_given[i] ? m->given[i] : formulas[parameter_formula[i]](&c);
}

/* A constant; not finite or out of range is an error. */
static int find_constant(MODEL *m, double *number, int f, double otherwise, int range, const char *of)
{
    *number = f < 0 ? otherwise : value_at_tick(m, f);
    if (!isfinite(*number) || (range > 0 && *number < 0.0) || (range > 1 && !(*number > 0.0))) {
        say(m, MODEL_BAD_NUMBER, "with these parameters a number of `%s` is %g", of, *number);
        return 0;
    }
    return 1;
}

/* Evaluates what depends on parameters only. */
static int find_constants(MODEL *m)
{
    int s, i, j;
    for (i = 0; i < PARAMETERS; i++)
        if (!isfinite(m->parameter[i])) {
            say(m, MODEL_BAD_NUMBER, "the parameter `%s` cannot be %g", MODEL_name(i), m->parameter[i]);
            return 0;
        }
    for (s = 0; s < SIGNALS; s++)
        for (j = 0; j < 3; j++) {
            int is_tolerance = signal_kind[s] == CROSS && j == 1;
            double otherwise = is_tolerance ? m->crossing : signal_kind[s] == CLOCK ? 1.0 : 0.0;
            /* Above 0: periods and delays. At least 0: offsets and tolerances. */
            int range = is_tolerance ? 1 : 0;
            if ((signal_kind[s] == CLOCK || signal_kind[s] == DELAY) && j < 2)
                range = j == 0 ? 2 : 1;
            if (signal_kind[s] == DELAY && j > 0)
                range = 0;
            if (!find_constant(m, &m->constant[s][j], signal_constants[s][j], otherwise, range, signal_name[s]))
                return 0;
        }
    for (i = 0; i < ATS; i++) {
        if (!find_constant(m, &m->at_time[i], at_time_formula[i], 0.0, 1, "at")
            || !find_constant(m, &m->at_value[i], at_value_formula[i], 0.0, 0, "at"))
            return 0;
    }
    for (s = 0; s < SIGNALS; s++)
        for (i = at_time_formula_from[signal_kind[s] == AT ? signal_place[s] : 0] + 1;
             signal_kind[s] == AT && i < at_time_formula_from[signal_place[s] + 1]; i++)
            if (m->at_time[i] < m->at_time[i - 1]) {
                say(m, MODEL_BAD_NUMBER, "a time of `%s` comes after a later one: %g", signal_name[s], m->at_time[i]);
                return 0;
            }
    for (i = 0; i < TRANSITIONS; i++)
        if (!find_constant(m, &m->transition_tolerance[i], transition_tolerance_formula[i], m->crossing, 1, transition_text[i]))
            return 0;
    return 1;
}

int MODEL_init(MODEL *m)
{
    int i;
    (void)crossing_downward; /* of the runtime, not needed here */
    memset(m, 0, sizeof *m);
    m->crossing = CROSSING_TOLERANCE;
    m->longest_step = LONGEST_STEP;
    m->microstep_limit = MICROSTEP_LIMIT;
    m->event_limit = 1000000;
    m->phase = AT_TICK;
    for (i = 0; i < MODALS; i++)
        m->mode[i] = modal_initial[i];
    for (i = 0; i < UNITS_OF_TICK; i++)
        m->value[i] = NAN;
    find_parameters(m);
    name_location(m);
    return MODEL_OK;
}

int MODEL_set(MODEL *m, int variable, double value)
{
    int kind = MODEL_kind(variable), place;
    if (m->status != MODEL_OK)
        return m->status;
    if (!isfinite(value) || kind < 0 || kind == MODEL_OUTPUT || (m->is_running && kind != MODEL_INPUT))
        return MODEL_BAD_ARGUMENT;
    place = variable_place[variable];
    if (kind == MODEL_PARAMETER) {
        m->given[place] = value;
        m->is_given[place] = 1;
        find_parameters(m);
    } else if (kind == MODEL_INPUT) {
        m->driven_next[place] = value;
        m->is_driven_next[place] = 1;
        m->is_input_set = m->is_running;
    } else {
        m->first[place] = value;
        m->has_first[place] = 1;
    }
    return MODEL_OK;
}

double MODEL_get(const MODEL *m, int variable)
{
    int place;
    if (variable < 0 || variable >= (int)MODEL_VARIABLES)
        return NAN;
    place = variable_place[variable];
    switch (KINDS[variable]) {
    case MODEL_PARAMETER:
        return m->parameter[place];
    case MODEL_INPUT:
        return m->is_driven_next[place] ? m->driven_next[place] : m->input[place];
    default:
        return m->value[place];
    }
}

int MODEL_step_to_event(MODEL *m, double until)
{
    int s, status;
    if (!isfinite(until))
        return MODEL_BAD_ARGUMENT;
    if (m->status != MODEL_OK)
        return m->status;
    if (!m->is_running) {
        if (!find_constants(m))
            return m->status;
        for (s = 0; s < SIGNALS; s++) {
            initialise(m, s);
            if (m->has_first[s]) {
                m->cell[s] = m->first[s];
                m->is_there[s] = 1;
            }
        }
    }
    status = advance(m, until);
    name_location(m);
    return status;
}
