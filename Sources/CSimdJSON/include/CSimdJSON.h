#pragma once
#ifdef __cplusplus
extern "C" {
#endif
int tieout_simdjson_placeholder(void);
#ifdef __cplusplus
}
#endif
