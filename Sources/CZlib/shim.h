#include <zlib.h>
// inflateInit2 is a macro, which Swift does not import. The value 31 selects a gzip header and the largest window.
static inline int tieoutInflateInitGzip(z_stream *stream) { return inflateInit2(stream, 31); }
