/* ------------------------------------------------------------------------------------------------------------------
   What every model has.
   ------------------------------------------------------------------------------------------------------------------ */

/* Stops the model with a message. */
static int say(MODEL *m, int status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(m->message, sizeof m->message, format, arguments);
    va_end(arguments);
    m->status = status;
    return status;
}

double MODEL_time(const MODEL *m)
{
    return m->t;
}

int MODEL_microstep(const MODEL *m)
{
    return m->microstep;
}

const char *MODEL_location(const MODEL *m)
{
    return m->location;
}

const char *MODEL_message(const MODEL *m)
{
    return m->message;
}

double MODEL_horizon(void)
{
    return HORIZON;
}

int MODEL_find(const char *name)
{
    int i;
    for (i = 0; i < (int)MODEL_VARIABLES; i++) {
        if (strcmp(name, NAMES[i]) == 0) {
            return i;
        }
    }
    return -1;
}

const char *MODEL_name(int variable)
{
    return variable >= 0 && variable < (int)MODEL_VARIABLES ? NAMES[variable] : "";
}

const char *MODEL_unit(int variable)
{
    return variable >= 0 && variable < (int)MODEL_VARIABLES ? UNITS[variable] : "";
}

int MODEL_kind(int variable)
{
    return variable >= 0 && variable < (int)MODEL_VARIABLES ? KINDS[variable] : -1;
}

int MODEL_step(MODEL *m, double until)
{
    int status;
    do {
        status = MODEL_step_to_event(m, until);
    } while (status == MODEL_EVENT);
    return status;
}
