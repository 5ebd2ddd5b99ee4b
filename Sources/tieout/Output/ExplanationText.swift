import Configuration
import Explain
import Page
import Rules

/// The text of an explanation: the cause first, then the facts.
///
/// Control characters of outside values are escaped, so that they cannot control the terminal.
/// Lines are broken between words at the terminal's width. A longer word is not broken, so that it
/// can be copied.
enum ExplanationText {
  /// The text.
  ///
  /// - Parameters:
  ///   - kind: The kind of the name that was given with `--as`.
  ///   - isHashed: Whether the tables contain names of accounts and devices only as hashes.
  ///   - remark: What was not searched, behind the words about a name that no table contains.
  ///   - unjudged: What to do if records are not judged yet, at the end; nil if all are.
  static func of(
    _ explanation: Explanation, as kind: Explanation.NameKind? = nil, isHashed: Bool = false,
    remark: String? = nil, unjudged: String? = nil, width: Int
  ) -> String {
    var lines = WrappedLines(width: width)
    lines.line(0, "\(explanation.name), as of \(explanation.asOf)")
    if let overview = explanation.overview { Self.write(overview, to: &lines) }
    if let shown = explanation.shown {
      lines.line(0, "")
      lines.line(
        0,
        "Not everything is shown: \(shown.shownTransactions) of \(shown.transactions) transactions, "
          + "\(shown.shownDeliveries) of \(shown.deliveries) deliveries. Those are the newest hundred "
          + "of both, and the newest 200 transactions with a missing delivery.")
    }
    if let account = explanation.account, explanation.things.count > 1 {
      lines.line(0, "")
      let owner = kind == .device ? "Device" : "Account"
      lines.line(0, "\(owner) \(Self.quoted(explanation.name)): \(account.words)")
    }
    // A delivery that was rejected counts as no attempt, so it comes before the answer.
    let first =
      explanation.overview == nil
      ? explanation.rejections.filter { $0.kind == "delivery" }.prefix(3) : []
    if !first.isEmpty { lines.line(0, "") }
    for rejection in first { lines.line(0, Self.words(rejection)) }
    let things = Array(explanation.things.prefix(Self.thingLimit))
    for (thing, heading) in zip(things, Self.headings(of: things, asked: explanation.name)) {
      lines.line(0, "")
      if let heading { lines.line(0, heading) }
      Self.write(thing, asked: explanation.name, to: &lines)
    }
    let rest = explanation.things.count - Self.thingLimit
    if rest > 0 {
      lines.line(0, "")
      lines.line(
        0,
        "\(rest) more purchases, deliveries, claims or findings have this name. "
          + "Add --json to print all of them.")
    }
    for kind in explanation.alsoKnownAs {
      lines.line(0, "")
      lines.line(
        0,
        kind == .record
          ? "To see the record with this name (\(Self.words(kind))): add --as record."
          : "It is also \(Self.words(kind)): add --as \(kind.rawValue) to explain that.")
    }
    if explanation.things.isEmpty, explanation.overview == nil {
      lines.line(0, "")
      lines.line(
        0,
        explanation.isEmpty
          ? Self.unknown(explanation.name, as: kind, isHashed: isHashed)
          : Self.onlyRejected(as: kind))
      if let remark { lines.line(0, remark) }
      for similar in explanation.similarNames { lines.line(0, Self.words(similar)) }
    }
    let others = explanation.rejections.filter { !first.contains($0) }
    if !others.isEmpty {
      lines.line(0, "")
      for rejection in others { lines.line(0, Self.words(rejection)) }
      if others.contains(where: \.isEncoded) {
        lines.line(0, "What a rejected record says is not verified, and does not count.")
      }
      let more = explanation.rejectionCount - explanation.rejections.count
      if more > 0 {
        let records = Figure.counted(more, "more records")
        let words = more == 1 ? "contains it was" : "contain it were"
        lines.line(0, "\(records) that \(words) rejected, too.")
      }
    }
    if let unjudged {
      lines.line(0, "")
      lines.line(0, unjudged)
    }
    return lines.text
  }

  /// The maximum number of things that are printed.
  private static let thingLimit = 100

  private static func words(_ rejection: Explanation.Rejection) -> String {
    "A rejected record contains it\(rejection.isEncoded ? " in its encoded text" : ""): "
      + "\(place(rejection.file, rejection.line) ?? ""), "
      + "\(rejection.kind) \(rejection.reason): \(rejection.detail)"
  }

