import Reconciliation

/// What came of asking Apple again, for people.
struct RefreshText {
  let text: String

  init(_ summary: RefreshSummary) {
    var rows = [
      ["receipts in the inbox", "\(summary.known)"],
      ["asked about not long ago", "\(summary.known - summary.due)"],
      [summary.isDryRun ? "would be asked about" : "to be asked about", "\(summary.due)"],
    ]
    if !summary.isDryRun {
      rows.append(["answers in the inbox", "\(summary.refreshed)"])
      for (status, count) in summary.refused.sorted(by: { $0.key < $1.key }) {
        rows.append(["refused with status \(status)", "\(count)"])
      }
      if summary.unanswered > 0 { rows.append(["without an answer", "\(summary.unanswered)"]) }
    }
    var text = TextTable(header: ["refresh-receipts", ""], rows: rows).text
    if summary.gaveUp {
      text +=
        "Apple did not answer one receipt after the other; the rest waits for the next time.\n"
    }
    if summary.refreshed > 0 { text += "The next run loads the answers.\n" }
    if summary.isDryRun { text += "Nobody was asked.\n" }
    self.text = text
  }
}
