/// One step from the top of a document to a value in it.
enum PathStep {
  /// The member of an object by this name, as it is written in the document.
  case member(Bytes)
  /// The element of an array by its number from 0.
  case element(Int)

  /// The longest name that is shown in full.
  private static let nameLimit = 100

  /// Steps as a JSON pointer (RFC 6901): `/event/body`, `/Records/0/body`.
  static func pointer(_ path: [PathStep]) -> String {
    path.map { step in
      switch step {
      case .member(let name):
        let text = RejectedRecord.visible(name.string, limit: nameLimit)
        return "/" + text.replacing("~", with: "~0").replacing("/", with: "~1")
      case .element(let number): return "/\(number)"
      }
    }.joined()
  }
}
