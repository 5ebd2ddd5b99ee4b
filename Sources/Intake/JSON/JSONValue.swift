/// One value of a parsed document: a place on simdjson's tape.
///
/// Each word of the tape has the kind of value in its highest byte; simdjson's doc/tape.md
/// describes the rest. A value may be used until its parser parses the next document.
struct JSONValue {
  private let tape: UnsafePointer<UInt64>
  private let strings: UnsafePointer<UInt8>
  /// The value's place on the tape.
  let index: Int

  /// The document's outermost value.
  init(rootOf tape: UnsafePointer<UInt64>, strings: UnsafePointer<UInt8>) {
    self.init(tape: tape, strings: strings, index: 1)
  }

  private init(tape: UnsafePointer<UInt64>, strings: UnsafePointer<UInt8>, index: Int) {
    self.tape = tape
    self.strings = strings
    self.index = index
  }

  /// Another value of the same document.
  @inline(__always)
  func value(at index: Int) -> JSONValue {
    JSONValue(tape: tape, strings: strings, index: index)
  }

  @inline(__always)
  private var kind: UInt8 { UInt8(truncatingIfNeeded: tape[index] &>> 56) }

  @inline(__always)
  private var payload: UInt64 { tape[index] & 0x00ff_ffff_ffff_ffff }

  /// The place of the value after this one.
  @inline(__always)
  var next: Int {
    switch kind {
    case Byte.openBrace, Byte.openBracket: return Int(payload & 0xffff_ffff)
    case UInt8(ascii: "l"), UInt8(ascii: "u"), UInt8(ascii: "d"): return index + 2
    default: return index + 1
    }
  }

  var isNull: Bool { kind == UInt8(ascii: "n") }
  var isObject: Bool { kind == Byte.openBrace }
  var isArray: Bool { kind == Byte.openBracket }

  /// The value of `true` or `false`.
  var boolean: Bool? {
    switch kind {
    case UInt8(ascii: "t"): return true
    case UInt8(ascii: "f"): return false
    default: return nil
    }
  }

  /// The bytes of a string, escapes resolved.
  @inline(__always)
  var string: Bytes? {
    guard kind == Byte.quote else { return nil }
    let start = strings + Int(payload)
    let length = UnsafeRawPointer(start).loadUnaligned(as: UInt32.self)
    return Bytes(start: start + 4, count: Int(UInt32(littleEndian: length)))
  }

  /// A whole number that fits in an `Int64`.
  var integer: Int64? {
    kind == UInt8(ascii: "l") ? Int64(bitPattern: tape[index + 1]) : nil
  }

  /// A whole number that fits in an `Int64`, written as a number or as a string.
  var wholeNumber: Int64? {
    integer ?? string.flatMap { FieldText.wholeNumber($0) }
  }

  /// A whole number that fits only in a `UInt64`.
  var unsigned: UInt64? {
    kind == UInt8(ascii: "u") ? tape[index + 1] : nil
  }

  /// A number with a fraction or an exponent.
  var double: Double? {
    kind == UInt8(ascii: "d") ? Double(bitPattern: tape[index + 1]) : nil
  }

  /// The places after the opening word of an object or array and before its closing word.
  @inline(__always)
  var contents: Range<Int> { index + 1..<Int(payload & 0xffff_ffff) - 1 }

  /// The number of elements or members; not exact above sixteen million.
  var elementCount: Int { Int(payload &>> 32) }

  /// Calls a closure with each element of an array until a call throws.
  func forEachElement<Failure: Error>(
    _ body: (JSONValue) throws(Failure) -> Void
  ) throws(Failure) {
    let range = contents
    var place = range.lowerBound
    while place < range.upperBound {
      let element = value(at: place)
      try body(element)
      place = element.next
    }
  }

  /// The last member of an object with a name.
  ///
  /// This is for rare paths; records are read by `FieldSlots`.
  func member(_ name: StaticString) -> JSONValue? {
    guard isObject else { return nil }
    var found: JSONValue?
    let range = contents
    var place = range.lowerBound
    while place < range.upperBound {
      let member = value(at: place + 1)
      if let key = value(at: place).string, key.equals(name) { found = member }
      place = member.next
    }
    return found
  }

  /// The names of an object's first members; none if the value is no object.
  ///
  /// This is for rare paths; records are read by `FieldSlots`.
  func memberNames(limit: Int = .max) -> [String] {
    guard isObject else { return [] }
    var names: [String] = []
    let range = contents
    var place = range.lowerBound
    while place < range.upperBound, names.count < limit {
      names.append(value(at: place).string?.string ?? "")
      place = value(at: place + 1).next
    }
    return names
  }

  /// A member that exists and is not null.
  func present(_ name: StaticString) -> JSONValue? {
    member(name).flatMap { $0.isNull ? nil : $0 }
  }

  /// The elements of an array.
  var elements: [JSONValue] {
    var elements: [JSONValue] = []
    forEachElement { elements.append($0) }
    return elements
  }
}
