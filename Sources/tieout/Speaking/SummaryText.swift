import Foundation
import Reconciliation

/// The summary of a run, as a controller reads it.
struct SummaryText {
  let text: String

  init(_ summary: Summary) {
    var lines = ["tieout as of \(summary.asOf)\(Self.kind(of: summary))", ""]
    switch summary.purpose {
    case .news: lines.append(Self.read(summary))
    case .recomputation: lines.append(Self.recomputed(summary.corrections))
    case .reconstruction:
      lines.append(Self.read(summary))
      lines.append("All tables were built again from these files; findings keep their lives.\n")
    case .oblivion: lines.append(Self.forgotten(summary.forgotten))
    }
    lines.append(Self.found(summary))
    if let missing = MissingText(summary).text { lines.append(missing + "\n") }
    if let begin = summary.booksBegin {
      lines.append("Books begin at \(begin): what was bought before owes no delivery.")
    }
    for warning in summary.warnings { lines.append("Note: \(Visible.text(warning))") }
    if let folder = summary.folder {
      lines.append("Reports are in \(Visible.text(folder))")
    } else {
      lines.append("Nothing was kept, nothing published.")
    }
    lines.append("Took \(Self.duration(summary.seconds)).")
    text = lines.joined(separator: "\n") + "\n"
  }

  private static func kind(of summary: Summary) -> String {
    if summary.isDryRun { return " (dry run)" }
    return summary.isRebuild
      ? " (before the newest night: its statements were made again, no finding has changed)" : ""
  }

  private static func recomputed(_ corrections: Int?) -> String {
    guard let corrections else { return "Everything was judged anew.\n" }
    guard corrections > 0 else {
      return "Everything was judged anew: what nights had carried forward was right.\n"
    }
    return """
      Everything was judged anew: \(grouped(Int64(corrections))) rows that nights had carried forward were \
      wrong and have been replaced. Please report that.

      """
  }

  private static func forgotten(_ forgotten: Forgotten?) -> String {
    guard let forgotten else { return "" }
    let records = forgotten.records.map { "\(grouped(Int64($0.count))) \($0.kind)" }
    var lines = [
      records.isEmpty
        ? "No record names the account; where it comes again a token takes its place."
        : "A token has taken the account's place in \(records.joined(separator: ", "))."
    ]
    if forgotten.companions > 0 {
      lines.append(
        "Forgotten with it: \(forgotten.companions) devices and tokens that stood with no other account."
      )
    }
    for (what, paths) in [
      ("These files", forgotten.files), ("These published reports", forgotten.reports),
    ] where !paths.isEmpty {
      lines.append("\(what) hold it still:")
      lines += paths.map { "  \(Visible.text($0))" }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func read(_ summary: Summary) -> String {
    // Most nights bring no acknowledgement.
    let lines = summary.lines.filter { $0.kind != "acknowledgements" || $0.read > 0 }
    let rows = lines.map { line in
      [
        line.kind.replacing("_", with: " "), grouped(line.read), grouped(line.new),
        grouped(line.alreadyKnown), grouped(line.rejected),
      ]
    }
    var text = TextTable(
      header: ["read", "", "new", "already known", "rejected"], rows: rows, indent: ""
    ).text
    if summary.unchangedFiles > 0 {
      let files = counted(summary.unchangedFiles, "file")
      let verb = summary.unchangedFiles == 1 ? "was" : "were"
      text += "\(files) had not changed and \(verb) not read.\n"
    }
    return text
  }

  private static func found(_ summary: Summary) -> String {
    guard !summary.findings.isEmpty else {
      return
        "Nothing is wrong in \(counted(summary.transactions, "transaction")).\(resolved(summary))\n"
    }
    let acknowledged = summary.findings.reduce(0) { $0 + $1.acknowledged }
    let rows = summary.findings.map {
      [$0.level, $0.rule, grouped(Int64($0.open - $0.acknowledged)), grouped(Int64($0.new))]
        + (acknowledged > 0 ? [grouped(Int64($0.acknowledged))] : [])
    }
    let header =
      ["found", "", "open", "new tonight"] + (acknowledged > 0 ? ["acknowledged"] : [])
    return TextTable(header: header, rows: rows).text + sentence(summary) + resolved(summary) + "\n"
  }

  /// How much is open, as the page says it too.
  private static func sentence(_ summary: Summary) -> String {
    let acknowledged = summary.findings.reduce(0) { $0 + $1.acknowledged }
    let open = summary.findings.reduce(0) { $0 + $1.open } - acknowledged
    let new = summary.findings.reduce(0) { $0 + $1.new }
    let transactions = counted(summary.transactions, "transaction")
    guard open > 0 else {
      return
        "Nothing is open but what is acknowledged: \(counted(acknowledged, "finding")) in \(transactions)."
    }
    let news =
      switch (open, new) {
      case (1, 0): "and it is not new"
      case (1, _): "and it is new"
      case (_, 0): "none of them new"
      default: "\(grouped(Int64(new))) of them new"
      }
    let rest =
      acknowledged > 0
      ? " \(grouped(Int64(acknowledged))) more \(acknowledged == 1 ? "is" : "are") acknowledged."
      : ""
    return
      "\(counted(open, "finding")) \(open == 1 ? "is" : "are") open in \(transactions), \(news).\(rest)"
  }

  private static func counted(_ number: Int, _ one: String) -> String {
    "\(grouped(Int64(number))) \(one)\(number == 1 ? "" : "s")"
  }

  private static func resolved(_ summary: Summary) -> String {
    summary.resolved > 0 ? " \(grouped(Int64(summary.resolved))) resolved since." : ""
  }

  private static func duration(_ seconds: Double) -> String {
    guard seconds >= 60 else {
      let tenths = Int((seconds * 10).rounded())
      return "\(tenths / 10).\(tenths % 10) s"
    }
    return "\(Int(seconds) / 60) min \(Int(seconds) % 60) s"
  }

  /// Thousands apart, the same in every locale.
  static func grouped(_ number: Int64) -> String {
    var digits = String(number.magnitude)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return (number < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
  }
}
