/* Runs a model for a test: MODEL until=2 stops=1 name=value ... Inputs with a time: at=1 u=3 sets u when t = 1 is reached. */
#include "MODEL.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MODEL model;

static int advance(double until)
{
    int status;
    do {
        status = MODEL_step_to_event(&model, until);
        if (status == MODEL_EVENT)
            printf("E %.17g %d %s\n", MODEL_time(&model), MODEL_microstep(&model), MODEL_location(&model));
    } while (status == MODEL_EVENT);
    return status;
}

int main(int count, char **arguments)
{
    double until = MODEL_horizon(), begin = 0.0;
    int i, k, stops = 1, status = MODEL_init(&model);
    for (i = 1; status == MODEL_OK && i < count; i++) {
        char *equals = strchr(arguments[i], '=');
        double value = equals ? strtod(equals + 1, NULL) : 0.0;
        if (!equals)
            return 2;
        *equals = 0;
        if (strcmp(arguments[i], "until") == 0)
            until = value;
        else if (strcmp(arguments[i], "stops") == 0)
            stops = (int)value;
        else if (strcmp(arguments[i], "at") == 0) {
            begin = value;
            status = advance(value);
        } else if (MODEL_set(&model, MODEL_find(arguments[i]), value) != MODEL_OK) {
            printf("S -100 0 0 %s cannot be set\n", arguments[i]);
            return 0;
        }
    }
    for (k = 1; k <= stops && status == MODEL_OK; k++)
        status = advance(k == stops ? until : begin + (until - begin) * k / stops);
    printf("S %d %.17g %d %s\n", status, MODEL_time(&model), MODEL_microstep(&model), MODEL_message(&model));
    for (i = 0; i < (int)MODEL_VARIABLES; i++)
        printf("V %s %.17g\n", MODEL_name(i), MODEL_get(&model, i));
    return 0;
}
