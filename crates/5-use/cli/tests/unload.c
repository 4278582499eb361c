/* Loads a library of an FMU of FMI 3.0 again and again, each time under another name, as importers do that unpack it each time. Prints the bytes in use after a first few rounds and at the end, and how often it is still mapped. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void *(*Instantiate)(const char *, const char *, const char *, bool, bool, void *, void *);
typedef int (*Enter)(void *, bool, double, double, bool, double);
typedef int (*Simple)(void *);
typedef void (*Free)(void *);

static int copy(const char *from, const char *to) {
    char buffer[1 << 16];
    size_t n;
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    if (!in || !out) return 1;
    while ((n = fread(buffer, 1, sizeof buffer, in)) > 0) fwrite(buffer, 1, n, out);
    fclose(in);
    return fclose(out);
}

static int mapped(const char *part) {
    char line[4096];
    int count = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) count += strstr(line, part) != NULL;
    if (maps) fclose(maps);
    return count;
}

int main(int argc, char **argv) {
    const char *library = argv[1], *token = argv[2], *resources = argv[3];
    int rounds = atoi(argv[4]), round;
    size_t early = 0;
    (void)argc;
    for (round = 0; round < rounds; round++) {
        char name[256];
        void *handle, *instance;
        int again;
        snprintf(name, sizeof name, "./copy%d.so", round);
        if (copy(library, name)) return 2;
        handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        if (!handle) { printf("%s\n", dlerror()); return 3; }
        for (again = 0; again < 3; again++) {
            instance = ((Instantiate)dlsym(handle, "fmi3InstantiateModelExchange"))("x", token, resources, false, false, NULL, NULL);
            if (!instance) return 4;
            if (((Enter)dlsym(handle, "fmi3EnterInitializationMode"))(instance, false, 0, 0, false, 0)) return 5;
            if (((Simple)dlsym(handle, "fmi3ExitInitializationMode"))(instance)) return 6;
            ((Free)dlsym(handle, "fmi3FreeInstance"))(instance);
        }
        dlclose(handle);
        remove(name);
        if (round == 4) early = mallinfo2().uordblks;
    }
    printf("%zu %zu %d\n", early, mallinfo2().uordblks, mapped("/copy"));
    return 0;
}
