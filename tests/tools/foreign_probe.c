// A library that says when it is loaded.
#include <stdio.h>

__attribute__((constructor)) static void loaded(void) { fputs("foreign_probe is loaded\n", stderr); }

double foreign_twice(double x) { return 2 * x; }
