#include "CSimdJSON.h"

#include <new>
#include <simdjson.h>

static_assert(simdjson::SIMDJSON_PADDING <= TieoutJSONPadding, "TieoutJSONPadding must not be less");

struct TieoutJSONParser {
  simdjson::dom::parser parser;
};

static int32_t outcomeOf(simdjson::error_code error) {
  switch (error) {
  case simdjson::SUCCESS:
    return TieoutJSONParsed;
  case simdjson::UTF8_ERROR:
    return TieoutJSONInvalidUTF8;
  case simdjson::NUMBER_ERROR:
    return TieoutJSONInvalidNumber;
  case simdjson::DEPTH_ERROR:
    return TieoutJSONTooDeep;
  case simdjson::MEMALLOC:
  case simdjson::CAPACITY:
    return TieoutJSONNoMemory;
  default:
    return TieoutJSONMalformed;
  }
}

TieoutJSONParser *tieoutJSONParserCreate(void) { return new (std::nothrow) TieoutJSONParser(); }

void tieoutJSONParserDestroy(TieoutJSONParser *parser) { delete parser; }

TieoutJSONDocument tieoutJSONParse(TieoutJSONParser *parser, const uint8_t *bytes, size_t count) {
  simdjson::error_code error = parser->parser.parse(bytes, count, false).error();
  const simdjson::dom::document &document = parser->parser.doc;
  return {outcomeOf(error), simdjson::error_message(error), document.tape.get(),
          document.string_buf.get()};
}

void tieoutJSONParserTrim(TieoutJSONParser *parser, size_t largest) {
  if (parser->parser.capacity() > largest) {
    parser->parser = simdjson::dom::parser();
  }
}

bool tieoutIsUTF8(const uint8_t *bytes, size_t count) {
  return simdjson::validate_utf8(reinterpret_cast<const char *>(bytes), count);
}
