import Ledger
import NightRun
import Page
import Reports
import Runs

/// The text of a run's summary.
enum SummaryText {
  static func of(_ summary: Summary) -> String {
    var lines = ["tieout as of \(summary.asOf)\(Self.kind(of: summary))", ""]
    lines += Self.compared(summary.comparison)
    if lines.last?.hasSuffix("\n") == false { lines.append("") }
    switch summary.purpose {
    case .run: lines.append(Self.read(summary))
    case .recompute(let inBulk):
      lines.append(Self.recomputed(summary.corrections, inBulk: inBulk))
    case .rebuild:
      lines.append(Self.read(summary))
      lines.append(Self.rebuilt(summary))
    case .forget: lines.append(Self.forgotten(summary.forgotten, isDryRun: summary.isDryRun))
    }
    if let rejected = rejected(summary) { lines.append(rejected) }
    lines.append(Self.found(summary))
    if let missing = missing(summary) { lines.append(missing + "\n") }
    let money = MoneyText(summary.money, width: Terminal.limit ?? .max)
    lines += [money.atRisk, money.sales].compactMap { $0 }
    if let begin = summary.booksBegin {
      lines.append("Books begin at \(begin): earlier purchases owe no delivery.")
    }
    for warning in summary.warnings { lines.append("Note: \(Visible.text(warning))") }
    lines.append(Self.published(summary))
    if let head = summary.head {
      lines.append(
        "Head of the chain of manifests: publication \(head.publication), SHA-256 \(head.sha256)")
    }
    lines.append("Took \(Self.duration(summary.seconds)).")
    return lines.joined(separator: "\n") + "\n"
  }

  /// The headline, what could not be used, and what was not compared.
  private static func compared(_ comparison: Comparison) -> [String] {
    let lines =
      [comparison.headline]
      + [comparison.withoutAmount, comparison.notUsed].compactMap { $0 }
      + comparison.fileSentences { Visible.text($0) }
      + comparison.feedSentences { Visible.text($0) }
    let excluded = comparison.excluded.map { [$0.reason, Figure.grouped($0.count)] }
    let table =
      excluded.isEmpty
      ? "" : TextTable(header: ["purchases not compared", ""], rows: excluded).text
    let text = table + (comparison.notCounted.map { $0 + "\n" } ?? "")
    return text.isEmpty ? lines : lines + ["", text]
  }

  private static func kind(of summary: Summary) -> String {
    if summary.isDryRun { return " (dry run)" }
    return summary.isOfPastDay ? " (before the newest night: opens and resolves no finding)" : ""
  }

  /// Where the reports are, and whether this run published them.
  private static func published(_ summary: Summary) -> String {
    guard let edition = summary.edition else { return "Nothing was saved or published." }
    let number = "edition \(edition.number) of \(edition.day)"
    guard let folder = summary.folder.map({ Visible.text($0) }) else {
      return "Nothing was saved or published. "
        + (summary.isNewEdition
          ? "A run would publish \(number)."
          : "A run would publish nothing: the reports are those of \(number).")
    }
    guard summary.isNewEdition else {
      return "Nothing was published: the reports are those of \(number), in \(folder)"
    }
    return edition.number == 1
      ? "Reports are in \(folder)" : "Reports are in \(folder), \(number)."
  }

  private static func rebuilt(_ summary: Summary) -> String {
    let built =
      summary.isDryRun
      ? "All tables would be built again from these files. Findings would keep their history.\n"
      : "All tables were built again from these files. Findings keep their history.\n"
    guard summary.rejectedForTheFirstTime > 0 else { return built }
    let new = Figure.grouped(summary.rejectedForTheFirstTime)
    return built + """
      New rejections in this rebuild: \(new) of \(Figure.grouped(summary.rejected)). The line “could not be used” \
      above counts the rejections of all runs of the day.

      """
  }

  private static func recomputed(_ corrections: Int?, inBulk: Bool) -> String {
    let judged = "All transactions were judged again\(inBulk ? " in bulk" : "")."
    guard let corrections else { return "\(judged)\n" }
    // The note about a correction says more.
    let were = corrections == 0 ? "correct" : "wrong"
    return "\(judged) The results that earlier nights carried forward were \(were).\n"
  }

  /// What still contains a forgotten name, which no second run can find; empty if nothing does.
  static func remains(of summary: Summary) -> String {
    guard let forgotten = summary.forgotten,
      !forgotten.files.isEmpty || !forgotten.editions.isEmpty
    else { return "" }
    return self.forgotten(forgotten, isDryRun: summary.isDryRun)
  }

