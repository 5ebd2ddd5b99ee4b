import Foundation
import LibCrypto
import Mustache

/// Escapes inserted text for HTML, one Unicode scalar at a time.
///
/// The library's own escape works on grapheme clusters. U+0D4E and a following `<` are one grapheme
/// cluster. It is not equal to `<`, so the library would not escape it.
struct MarkupEscape: MustacheContentType {
  /// The content type's name in the templates.
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

extension String {
  /// The text as the pages write it.
  package var escapedForPage: String { MarkupEscape().escapeText(self) }
}

/// The templates of the pages, built into the program.
enum Templates {
  /// Every template by its name.
  static let texts = [
    "page": PackageResources.page_mustache, "drawing": PackageResources.drawing_mustache,
    "calendar": PackageResources.calendar_mustache,
  ]

  /// The style sheet of the pages.
  static let style = PackageResources.page_css

  /// The values that every page has: its style sheet, and the hash that permits it.
  static var frame: [String: Any] {
    [
      "style": style,
      "styleHash": Data(HashFunction.sha256.digest(of: style.utf8).bytes).base64EncodedString(),
    ]
  }

  /// The templates, which are parsed once for all pages.
  static func library() throws -> MustacheLibrary { try parsed.get() }

  private static let parsed = Result { try parse() }

  private static func parse() throws -> MustacheLibrary {
    MustacheContentTypes.register(MarkupEscape(), named: MarkupEscape.name)
    var library = MustacheLibrary()
    for (name, text) in texts {
      // Each template, also a partial, begins with the content type: the library resets it for each
      // one.
      try library.register("{{% CONTENT_TYPE: \(MarkupEscape.name)}}" + text, named: name)
    }
    return library
  }
}
