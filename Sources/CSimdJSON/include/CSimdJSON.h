// simdjson's DOM parser for Swift: parse into the tape, and let the caller walk it.
// The tape is described in simdjson's doc/tape.md.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How many readable bytes must follow what is parsed; their values do not matter.
static const size_t TieoutJSONPadding = 64;

/// What came of parsing.
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

/// Where the last parsed document lies; valid until the next parse.
typedef struct {
  int32_t outcome;
  const char *message;
  const uint64_t *tape;
  const uint8_t *strings;
} TieoutJSONDocument;

TieoutJSONParser *tieoutJSONParserCreate(void);
void tieoutJSONParserDestroy(TieoutJSONParser *parser);

/// Parses one document of `count` bytes, behind which TieoutJSONPadding more can be read.
TieoutJSONDocument tieoutJSONParse(TieoutJSONParser *parser, const uint8_t *bytes, size_t count);

/// Gives memory back that an unusually large document took.
void tieoutJSONParserTrim(TieoutJSONParser *parser, size_t largest);

/// Whether the bytes are UTF-8.
bool tieoutIsUTF8(const uint8_t *bytes, size_t count);

#ifdef __cplusplus
}
#endif
