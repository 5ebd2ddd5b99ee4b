/// Words of commands that a person copies into a shell.
package enum ShellWord {
  /// A text as one word for a POSIX shell.
  ///
  /// It is in single quotes unless it consists of letters, digits and `.`, `_`, `-`, `/`. A command
  /// can read a word that begins with a dash as an option.
  package static func of(_ text: String) -> String {
    guard text.isEmpty || !text.utf8.allSatisfy(isPlain) else { return text }
    var word = "'"
    // Scalars, because a quote and a combining accent after it are a single character in Swift.
    for scalar in text.unicodeScalars {
      if scalar == "'" { word += #"'\''"# } else { word.unicodeScalars.append(scalar) }
    }
    return word + "'"
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "-"), UInt8(ascii: "/"):
      true
    default: false
    }
  }
}
