/// Text that came from outside, made fit to be read: an identifier is whatever somebody wrote.
public enum OutsideText {
  /// The text with nothing in it that is invisible or turns the text around, and no longer than about
  /// `most` characters (Unicode scalars), whatever it holds.
  ///
  /// Control and format characters, those that set the direction of writing among them, stand as their
  /// number: `⟨U+202E⟩`. Marks pile up no further than two. What was cut off is told of.
  public static func shown(_ text: String, most: Int = 100) -> String {
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
    return "\(String(shown))… (\(Amount.grouped(text.unicodeScalars.count)) characters)"
  }

  private static func code(of scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return "⟨U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)⟩"
  }

  /// The text as one word of a POSIX shell, behind a command; nil where it cannot be typed or copied: it
  /// is empty, very long, or not what it looks like.
  public static func shellWord(_ text: String) -> String? {
    guard !text.isEmpty, text.unicodeScalars.count <= 64, shown(text) == text else { return nil }
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "-"):
        true
      default: false
      }
    }
    let word = isPlain ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
    // What begins with a dash would be taken for an option.
    return text.hasPrefix("-") ? "-- \(word)" : word
  }
}
