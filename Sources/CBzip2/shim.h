// bzlib.h uses FILE without declaring it.
#include <stdio.h>
#include <bzlib.h>
