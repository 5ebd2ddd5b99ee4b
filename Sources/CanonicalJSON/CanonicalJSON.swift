/// A JSON value that has exactly one text, that of RFC 8785 (JSON Canonicalization Scheme).
///
/// It has no fractions: a decimal is a string. So no number is rounded by a program that reads it.
package indirect enum CanonicalJSON: Sendable, Equatable {
  /// A member of an object.
  package struct Member: Sendable, Equatable {
    /// Its name.
    package let name: String
    /// Its value.
    package let value: CanonicalJSON

    /// A member with this name.
    package init(_ name: String, _ value: CanonicalJSON) {
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
  package static let largestInteger = (1 << 53) - 1

  /// The first member of an object with a name; nil for any other value.
  package subscript(name: String) -> CanonicalJSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  /// The text of a string.
  package var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The value of a whole number.
  package var integer: Int? {
    guard case .integer(let number) = self else { return nil }
    return number
  }

  /// The elements of an array.
  package var elements: [CanonicalJSON]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The members of an object.
  package var members: [Member]? {
    guard case .object(let members) = self else { return nil }
    return members
  }
}

/// The reason why a text is no value of this kind, or a value has no text.
package struct CanonicalJSONError: Error, Sendable, CustomStringConvertible {
  /// The reason in a few words, with the place in the text if there is one.
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}
