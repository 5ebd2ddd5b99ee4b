import Mustache

/// Escapes what a template puts in, character by character as HTML reads it.
///
/// The library's own way looks at grapheme clusters. There U+0D4E and the `<` behind it are one character,
/// which is no `<`, and would go out as it came.
struct MarkupEscape: MustacheContentType {
  /// The name under which templates ask for it.
  static let name = "TIEOUT"

  func escapeText(_ text: String) -> String {
    var escaped = ""
    escaped.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}

/// The page's templates, built into the program.
enum Templates {
  /// Every template by its name.
  static let texts = [
    "page": PackageResources.page_mustache, "drawing": PackageResources.drawing_mustache,
  ]

  /// The page's style sheet.
  static let style = PackageResources.page_css

  /// The templates, ready to be filled.
  static func library() throws -> MustacheLibrary {
    MustacheContentTypes.register(MarkupEscape(), named: MarkupEscape.name)
    var library = MustacheLibrary()
    for (name, text) in texts {
      // Each begins with it, also those that others take in: the library starts anew in them.
      try library.register("{{% CONTENT_TYPE: \(MarkupEscape.name)}}" + text, named: name)
    }
    return library
  }
}
