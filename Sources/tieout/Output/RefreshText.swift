import Remote

/// The text of a receipt refresh.
enum RefreshText {
  static func of(_ summary: RefreshSummary) -> String {
    var rows = [
      ["receipts in the inbox", "\(summary.known)"],
      ["sent recently", "\(summary.known - summary.due)"],
      [summary.isDryRun ? "would be sent" : "due", "\(summary.due)"],
    ]
    if !summary.isDryRun {
      rows.append(["answers written to the inbox", "\(summary.refreshed)"])
      for (status, count) in summary.refused.sorted(by: { $0.key < $1.key }) {
        rows.append(["refused with status \(status)", "\(count)"])
      }
      if summary.unanswered > 0 { rows.append(["without an answer", "\(summary.unanswered)"]) }
    }
    var text = TextTable(header: ["refresh-receipts", ""], rows: rows).text
    if summary.gaveUp {
      text +=
        "Apple did not answer several requests in a row. The other receipts wait for the next refresh.\n"
    }
    if summary.refreshed > 0 { text += "The next run loads the answers.\n" }
    if summary.isDryRun { text += "Nothing was sent.\n" }
    return text
  }
}
