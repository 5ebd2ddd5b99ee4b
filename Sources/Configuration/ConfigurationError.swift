public import Foundation

/// A setting that cannot be used: where it stands, what is wrong with it, what to do.
public struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Where it stands: file, line and key, or the environment variable, or the option.
  public let place: String
  /// What is wrong there.
  public let problem: String
  /// What would be right.
  public let remedy: String

  /// The whole message, always one line.
  public var description: String { "\(place): \(problem); \(remedy)" }
}

extension ConfigurationError: LocalizedError {
  /// The whole message, for whoever prints errors through Foundation.
  public var errorDescription: String? { description }
}

/// What is wrong with a value, said before it is known where the value came from.
struct Complaint: Error, Equatable {
  /// What is wrong, as the end of a sentence that the setting's name begins.
  let problem: String
  /// The value that was probably meant.
  var suggestion: String?
}

/// Text as it may appear in a message: in quotes, on one line, not too long.
///
/// What was typed is repeated so that it can be found, but a message is no place for a page of it.
func quoted(_ text: String) -> String {
  let longest = 60
  var shown = ""
  for scalar in text.unicodeScalars.prefix(longest) {
    shown += isControl(scalar) ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
  }
  return "\"\(shown)\(text.unicodeScalars.count > longest ? "…" : "")\""
}

/// Whether a character steers a terminal or ends a line, and so belongs in no value.
func isControl(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .lineSeparator, .paragraphSeparator: true
  default: false
  }
}
