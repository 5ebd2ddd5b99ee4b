/// The beginning of an object that is not JSON or cut off.
struct BrokenPiece {
  /// The bytes up to the place where it was cut.
  let bytes: [UInt8]
  let problem: RecordProblem
  /// Whether it is only the beginning of another, whole object.
  var isExplained = false

  /// The maximum number of bytes; logs repeat the first hundreds or thousands.
  private static let limit = 1 << 20

  /// Takes the part of an object that can be JSON; nil if it was not cut off at the end of its text
  /// or before an ellipsis, or if it is too long.
  init?(of part: Bytes, isCut: Bool, _ problem: RecordProblem) {
    let ellipsis = part.firstPlace(of: "...") ?? part.firstPlace(of: "\u{2026}")
    guard isCut || ellipsis != nil, (ellipsis ?? part.count) <= Self.limit else { return nil }
    bytes = part.part(0..<(ellipsis ?? part.count)).filter { !$0.isWhiteSpace }
    self.problem = problem
  }

  /// Whether an object begins with these bytes, apart from white space.
  func isBeginning(of object: Bytes) -> Bool {
    var rest = bytes[...]
    for byte in object where !byte.isWhiteSpace {
      guard let next = rest.first else { return true }
      guard next == byte else { return false }
      rest = rest.dropFirst()
    }
    return false
  }
}
