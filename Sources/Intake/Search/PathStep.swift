/// One step from the top of a document to a value in it.
enum PathStep {
  /// The member of an object by this name, as it is written in the document.
  case member(Bytes)
  /// The element of an array by its number from 0.
  case element(Int)

  /// The longest name that is shown in full, in characters.
  private static let nameLimit = 100
  /// The longest pointer that is shown in full, in bytes.
  ///
  /// Each piece of evidence has a pointer, and a document can have 50,000 pieces.
  private static let pointerLimit = 1000

  /// Steps as a JSON pointer (RFC 6901): `/event/body`, `/Records/0/body`.
  ///
  /// `/…` stands for the steps after the limit.
  static func pointer(_ path: [PathStep]) -> String {
    var pointer = ""
    for step in path {
      guard pointer.utf8.count < pointerLimit else { return pointer + "/…" }
      pointer += "/"
      switch step {
      case .member(let name):
        // No character has more than four bytes.
        let start = name.part(0..<min(name.count, 4 * nameLimit + 3)).string
        let text = RejectedRecord.visible(start, limit: nameLimit)
        pointer += WrittenName.inPointer(text)
      case .element(let number): pointer += "\(number)"
      }
    }
    return pointer
  }
}
