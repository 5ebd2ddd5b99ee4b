/// Strings that an attacker could send so that a program treats them as more than text.
package enum AttackString {
  /// The strings that fit into any text field.
  package static let short = [
    "'); drop table tieout.finding; --", "\"; drop schema tieout cascade; --", "$$", "$1", "\\.",
    "\\N", "\\", "''", "a\tb", "a\nb", "a\r\nb", "=cmd|' /C calc'!A0", "+1+1", "-1+1", "@sum(1)",
    "\t=1+1", "\r=1+1", "\n=1+1", "\u{1b}[2J\u{1b}]0;title\u{7}", "\u{202e}gpj.exe", "\u{9b}2J",
    "\u{2028}", "\u{200b}", "../../../../etc/passwd", "/etc/passwd", "..\\..\\boot.ini",
    "%s%n%p%1$s", "{0}", "${HOME}", "$(id)", "`id`", "<script>alert(1)</script>", "]]>", "&amp;",
    "a,b;\"c\"|d", "NULL", "null", "NaN", "-0", "1e400", "İı", "\u{65}\u{301}",
    "\u{1f600}\u{fe0f}\u{200d}", "\u{feff}a", "true",
  ]
  /// A long string.
  package static let long = String(repeating: "long ", count: 2000)
  /// All strings.
  package static let all = short + [long]

  /// Whether a text contains no character that controls a terminal or the direction of text.
  package static func isHarmless(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control: scalar == "\n"
      case .format, .lineSeparator, .paragraphSeparator: false
      default: true
      }
    }
  }
}
