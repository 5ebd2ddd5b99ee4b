import Foundation

/// The given value of a setting, before it is interpreted.
enum GivenValue: Sendable {
  /// One text: from the command line, the environment or a single YAML value.
  case text(String)
  /// A YAML list.
  case list([String])
  /// A YAML mapping, in the order of the file.
  case pairs([(name: String, value: String)])
  /// A YAML key without a value.
  case nothing
  /// YAML that is nested deeper than any setting, such as a list of lists.
  case nested

  /// The single text, without blanks around it.
  func oneText() throws(Complaint) -> String {
    switch self {
    case .text(let text): try GivenValue.usable(text)
    case .list: throw Complaint(problem: "is a list; the setting takes one value")
    case .pairs: throw Complaint(problem: "is a mapping; the setting takes one value")
    case .nothing: throw Complaint(problem: "has no value")
    case .nested: throw Complaint(problem: "is nested; the setting takes one value")
    }
  }

  /// The items of a list; a text is split at its commas.
  func items() throws(Complaint) -> [String] {
    switch self {
    case .text(let text): try GivenValue.eachUsable(text.parts)
    case .list(let items): try GivenValue.eachUsable(items)
    case .pairs: throw Complaint(problem: "is a mapping; the setting takes a list")
    case .nothing: throw Complaint(problem: "has no value")
    case .nested: throw Complaint(problem: "has a list or mapping inside its list")
    }
  }

  /// The pairs of a mapping; a text is split as `name=value,name=value`.
  func mapping() throws(Complaint) -> [String: String] {
    let pairs: [(name: String, value: String)]
    switch self {
    case .text(let text): pairs = try GivenValue.pairs(of: text)
    case .pairs(let given): pairs = given
    case .list: throw Complaint(problem: "is a list; the setting takes a mapping")
    case .nothing: throw Complaint(problem: "has no value")
    case .nested: throw Complaint(problem: "has a list or mapping inside its mapping")
    }
    var mapping: [String: String] = [:]
    for pair in pairs {
      let name = try GivenValue.usable(pair.name)
      guard mapping.updateValue(try GivenValue.usable(pair.value), forKey: name) == nil else {
        throw Complaint(problem: "names \(quoted(name)) twice")
      }
    }
    return mapping
  }

  private static func pairs(of text: String) throws(Complaint) -> [(name: String, value: String)] {
    var pairs: [(name: String, value: String)] = []
    for part in text.parts {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2 else {
        throw Complaint(problem: "has \(quoted(part)) without a \"=\"; write name=value")
      }
      pairs.append((name: String(sides[0]), value: String(sides[1])))
    }
    return pairs
  }

  private static func eachUsable(_ texts: [String]) throws(Complaint) -> [String] {
    var usable: [String] = []
    for text in texts { usable.append(try GivenValue.usable(text)) }
    return usable
  }

  /// The text without blanks around it; blank text and control characters are refused.
  ///
  /// The complaint does not contain the text, because it may be a connection string.
  private static func usable(_ text: String) throws(Complaint) -> String {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !trimmed.isEmpty else { throw Complaint(problem: "has an empty value") }
    guard !trimmed.unicodeScalars.contains(where: isControl) else {
      throw Complaint(problem: "has a control character or a line break in its value")
    }
    return trimmed
  }
}

extension String {
  /// The parts between commas.
  fileprivate var parts: [String] {
    split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }
}
