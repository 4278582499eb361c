/* The logger of FMI 2.0 takes a format and a variable number of arguments, as printf does: the only function of the importer that Rust cannot define.
   It makes the text and hands it on. */
#include <stdarg.h>
#include <stdio.h>

/* What `messages.rs` gives an FMU as its environment begins with this. */
struct environment {
    void (*message)(void *environment, int status, const char *text);
};

void dyverse_fmu_import_log(void *environment, const char *instance, int status, const char *category,
                            const char *message, ...) {
    char text[4096];
    va_list arguments;
    (void)instance;
    (void)category;
    if (environment == NULL || message == NULL) {
        return;
    }
    va_start(arguments, message);
    if (vsnprintf(text, sizeof text, message, arguments) < 0) {
        text[0] = '\0';
    }
    va_end(arguments);
    ((struct environment *)environment)->message(environment, status, text);
}
