/* Runs the model and prints its variables as CSV, and one line for each discrete transition on the other channel.

   MODEL [until=2] [every=0.01] [name=value ...]

   Names are those of parameters, inputs and states (their initial values). */
#include "MODEL.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MODEL model;

static int is_printed(int variable)
{
    const int kind = MODEL_kind(variable);
    return kind == MODEL_STATE || kind == MODEL_OUTPUT;
}

static void print_names(void)
{
    int i;
    printf("time");
    for (i = 0; i < (int)MODEL_VARIABLES; i++) {
        if (is_printed(i)) {
            printf(",%s", MODEL_name(i));
        }
    }
    printf("\n");
}

static void print_values(void)
{
    int i;
    printf("%.17g", MODEL_time(&model));
    for (i = 0; i < (int)MODEL_VARIABLES; i++) {
        if (is_printed(i)) {
            printf(",%.17g", MODEL_get(&model, i));
        }
    }
    printf("\n");
}

/* Takes name=value apart; 0 if it is nothing known. */
static int take(char *argument, double *until, double *every)
{
    char *equals = strchr(argument, '=');
    char *end;
    double value;
    int variable;
    if (equals == NULL) {
        return 0;
    }
    value = strtod(equals + 1, &end);
    if (end == equals + 1 || *end != '\0') {
        return 0;
    }
    *equals = '\0';
    if (strcmp(argument, "until") == 0) {
        *until = value;
        return 1;
    }
    if (strcmp(argument, "every") == 0) {
        *every = value;
        return 1;
    }
    variable = MODEL_find(argument);
    return variable >= 0 && MODEL_set(&model, variable, value) == MODEL_OK;
}

int main(int count, char **arguments)
{
    double until = MODEL_horizon(), every = 0.0, next;
    long number;
    int i, status = MODEL_init(&model);
    for (i = 1; status == MODEL_OK && i < count; i++) {
        if (!take(arguments[i], &until, &every)) {
            fprintf(stderr, "not understood: %s %s\n", arguments[i], MODEL_message(&model));
            return 2;
        }
    }
    if (!(until > 0.0)) {
        fprintf(stderr, "how long to run? give until=10\n");
        return 2;
    }
    if (!(every > 0.0)) {
        every = until / 500.0;
    }
    print_names();
    for (number = 0; status == MODEL_OK; number++) {
        next = fmin((double)number * every, until);
        do {
            status = MODEL_step_to_event(&model, next);
            if (status == MODEL_EVENT) {
                fprintf(stderr, "%.17g %d %s\n", MODEL_time(&model), MODEL_microstep(&model), MODEL_location(&model));
            }
        } while (status == MODEL_EVENT);
        if (status == MODEL_OK) {
            print_values();
        }
        if (next >= until) {
            break;
        }
    }
    if (status != MODEL_OK) {
        fprintf(stderr, "stopped at %.17g: %s\n", MODEL_time(&model), MODEL_message(&model));
        return 1;
    }
    return 0;
}
