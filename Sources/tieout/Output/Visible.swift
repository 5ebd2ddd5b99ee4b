/// Escapes text from outside for a terminal.
enum Visible {
  /// Escapes control characters, characters that reverse or hide text, and characters that look like
  /// a blank or like nothing, for instance as `\u{1b}`.
  ///
  /// A file name must not control the terminal or look like another name.
  ///
  /// - Parameter keepingLines: Whether line feeds are kept.
  static func text(_ text: String, keepingLines: Bool = false) -> String {
    replaced(text, keepingLines: keepingLines) { "\\u{\(String($0, radix: 16))}" }
  }

  /// Escapes the same characters in JSON syntax.
  static func json(_ text: String, keepingLines: Bool = false) -> String {
    replaced(text, keepingLines: keepingLines) { scalar in
      String(scalar, radix: 16).utf8.count <= 4
        ? escaped(scalar)
        // JSON writes a character above U+FFFF as a surrogate pair (RFC 8259, 7).
        : escaped(0xd800 + (scalar - 0x1_0000) >> 10)
          + escaped(0xdc00 + (scalar - 0x1_0000) & 0x3ff)
    }
  }

  private static func escaped(_ unit: UInt32) -> String {
    let digits = String(unit, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }

  private static func replaced(
    _ text: String, keepingLines: Bool, by escape: (UInt32) -> String
  ) -> String {
    var visible = ""
    for scalar in text.unicodeScalars {
      if isHarmless(scalar) || keepingLines && scalar == "\n" {
        visible.unicodeScalars.append(scalar)
      } else {
        visible += escape(scalar.value)
      }
    }
    return visible
  }

  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      false
    // Another space, such as U+00A0, looks like a blank.
    case .spaceSeparator: scalar == " "
    default: true
    }
  }
}
