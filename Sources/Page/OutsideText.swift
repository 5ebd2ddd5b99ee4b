import ExactText

/// Makes text from outside readable.
///
/// Such text can contain any character.
package enum OutsideText {
  /// The text without invisible characters and characters that change its direction.
  ///
  /// It is at most about `most` characters (Unicode scalars) long. Control and format characters,
  /// including those that set the writing direction, are replaced by their number: `⟨U+202E⟩`. From
  /// the third combining mark on one character on, marks are replaced too. A text that was cut ends
  /// with the length of the whole text.
  package static func shown(_ text: String, most: Int = 100) -> String {
    var shown = String.UnicodeScalarView()
    var marks = 0
    var isCut = false
    for scalar in text.unicodeScalars {
      guard shown.count < most else {
        isCut = true
        break
      }
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
        .paragraphSeparator:
        shown += code(of: scalar).unicodeScalars
        marks = 0
      case .spaceSeparator where scalar != " ":
        shown += code(of: scalar).unicodeScalars
        marks = 0
      case .nonspacingMark, .enclosingMark:
        marks += 1
        if marks > 2 { shown += code(of: scalar).unicodeScalars } else { shown.append(scalar) }
      default:
        marks = 0
        shown.append(scalar)
      }
    }
    guard isCut else { return String(shown) }
    return "\(String(shown))… (\(Figure.grouped(text.unicodeScalars.count)) characters)"
  }

  /// The text made readable in the same way, but shortened in the middle.
  ///
  /// It is at most `most` characters (Unicode scalars) long, or one more if `most` is even. Names
  /// that begin in the same way, such as those of servers, still differ at their end.
  static func shown(_ text: String, withoutMiddleAbove most: Int) -> String {
    let all = text.unicodeScalars
    let ends =
      all.count > 2 * most ? String(all.prefix(most)) + String(all.suffix(most)) : text
    let whole = shown(ends, most: .max).unicodeScalars
    guard whole.count > most else { return String(whole) }
    return String(whole.prefix(most / 2)) + "…" + String(whole.suffix(most / 2))
  }

  private static func code(of scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "⟨U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)⟩"
  }

  /// The text as one word for a POSIX shell, after a command.
  ///
  /// Nil if the word cannot be typed or copied: it is empty, longer than 64 characters, or shown
  /// differently.
  package static func shellWord(_ text: String) -> String? {
    guard !text.isEmpty, text.unicodeScalars.count <= 64, shown(text) == text else { return nil }
    let word = ShellWord.of(text)
    // Otherwise the command would read a word that begins with a dash as an option.
    return text.hasPrefix("-") ? "-- \(word)" : word
  }
}
