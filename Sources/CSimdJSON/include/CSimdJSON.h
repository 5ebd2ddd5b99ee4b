// simdjson's DOM parser for Swift: it parses a document into the tape, and the caller reads the tape. simdjson's
// doc/tape.md has the format of the tape.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The number of readable bytes that must follow the parsed bytes. Their values do not matter.
static const size_t TieoutJSONPadding = 64;

/// The result of parsing.
enum TieoutJSONOutcome {
  TieoutJSONParsed = 0,
  TieoutJSONMalformed = 1,
  TieoutJSONInvalidUTF8 = 2,
  TieoutJSONInvalidNumber = 3,
  TieoutJSONTooDeep = 4,
  TieoutJSONNoMemory = 5
};

/// A parser with its memory, for one thread at a time.
typedef struct TieoutJSONParser TieoutJSONParser;

/// The last parsed document; valid until the next parse.
typedef struct {
  int32_t outcome;
  const char *message;
  const uint64_t *tape;
  const uint8_t *strings;
} TieoutJSONDocument;

TieoutJSONParser *tieoutJSONParserCreate(void);
void tieoutJSONParserDestroy(TieoutJSONParser *parser);

/// Parses one document of `count` bytes. TieoutJSONPadding more bytes after it must be readable.
TieoutJSONDocument tieoutJSONParse(TieoutJSONParser *parser, const uint8_t *bytes, size_t count);

/// Frees the memory that an unusually large document needed.
void tieoutJSONParserTrim(TieoutJSONParser *parser, size_t largest);

/// Whether the bytes are UTF-8.
bool tieoutIsUTF8(const uint8_t *bytes, size_t count);

#ifdef __cplusplus
}
#endif