  private static func forgotten(_ forgotten: Forgotten?, isDryRun: Bool) -> String {
    guard let forgotten else { return "" }
    let records = forgotten.records.map { Figure.counted($0.count, $0.kind) }
    var lines = [
      records.isEmpty
        ? "No record that was loaded contains the account. Later records with this account \(isDryRun ? "would get" : "get") a token."
        : "The account \(isDryRun ? "would be" : "was") replaced by a token in \(records.joined(separator: ", "))."
    ]
    if forgotten.companions > 0 {
      let companions =
        forgotten.companions == 1
        ? "1 device or token that appears"
        : "\(forgotten.companions) devices and tokens that appear"
      let replaced = isDryRun ? "Would also be replaced" : "Also replaced"
      lines.append("\(replaced): \(companions) with no other account.")
    }
    if !forgotten.removedEditions.isEmpty {
      lines.append(
        isDryRun
          ? "These published editions contain it and would be removed:"
          : "These published editions contained it and were removed:")
      lines += forgotten.removedEditions.map { "  \($0.folder)" }
    }
    let editions = forgotten.editions.map {
      "\($0.edition.folder): \($0.files.joined(separator: ", "))"
    }
    for (what, paths) in [
      ("These files", forgotten.files), ("These published editions", editions),
    ] where !paths.isEmpty {
      lines.append("\(what) still contain it:")
      lines += paths.map { "  \(Visible.text($0))" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func read(_ summary: Summary) -> String {
    // Most nights bring no acknowledgement and no report of Apple.
    let lines = summary.lines.filter {
      !["acknowledgements", "apple_rows"].contains($0.kind) || $0.read > 0
    }
    let rows = lines.map { line in
      [
        line.kind.replacing("_", with: " "), Figure.grouped(line.read), Figure.grouped(line.new),
        Figure.grouped(line.alreadyKnown), Figure.grouped(line.rejected),
      ]
    }
    var text = TextTable(
      header: ["read", "", "new", "already known", "rejected"], rows: rows
    ).text
    if summary.unchangedFiles > 0 {
      let files = Figure.counted(summary.unchangedFiles, "files")
      text += "\(files) skipped: unchanged since the last run.\n"
    }
    return text
  }

  private static func found(_ summary: Summary) -> String {
    guard !summary.findings.isEmpty else {
      return withoutFinding(summary) + resolved(summary) + "\n"
    }
    let acknowledged = summary.findings.reduce(0) { $0 + $1.acknowledged }
    // A run of a past day opens no finding.
    let tellsNew = !summary.isOfPastDay
    let tellsReopened = tellsNew && summary.findings.contains { $0.reopened > 0 }
    let rows = summary.findings.map {
      [$0.level, $0.rule, Figure.grouped($0.open - $0.acknowledged)]
        + (tellsNew ? [Figure.grouped($0.new)] : [])
        + (tellsReopened ? [Figure.grouped($0.reopened)] : [])
        + (acknowledged > 0 ? [Figure.grouped($0.acknowledged)] : [])
    }
    let header =
      ["found", "", "open"] + (tellsNew ? ["new tonight"] : [])
      + (tellsReopened ? ["open again"] : [])
      + (acknowledged > 0 ? ["acknowledged"] : [])
    return TextTable(header: header, rows: rows).text + sentence(summary) + resolved(summary)
      + transactions(summary) + "\n"
  }

  /// The sentence if there is no finding.
  ///
  /// It says "0 open findings" only if something was compared.
  private static func withoutFinding(_ summary: Summary) -> String {
    let transactions = Figure.counted(summary.transactions, "transactions")
    if summary.nothingCouldBeRead {
      return summary.transactions == 0
        ? "Nothing was compared: no record of the input could be used."
        : "No new record could be used. 0 open findings in \(transactions) of earlier runs."
    }
    guard summary.transactions > 0 else { return "Nothing was compared: there is no transaction." }
    return "0 open findings in \(transactions)."
  }

  /// The numbers of findings that are open, new, open again and acknowledged.
  private static func sentence(_ summary: Summary) -> String {
    let acknowledged = summary.findings.reduce(0) { $0 + $1.acknowledged }
    let open = summary.findings.reduce(0) { $0 + $1.open } - acknowledged
    let new = summary.findings.reduce(0) { $0 + $1.new }
    let reopened = summary.findings.reduce(0) { $0 + $1.reopened }
    let parts = [
      Figure.counted(open, "open findings"),
      summary.isOfPastDay ? nil : "\(Figure.grouped(new)) new",
      summary.isOfPastDay || reopened == 0 ? nil : "\(Figure.grouped(reopened)) open again",
      acknowledged > 0 ? "\(Figure.grouped(acknowledged)) acknowledged" : nil,
    ].compactMap { $0 }
    return parts.joined(separator: ", ") + "."
  }

  private static func transactions(_ summary: Summary) -> String {
    " Judged: \(Figure.counted(summary.transactions, "transactions"))."
  }

  private static func resolved(_ summary: Summary) -> String {
    summary.resolved > 0 ? " \(Figure.grouped(summary.resolved)) resolved." : ""
  }

  private static func duration(_ seconds: Double) -> String {
    guard seconds >= 60 else {
      let tenths = Int((seconds * 10).rounded())
      return "\(tenths / 10).\(tenths % 10) s"
    }
    return "\(Int(seconds) / 60) min \(Int(seconds) % 60) s"
  }
}
