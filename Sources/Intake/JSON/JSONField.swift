/// Reads a field of a JSON record in every form that Apple and archives use.
///
/// Values may be strings, numbers or booleans. An empty string counts as missing.
enum JSONField {
  /// A text, or a whole number's digits.
  @inline(__always)
  static func text(
    _ value: JSONValue?, _ name: @autoclosure () -> String, or reason: RejectionReason,
    _ arena: TextArena
  ) throws(RecordProblem) -> Bytes? {
    guard let value else { return nil }
    if let string = value.string { return string.isEmpty ? nil : string }
    if let integer = value.integer { return arena.keep(integer) }
    if let unsigned = value.unsigned { return arena.keep(unsigned) }
    throw RecordProblem(reason, "\(name()) is neither a text nor a whole number; correct it.")
  }

  /// An identifier of up to 100 printable characters.
  @inline(__always)
  static func identifier(
    _ value: JSONValue?, _ name: @autoclosure () -> String, _ arena: TextArena
  ) throws(RecordProblem) -> Bytes? {
    guard let text = try text(value, name(), or: .badIdentifier, arena) else { return nil }
    guard FieldText.isIdentifier(text) else { throw .badIdentifier(name()) }
    return text
  }

  /// A product identifier, or another name of up to 255 characters.
  @inline(__always)
  static func name(
    _ value: JSONValue?, _ name: @autoclosure () -> String, _ arena: TextArena
  ) throws(RecordProblem) -> Bytes? {
    guard let text = try text(value, name(), or: .badIdentifier, arena) else { return nil }
    guard FieldText.isProductIdentifier(text) else { throw .badName(name()) }
    return text
  }

  /// One of Apple's dates from its milliseconds if they are given, or else from its text.
  ///
  /// - Throws: `bad_date` for a value that is no date, and for a date before the App Store opened.
  @inline(__always)
  static func instant(
    milliseconds: JSONValue?, text: JSONValue?, _ name: @autoclosure () -> String
  ) throws(RecordProblem) -> Int64? {
    if let milliseconds, milliseconds.string?.isEmpty != true {
      let read =
        milliseconds.string.map { Instant.epochMilliseconds($0) } ?? instant(of: milliseconds)
      guard let read else { throw .badMilliseconds(name() + "_ms") }
      if let instant = try Instant.ofApple(read, name() + "_ms") { return instant }
    }
    guard let text, text.string?.isEmpty != true else { return nil }
    guard let read = instant(of: text) else { throw .badDate(name()) }
    return try Instant.ofApple(read, name())
  }

  /// Whether a date in text and the same date in milliseconds are different seconds.
  ///
  /// Apple rounds the text to the second separately, so one second is not a difference.
  @inline(__always)
  static func disagree(milliseconds: JSONValue?, text: JSONValue?) -> Bool {
    guard let milliseconds, let text, text.string?.isEmpty == false,
      let first = milliseconds.string.map({ Instant.epochMilliseconds($0) })
        ?? instant(of: milliseconds),
      let second = instant(of: text), !Instant.standsForNone(first), !Instant.standsForNone(second)
    else { return false }
    return abs(first - second) > 1
  }

  private static func instant(of value: JSONValue) -> Int64? {
    if let string = value.string { return Instant.parse(string) }
    if let integer = value.integer { return Instant.seconds(milliseconds: integer) }
    // Xcode writes fractions of milliseconds.
    guard let double = value.double, let whole = Int64(exactly: double.rounded(.down)) else {
      return nil
    }
    return Instant.seconds(milliseconds: whole)
  }

  /// Whether a flag is set; a missing flag is not set.
  ///
  /// - Throws: `unknown_value` for a value that is neither true nor false.
  @inline(__always)
  static func flag(
    _ value: JSONValue?, _ name: @autoclosure () -> String
  ) throws(RecordProblem) -> Bool {
    guard let value else { return false }
    guard let isSet = truth(of: value) else { throw .badFlag(name(), value) }
    return isSet
  }

  /// The truth of a value in every form of true and false; nil if it is neither.
  ///
  /// A missing value is false.
  static func truth(of value: JSONValue) -> Bool? {
    if let string = value.string { return FieldText.flag(string) }
    if let boolean = value.boolean { return boolean }
    if value.isNull || value.integer == 0 || value.double == 0 { return false }
    return value.integer == 1 || value.double == 1 ? true : nil
  }

  /// An exact amount: a string as it was written, a number as its shortest decimal.
  static func amount(
    _ value: JSONValue, _ name: @autoclosure () -> String, _ arena: TextArena
  ) throws(RecordProblem) -> Bytes {
    if let double = value.double, let text = Amount.shortestDecimal(double) {
      return arena.keep(text.utf8)
    }
    if value.double == nil, let text = try text(value, name(), or: .badAmount, arena),
      Amount.isDecimal(text)
    {
      return text
    }
    throw RecordProblem(
      .badAmount,
      "\(name()) is not a decimal of at least zero with up to 18 digits and 9 after the point (a JSON "
        + "number keeps only 15 digits); write it as a text like \"0.99\".")
  }
}

extension RecordProblem {
  static func missing(_ name: String, _ hint: String = "") -> RecordProblem {
    RecordProblem(
      .missingField, "\(name) is missing or empty; add it, because every record needs it.\(hint)")
  }

  static func badIdentifier(_ name: String) -> RecordProblem {
    RecordProblem(
      .badIdentifier,
      "\(name) is longer than \(FieldText.identifierLimit) characters or contains a space or a character "
        + "that cannot be printed; correct it at the source.")
  }

  static func badName(_ name: String) -> RecordProblem {
    RecordProblem(
      .badIdentifier,
      "\(name) is longer than \(FieldText.productLimit) characters or contains a control character; "
        + "correct it at the source.")
  }

  static func badDate(_ name: String) -> RecordProblem {
    RecordProblem(
      .badDate,
      "\(name) is not a date of the years 1 to 9999 in a known form; write it like "
        + "2026-11-19T03:04:05Z.")
  }

  static func badMilliseconds(_ name: String) -> RecordProblem {
    RecordProblem(
      .badDate,
      "\(name) is not a number of milliseconds since 1970 within the years 1 to 9999; write it like "
        + "1795057445000.")
  }

  static func badFlag(_ name: String, _ value: JSONValue) -> RecordProblem {
    if let text = value.string { return badFlag(name, text) }
    let isNumber = value.integer != nil || value.unsigned != nil || value.double != nil
    return badFlag(name, shown: isNumber ? "a number" : "a value")
  }

  static func badFlag(_ name: String, _ text: Bytes) -> RecordProblem {
    // Only these words are quoted. Another text can be the name of a person, and no detail may
    // contain one if names are hashed.
    let words: [StaticString] = ["t", "f", "y", "n", "yes", "no", "on", "off"]
    let isQuoted = words.contains { text.isWord($0) }
    return badFlag(name, shown: isQuoted ? "the text \"\(text.string)\"" : "a text")
  }

  private static func badFlag(_ name: String, shown: String) -> RecordProblem {
    RecordProblem(
      .unknownValue,
      "\(name) is \(shown) that is neither true nor false; write true, false, 1 or 0.")
  }

  static func tooEarly(_ name: String) -> RecordProblem {
    let hint =
      name.hasSuffix("_ms") ? " A number of seconds instead of milliseconds gives such a date." : ""
    return RecordProblem(
      .badDate,
      "\(name) is before July 2008, when the App Store opened; correct it at the source.\(hint)")
  }
}
