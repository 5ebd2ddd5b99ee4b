#include "CSimdJSON.h"
#include <simdjson.h>
int tieout_simdjson_placeholder(void) { return (int)simdjson::SIMDJSON_PADDING; }
