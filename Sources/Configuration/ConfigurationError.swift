/// A setting that cannot be used: its place, the problem, and what to do.
public struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The place: file, line and key, or the environment variable, or the option.
  public let place: String
  /// The problem with the setting.
  public let problem: String
  /// The text that says what to do.
  public let remedy: String
  /// Whether the value is on the command line, so that the exit status is 64 instead of 78.
  package var isUsage = false

  /// The whole message, always one line.
  public var description: String { "\(place): \(problem); \(remedy)" }
}

/// The problem with a value, before the place of the value is known.
struct Complaint: Error, Equatable {
  /// The problem, as the end of a sentence that begins with the setting's name.
  let problem: String
  /// The value that was probably meant.
  var suggestion: String?
}

/// Text in the form for a message: in quotes, on one line, not too long.
///
/// The message repeats the user's text so that the user can find it, but only a short part of it.
func quoted(_ text: String) -> String {
  let longest = 60
  var shown = ""
  for scalar in text.unicodeScalars.prefix(longest) {
    shown += isControl(scalar) ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
  }
  return "\"\(shown)\(text.unicodeScalars.count > longest ? "…" : "")\""
}

/// Whether a character controls a terminal or ends a line, and so is allowed in no value.
func isControl(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.properties.generalCategory {
  case .control, .lineSeparator, .paragraphSeparator: true
  default: false
  }
}
