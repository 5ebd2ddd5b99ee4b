#define XXH_INLINE_ALL
#include <xxhash.h>
static inline XXH64_hash_t tieoutHash64(const void *bytes, size_t count) {
  return XXH3_64bits(bytes, count);
}

static inline XXH128_hash_t tieoutHash128(const void *bytes, size_t count) {
  return XXH3_128bits(bytes, count);
}
