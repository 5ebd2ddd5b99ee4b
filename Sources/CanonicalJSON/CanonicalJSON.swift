/// A JSON value that has exactly one text, that of RFC 8785 (JSON Canonicalization Scheme).
///
/// It has no fractions: a decimal is a string. So no number is rounded by a program that reads it.
public indirect enum CanonicalJSON: Sendable, Equatable {
  /// A member of an object.
  public struct Member: Sendable, Equatable {
    /// Its name.
    public let name: String
    /// Its value.
    public let value: CanonicalJSON

    /// A member with this name.
    public init(_ name: String, _ value: CanonicalJSON) {
      self.name = name
      self.value = value
    }
  }

  case object([Member])
  case array([CanonicalJSON])
  case string(String)
  /// A whole number that every JSON program reads exactly: at most 2⁵³ − 1 in size.
  case integer(Int)
  case boolean(Bool)
  case null

  /// The largest whole number that every JSON program reads exactly (RFC 8259, section 6).
  public static let largestInteger = (1 << 53) - 1

  /// The first member of an object with a name; nil for any other value.
  public subscript(name: String) -> CanonicalJSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text of a string.
  public var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The value of a whole number.
  public var integer: Int? {
    guard case .integer(let number) = self else { return nil }
    return number
  }

  /// The elements of an array.
  public var elements: [CanonicalJSON]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The members of an object.
  public var members: [Member]? {
    guard case .object(let members) = self else { return nil }
    return members
  }
}

/// The reason why a text is no value of this kind, or a value has no text.
public struct CanonicalJSONError: Error, Sendable, CustomStringConvertible {
  /// The reason in a few words, with the place in the text if there is one.
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
