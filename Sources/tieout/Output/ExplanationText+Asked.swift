import Explain

extension ExplanationText {
  /// What the delivery that was asked about is, if the sentence is about another one.
  static func askedDelivery(_ name: String, in thing: Explanation.Thing) -> String? {
    func isNamed(in text: String) -> Bool {
      text.split { " ,:;()".contains($0) }.contains { $0 == name }
    }
    guard let asked = thing.askedDelivery, !isNamed(in: thing.sentence) else { return nil }
    let event = thing.timeline.last { isNamed(in: $0.words) }
    let what = asked.isOnly ? "the only delivery of it" : "another delivery of it"
    return event.map { "\(name) is \(what), \($0.at): \($0.words)." }
  }
}
