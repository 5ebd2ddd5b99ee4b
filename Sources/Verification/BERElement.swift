/// One element of BER (ITU-T X.690) within bytes that somebody else keeps: offsets, no copies.
struct BERElement {
  /// The identifier octet; tags of several octets occur in nothing that Apple signs.
  let tag: UInt8
  /// Where the identifier stands.
  let start: Int
  /// The content, without the end-of-contents octets of an indefinite length.
  let content: Range<Int>
  /// The first offset behind the element.
  let end: Int

  /// Identifier, length and content.
  var whole: Range<Int> { start..<end }

  /// Whether it is made of further elements.
  var isConstructed: Bool { tag & 0x20 != 0 }
}

/// Identifier octets, as they stand in what Apple signs.
enum BERTag {
  static let integer: UInt8 = 0x02
  static let octetString: UInt8 = 0x04
  static let constructedOctetString: UInt8 = 0x24
  static let objectIdentifier: UInt8 = 0x06
  static let utf8String: UInt8 = 0x0c
  static let printableString: UInt8 = 0x13
  static let ia5String: UInt8 = 0x16
  static let sequence: UInt8 = 0x30
  static let set: UInt8 = 0x31
  /// `[0]`, constructed.
  static let first: UInt8 = 0xa0
  /// `[1]`, constructed.
  static let second: UInt8 = 0xa1
}

/// Reads elements of BER one after the other, without ever calling itself.
///
/// swift-asn1 makes a tree of everything at once; a receipt of a thousand purchases has a hundred
/// thousand elements, of which one level at a time is wanted.
struct BERReader {
  /// Lengths within lengths of unknown size beyond this are refused: Apple's have six.
  static let depthLimit = 16

  let bytes: ArraySlice<UInt8>
  private(set) var offset: Int
  private let end: Int

  /// Reads all elements of the bytes.
  init(_ bytes: ArraySlice<UInt8>) {
    self.init(bytes, bytes.startIndex..<bytes.endIndex)
  }

  /// Reads the elements of a part of the bytes.
  init(_ bytes: ArraySlice<UInt8>, _ part: Range<Int>) {
    self.bytes = bytes
    offset = part.lowerBound
    end = part.upperBound
  }

  /// Whether nothing is left.
  var isAtEnd: Bool { offset == end }

  /// Whether nothing but zeros is left, as some archives pad.
  var hasOnlyPaddingLeft: Bool { bytes[offset..<end].allSatisfy { $0 == 0 } }

  /// The identifier of what comes next, if anything does.
  var nextTag: UInt8? { isAtEnd ? nil : bytes[offset] }

  /// The elements within one that was read from here.
  func within(_ element: BERElement) -> BERReader {
    BERReader(bytes, element.content)
  }

  /// The next element.
  mutating func next() throws(VerificationProblem) -> BERElement {
    let start = offset
    let header = try Self.header(bytes, at: start, before: end)
    let element: BERElement
    if let length = header.length {
      let contentEnd = header.contentStart + length
      element = BERElement(
        tag: header.tag, start: start, content: header.contentStart..<contentEnd, end: contentEnd)
    } else {
      let contentEnd = try endOfContents(from: header.contentStart)
      element = BERElement(
        tag: header.tag, start: start, content: header.contentStart..<contentEnd,
        end: contentEnd + 2)
    }
    offset = element.end
    return element
  }

  /// The next element, which must be of one kind.
  mutating func next(_ tag: UInt8, _ what: StaticString) throws(VerificationProblem) -> BERElement {
    let element = try next()
    guard element.tag == tag else {
      throw VerificationProblem(
        .malformed, "There is no \(what) at byte \(element.start); send the receipt as it was made."
      )
    }
    return element
  }

  /// Where the contents of an indefinite length end: one walk, however deep it goes.
  private func endOfContents(from start: Int) throws(VerificationProblem) -> Int {
    var position = start
    var depth = 1
    while true {
      if position + 1 < end, bytes[position] == 0, bytes[position + 1] == 0 {
        depth -= 1
        if depth == 0 { return position }
        position += 2
        continue
      }
      let header = try Self.header(bytes, at: position, before: end)
      if let length = header.length {
        position = header.contentStart + length
      } else {
        depth += 1
        guard depth <= Self.depthLimit else {
          throw VerificationProblem(.malformed, "It is nested deeper than any receipt of Apple's.")
        }
        position = header.contentStart
      }
    }
  }

  /// Identifier and length; no length where it is indefinite, else content that ends before `end`.
  private static func header(
    _ bytes: ArraySlice<UInt8>, at start: Int, before end: Int
  ) throws(VerificationProblem) -> (tag: UInt8, contentStart: Int, length: Int?) {
    guard start + 1 < end else { throw truncated(at: start) }
    let tag = bytes[start]
    let first = bytes[start + 1]
    guard tag & 0x1f != 0x1f, tag != 0 else {
      throw VerificationProblem(.malformed, "The tag at byte \(start) stands in no receipt.")
    }
    if first < 0x80 {
      guard Int(first) <= end - start - 2 else { throw truncated(at: start) }
      return (tag, start + 2, Int(first))
    }
    if first == 0x80 {
      guard tag & 0x20 != 0 else {
        throw VerificationProblem(.malformed, "The value at byte \(start) has no length.")
      }
      return (tag, start + 2, nil)
    }
    let count = Int(first & 0x7f)
    // Four octets are 4 GiB; no input is that long.
    guard count <= 4 else {
      throw VerificationProblem(.malformed, "The length at byte \(start) is beyond all receipts.")
    }
    guard count <= end - start - 2 else { throw truncated(at: start) }
    var length = 0
    for index in start + 2..<start + 2 + count { length = length << 8 | Int(bytes[index]) }
    guard length <= end - start - 2 - count else { throw truncated(at: start) }
    return (tag, start + 2 + count, length)
  }

  private static func truncated(at start: Int) -> VerificationProblem {
    VerificationProblem(
      .malformed, "It breaks off within the element at byte \(start); send it whole.")
  }
}
