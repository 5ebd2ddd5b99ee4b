#include <zlib.h>
// inflateInit2 is a macro, which Swift does not import. 31: a gzip header and the largest window.
static inline int tieoutInflateInitGzip(z_stream *stream) { return inflateInit2(stream, 31); }
