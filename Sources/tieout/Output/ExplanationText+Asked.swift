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

  /// Names the thing that the next sentence is about, if there are several things.
  ///
  /// If the ID has several roles in them, each heading says which one it has. Equal headings have
  /// the environment.
  static func headings(of things: [Explanation.Thing], asked name: String) -> [String?] {
    guard things.count > 1 else { return things.map { _ in nil } }
    let names = things.map { heading($0, asked: name) }
    let equal = Dictionary(grouping: names.compactMap { $0 }) { $0 }.filter { $0.value.count > 1 }
    let hasRoles = Set(things.map(\.namedAs)).count > 1
    return zip(things, names).map { thing, name in
      let words = hasRoles ? role(of: thing) : nil
      guard let name else {
        return words.map { "\($0.prefix(1).uppercased())\($0.dropFirst()):" }
      }
      let environment = equal[name] == nil ? "" : ", \(thing.environment)"
      return name + environment + (words.map { " (\($0))" } ?? "") + ":"
    }
  }

  /// Names a purchase.
  private static func heading(_ thing: Explanation.Thing, asked name: String) -> String? {
    guard thing.kind == "purchase" else { return nil }
    let member =
      thing.members.first { $0.transactionId == name }
      ?? thing.members.first { $0.transactionId == thing.owes?.transactionId }
      ?? thing.members.first { $0.disposition != "restored" } ?? thing.members.first
    return member.map { "Transaction \($0.transactionId), \($0.productId)" }
  }

  /// How the ID belongs to the thing.
  static func role(of thing: Explanation.Thing) -> String {
    var own: [Substring] = []
    var others: [String] = []
    for role in thing.namedAs.split(separator: ", ") {
      switch role {
      case "finding":
        others.append(thing.kind == "finding" ? "names it" : "names a finding about it")
      case "ID in another record of the delivery":
        others.append("is in another record of its delivery")
      case "transaction of a delivery": others.append("is the transaction of a delivery of it")
      default: own.append(role)
      }
    }
    let words = (own.isEmpty ? [] : ["is its \(own.joined(separator: ", "))"]) + others
    return "the ID \(words.joined(separator: " and "))"
  }
}