  /// The words about a name that only rejected records contain.
  private static func onlyRejected(as kind: Explanation.NameKind?) -> String {
    switch kind {
    case .device: "No evidence and no delivery names this device."
    case .account, .transaction, .delivery:
      "This ID is unknown as a name of this kind. Leave out --as to search all kinds."
    default:
      "No transaction, delivery, line item or account has this ID. If it is a device, add "
        + "--as device."
    }
  }

  private static func unknown(
    _ name: String, as kind: Explanation.NameKind?, isHashed: Bool
  ) -> String {
    if Rule.named(name) != nil {
      return "It is the name of a rule: tieout findings --rule \(name) lists what the rule found."
    }
    if name.hasPrefix("F-"), name.count < 6 {
      return "The name of a finding needs at least four characters after F-, such as F-907b."
    }
    if kind ?? .month == .month, let words = aboutMonth(name) { return words }
    var words =
      switch kind {
      case nil:
        "This ID is unknown: no transaction, delivery, web order line item, account, finding or "
          + "kept text of a rejected record contains it, and it is no product, server, input file, "
          + "month, closed period, row of tie_out.csv, error text or subject of a finding. If it is "
          + "a device, add "
          + "--as device."
      // Without --as, devices are not searched.
      case .device: "This ID is unknown as a name of this kind."
      default: "This ID is unknown as a name of this kind. Leave out --as to search all kinds."
      }
    if kind ?? .file == .file, name.contains("/") {
      words +=
        " A file with the same bytes as a file that was loaded before is known only by the name of "
        + "the earlier file."
    }
    return isHashed
      ? words + " Names of accounts and devices are hashed (privacy: hash)." : words
  }

  /// The words about an unknown name that is almost a month, or is a product in a month; otherwise
  /// nil.
  private static func aboutMonth(_ name: String) -> String? {
    guard let parts = name.wholeMatch(of: /\s*([0-9]{4}-[0-9]{2})(?:\s+(\S.*))?/)?.output
    else { return nil }
    guard CalendarDay("\(parts.1)-01".utf8) != nil else {
      return "\(parts.1) is not a month. Write a month as 2026-10."
    }
    return parts.2.map {
      "\(parts.1) has no sale and no refund of “\($0)”. Behind a month comes a product, or a product and "
        + "its currency, such as “2026-10 book.emma USD”. tieout explain \(parts.1) explains the whole month."
    }
  }

  private static func words(_ similar: Explanation.SimilarName) -> String {
    switch similar.kind {
    case "error": "Did you mean the error “\(similar.name)”?"
    case "region":
      "Did you mean the region \(quoted(similar.name))? explain knows no regions: causes.csv lists them, and "
        + "so do the answers about servers, products and errors."
    default: "Did you mean the \(similar.kind) \(quoted(similar.name))?"
    }
  }

  /// The name, in quotation marks if it begins or ends with a blank (the SQL function quoted_name).
  private static func quoted(_ name: String) -> String {
    name.first?.isWhitespace == true || name.last?.isWhitespace == true ? "“\(name)”" : name
  }

  private static func words(_ kind: Explanation.NameKind) -> String {
    switch kind {
    case .cell: "the name of a row of tie_out.csv"
    case .record: "a transaction, a delivery, a web order line item, an account or a finding"
    case .product: "the name of a product"
    case .server: "the name of a server"
    case .file: "the name of an input file"
    case .month: "the name of a month"
    case .period: "the name of a closed period"
    case .error: "the name of an error text"
    case .finding: "the subject of a finding"
    case .device: "the name of a device"
    case .account: "the name of an account"
    case .transaction: "the ID of a transaction"
    case .delivery: "the ID of a delivery"
    }
  }

