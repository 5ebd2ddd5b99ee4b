import ExactText

/// The spellings of a name in texts that writers of several formats made.
///
/// A rejected record is kept as it came, in any format, and the place of a name in it is unknown.
/// So `forget` searches for all of these spellings.
package enum WrittenName {
  /// The name itself, and the name as the usual writers of JSON, YAML, markup, addresses and CSV
  /// write it.
  ///
  /// Only characters other than letters, digits and `-._` of ASCII give a name a second spelling.
  package static func spellings(of name: String) -> Set<String> {
    var spellings: Set = [name]
    // Texts of SQL, YAML and Python can be between apostrophes.
    for apostrophe in ["''", "\\'"] {
      spellings.insert(name.replacingScalars { $0 == "'" ? apostrophe : nil })
    }
    for style in QuotedStyle.all { spellings.insert(style.written(name)) }
    // JSON and markup are often a text in JSON.
    let markup = inMarkup(name)
    for inner in QuotedStyle.usual.map({ $0.written(name) }) + markup {
      for outer in QuotedStyle.usual { spellings.insert(outer.written(inner)) }
    }
    // The detail of a rejection names members by a JSON pointer, as they are written in JSON.
    spellings.formUnion(spellings.map(inPointer))
    spellings.formUnion(markup)
    spellings.formUnion(inAddresses(name))
    // Details and excerpts show every character.
    spellings.formUnion(spellings.map { RejectedRecord.visible($0, limit: .max) })
    spellings.formUnion(spellings.map(\.withDoubledQuotes))
    return spellings
  }

  /// The text as a step of a JSON pointer (RFC 6901).
  static func inPointer(_ text: String) -> String {
    text.replacingScalars { scalar in
      switch scalar {
      case "~": return "~0"
      case "/": return "~1"
      default: return nil
      }
    }
  }

  /// The name as writers of XML and HTML write it.
  private static func inMarkup(_ name: String) -> Set<String> {
    let quotes = [
      ("\"", "'"), ("&quot;", "'"), ("&quot;", "&apos;"), ("&quot;", "&#39;"),
      ("&quot;", "&#x27;"), ("&#34;", "&#39;"),
    ]
    let numbers: [(Unicode.Scalar) -> String?] = [
      { _ in nil }, { "&#\($0.value);" }, { "&#x\(hexadecimal($0.value));" },
      { "&#x\(hexadecimal($0.value, hasCapitals: true));" },
    ]
    var written: Set<String> = []
    for (quote, apostrophe) in quotes {
      for greater in [">", "&gt;"] {
        for number in numbers {
          let text = name.replacingScalars { scalar in
            switch scalar {
            case "&": return "&amp;"
            case "<": return "&lt;"
            case ">": return greater
            case "\"": return quote
            case "'": return apostrophe
            default: return (0x20..<0x80).contains(scalar.value) ? nil : number(scalar)
            }
          }
          written.insert(text)
        }
      }
    }
    return written
  }

  /// The characters that addresses and forms write as they are (RFC 3986, section 2.3).
  private static let unreserved = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".unicodeScalars)

  /// The name as addresses and forms write it.
  private static func inAddresses(_ name: String) -> Set<String> {
    var written: Set<String> = []
    for space in ["%20", "+"] {
      for hasCapitals in [false, true] {
        let text = name.replacingScalars { scalar in
          if scalar == " " { return space }
          if unreserved.contains(scalar) { return nil }
          return String(scalar).utf8.map { byte in
            "%" + hexadecimal(UInt32(byte), digits: 2, hasCapitals: hasCapitals)
          }.joined()
        }
        written.insert(text)
      }
    }
    return written
  }
}

/// How a writer of JSON or YAML writes a text between quotes.
private struct QuotedStyle {
  /// Characters that it writes as numbers although JSON does not require it.
  let numbered: Set<Unicode.Scalar>
  /// Whether it writes characters outside of ASCII as numbers.
  let isASCII: Bool
  /// Whether it writes `\/`.
  let escapesSlash: Bool
  /// Whether it writes hexadecimal digits as capitals.
  let hasCapitals: Bool
  /// Whether it writes the numbers of YAML, such as `\xeb` and `\U0001f600`, instead of UTF-16.
  var hasNumbersOfYAML = false

  /// The writers that write as numbers only what JSON requires, or all that is not ASCII.
  static let usual = styles(numbering: "")

  /// All writers.
  ///
  /// Some write characters as numbers that have a meaning in HTML; others write all control
  /// characters as numbers.
  static let all: [QuotedStyle] =
    usual
    + ["<>&", "<>&'=", "<>&'\"+`", "\u{8}\t\n\u{c}\r"].flatMap { styles(numbering: $0) }
    + [false, true].map { hasCapitals in
      QuotedStyle(
        numbered: [], isASCII: true, escapesSlash: false, hasCapitals: hasCapitals,
        hasNumbersOfYAML: true)
    }

  private static func styles(numbering characters: String) -> [QuotedStyle] {
    var styles: [QuotedStyle] = []
    for isASCII in [false, true] {
      for escapesSlash in [false, true] {
        for hasCapitals in [false, true] {
          styles.append(
            QuotedStyle(
              numbered: Set(characters.unicodeScalars), isASCII: isASCII,
              escapesSlash: escapesSlash, hasCapitals: hasCapitals))
        }
      }
    }
    return styles
  }

  /// The text between the quotes.
  func written(_ text: String) -> String {
    text.replacingScalars { scalar in
      if numbered.contains(scalar) || isASCII && !scalar.isASCII { return number(of: scalar) }
      switch scalar {
      case "\"", "\\": return "\\\(scalar)"
      case "/": return escapesSlash ? "\\/" : nil
      case "\u{8}": return "\\b"
      case "\t": return "\\t"
      case "\n": return "\\n"
      case "\u{c}": return "\\f"
      case "\r": return "\\r"
      default: return scalar.value < 0x20 ? number(of: scalar) : nil
      }
    }
  }

  private func number(of scalar: Unicode.Scalar) -> String {
    guard hasNumbersOfYAML else {
      return String(scalar).utf16.map { unit in
        "\\u" + hexadecimal(UInt32(unit), digits: 4, hasCapitals: hasCapitals)
      }.joined()
    }
    func digits(_ count: Int) -> String {
      hexadecimal(scalar.value, digits: count, hasCapitals: hasCapitals)
    }
    switch scalar.value {
    case 0..<0x100: return "\\x" + digits(2)
    case 0x100..<0x1_0000: return "\\u" + digits(4)
    default: return "\\U" + digits(8)
    }
  }
}

/// A number in hexadecimal digits, with zeros in front up to a number of digits.
private func hexadecimal(_ number: UInt32, digits: Int = 1, hasCapitals: Bool = false) -> String {
  let text = String(number, radix: 16, uppercase: hasCapitals)
  return String(repeating: "0", count: max(0, digits - text.count)) + text
}
