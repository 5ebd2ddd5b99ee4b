/// Walks over elements of BER one after another, without recursion.
///
/// A receipt of a thousand purchases has a hundred thousand elements, so no tree of them is made.
/// The caller passes the bytes to each step, so no reference is counted for each element.
struct BERCursor {
  /// The maximum depth of nested indefinite lengths; Apple's receipts have six.
  static let depthLimit = 16

  private(set) var offset: Int
  private let end: Int

  /// Walks over a part of bytes.
  init(_ part: Range<Int>) {
    offset = part.lowerBound
    end = part.upperBound
  }

  /// Whether nothing is left.
  var isAtEnd: Bool { offset == end }

  /// The range that is left.
  var rest: Range<Int> { offset..<end }

  /// The next element.
  mutating func next(in bytes: ArraySlice<UInt8>) throws(VerificationProblem) -> BERElement {
    let start = offset
    let header = try Self.header(bytes, at: start, before: end)
    let element: BERElement
    if let length = header.length {
      let contentEnd = header.contentStart + length
      element = BERElement(
        tag: header.tag, start: start, content: header.contentStart..<contentEnd, end: contentEnd)
    } else {
      let contentEnd = try endOfContents(of: bytes, from: header.contentStart)
      element = BERElement(
        tag: header.tag, start: start, content: header.contentStart..<contentEnd,
        end: contentEnd + 2)
    }
    offset = element.end
    return element
  }

  /// The end of the content of an indefinite length, found in one pass at any depth.
  private func endOfContents(
    of bytes: ArraySlice<UInt8>, from start: Int
  ) throws(VerificationProblem) -> Int {
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
          throw VerificationProblem(
            .malformed, "It is nested deeper than any receipt of Apple; send it as it was made.")
        }
        position = header.contentStart
      }
    }
  }

  /// Reads identifier and length; the length is nil if it is indefinite.
  ///
  /// The content of a definite length has to fit before `end`.
  private static func header(
    _ bytes: ArraySlice<UInt8>, at start: Int, before end: Int
  ) throws(VerificationProblem) -> (tag: UInt8, contentStart: Int, length: Int?) {
    guard start + 1 < end else { throw truncated(at: start) }
    let tag = bytes[start]
    let first = bytes[start + 1]
    guard tag & 0x1f != 0x1f, tag != 0 else {
      throw VerificationProblem(
        .malformed, "The tag at byte \(start) is not used in receipts; send it as it was made.")
    }
    if first < 0x80 {
      guard Int(first) <= end - start - 2 else { throw truncated(at: start) }
      return (tag, start + 2, Int(first))
    }
    if first == 0x80 {
      guard tag & 0x20 != 0 else {
        throw VerificationProblem(
          .malformed, "The value at byte \(start) has no length; send it as it was made.")
      }
      return (tag, start + 2, nil)
    }
    let count = Int(first & 0x7f)
    // Four octets are 4 GiB; no input is that long.
    guard count <= 4 else {
      throw VerificationProblem(
        .malformed,
        "The length at byte \(start) is larger than any receipt; send it as it was made.")
    }
    guard count <= end - start - 2 else { throw truncated(at: start) }
    var length = 0
    for index in start + 2..<start + 2 + count { length = length << 8 | Int(bytes[index]) }
    guard length <= end - start - 2 - count else { throw truncated(at: start) }
    return (tag, start + 2 + count, length)
  }

  private static func truncated(at start: Int) -> VerificationProblem {
    VerificationProblem(
      .malformed, "It ends within the element at byte \(start); send it whole.")
  }
}