  private static func write(_ overview: Explanation.Overview, to lines: inout WrappedLines) {
    lines.line(0, "")
    lines.line(0, overview.sentence)
    lines.line(2, "\(overview.kind.rawValue) \(overview.name)")
    let isFile = overview.kind == .file
    let titles = [
      ("finding", "open findings"), ("where", "missing deliveries by property"),
      ("who", "accounts"), ("rejected", "rejections"),
      ("changed", isFile ? "findings that it resolved" : "what changed"),
      ("reversed", "refunds that it reversed"),
      (
        "healthy",
        isFile ? "other files of the folder" : "the same hours: delivered, and missing"
      ), ("known", "what is known now"), ("cause", "what changed it, by cause"),
      ("restated", "the transactions, newest first"),
      ("bridge", "the difference, Apple's number less ours, by cause"),
      ("apple", "the rows of Apple's report"), ("ours", "our transactions"),
      ("example", "the oldest missing purchases"),
      ("attempt", "the newest attempts that failed or did not end, by transaction"),
    ]
    for (section, title) in titles {
      lines.section(title, of: overview.facts.filter { $0.section == section }) { fact in
        let counts = Self.words(delivered: fact.delivered, missing: fact.missing)
        let since = section == "where" || section == "who" ? "since " : ""
        // The number of a month's uncertain deliveries follows that of its missing ones.
        let known =
          section == "known"
          ? [counts, fact.words].compactMap { $0 }.joined(separator: ", ") : nil
        return [
          fact.name, known ?? fact.words, known == nil ? counts : nil,
          fact.at.map { since + $0 }, place(fact.file, fact.line),
        ]
      }
      for list in overview.leftOut where list.section == section {
        lines.line(4, Self.words(list))
      }
    }
  }

  private static func words(_ list: Explanation.LeftOut) -> String {
    let more = (list.property.map { "\($0): " } ?? "and ") + "\(list.facts) more"
    return [more, words(delivered: list.delivered, missing: list.missing)].compactMap { $0 }
      .joined(separator: "  ")
  }

  private static func words(delivered: Int?, missing: Int?) -> String? {
    let counts = [delivered.map { "\($0) delivered" }, missing.map { "\($0) missing" }]
      .compactMap { $0 }
    return counts.isEmpty ? nil : counts.joined(separator: ", ")
  }

  private static func write(
    _ thing: Explanation.Thing, asked name: String, to lines: inout WrappedLines
  ) {
    lines.line(0, thing.sentence)
    if let words = thing.laterSentence ?? askedDelivery(name, in: thing) { lines.line(0, words) }
    if let missed = thing.askedDelivery?.missed {
      lines.line(
        0,
        "\(name) is the best possible match for the missing delivery of transaction \(missed).")
    }
    let environment = thing.environment.isEmpty ? "" : ", \(thing.environment)"
    lines.line(2, "\(thing.kind)\(environment); \(role(of: thing))")
    if let owes = thing.owes {
      lines.line(
        2,
        "owes \(owes.productId) for transaction \(owes.transactionId) (\(owes.delivery)), "
          + "due \(owes.dueAt), attempts: \(owes.attempts)")
    }
    lines.section("possible matches (not counted)", of: thing.possibleMatches) { miss in
      [
        "\(miss.place). delivery \(miss.deliveryId) on \(miss.occurredAt): \(miss.words)"
          + " [differs: \(miss.differs)]", place(miss.file, miss.line),
      ]
    }
    lines.section("what happened", of: thing.timeline) { event in
      ["\(event.at)  \(event.words)", place(event.file, event.line, event.pointer)]
    }
    if thing.timelineLeftOut > 0 {
      lines.line(4, "and \(thing.timelineLeftOut) more records")
    }
    lines.section("members", of: thing.members) { member in
      [
        "\(member.transactionId)  \(member.disposition): \(member.because); \(member.productId), "
          + "\(member.purchasedAt), known as \(member.trust)"
      ]
    }
    lines.section("rules", of: thing.verdicts) { verdict in
      guard verdict.verdict == "found" else { return ["\(verdict.rule): no, \(verdict.words)"] }
      let number = verdict.finding.map { " (\($0), \(verdict.status ?? ""))" } ?? ""
      let reason = verdict.reason.map { " \($0)" } ?? ""
      return [
        "\(verdict.rule): \(verdict.level ?? "")\(reason)\(number): \(verdict.words)"
      ]
    }
  }

  private static func place(_ file: String?, _ line: Int?, _ pointer: String? = nil) -> String? {
    file.map { file in
      // The number of a catalogue's entry is no line of its file.
      let mark = file.hasPrefix("catalog/") ? ", entry " : ":"
      return (line.map { "\(file)\(mark)\($0)" } ?? file) + (pointer.map { " at \($0)" } ?? "")
    }
  }
}
