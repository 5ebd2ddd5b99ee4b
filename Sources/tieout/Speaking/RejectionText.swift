import NightRun
import Page

/// The part of the summary about rejections: the commonest reasons, one place for each, and the path of the report.
struct RejectionText {
  /// Nil if nothing was rejected.
  let text: String?

  init(_ summary: Summary) {
    guard !summary.rejections.isEmpty else {
      text = nil
      return
    }
    let rows = summary.rejections.map {
      [$0.reason, Amount.grouped($0.records), Visible.text($0.place)]
    }
    var lines = TextTable(header: ["rejected", "records", "first in"], rows: rows).text
    let others = summary.rejectionReasons - summary.rejections.count
    if others > 0 { lines += "\(others) more \(others == 1 ? "reason" : "reasons").\n" }
    if let folder = summary.folder {
      lines += "What to do about each: \(Visible.text(folder))/rejected_records.csv\n"
    }
    text = lines
  }

  /// The sentence if there is no finding.
  ///
  /// It says "0 open findings" only if something was compared.
  static func withoutFinding(_ summary: Summary) -> String {
    let transactions = Amount.counted(summary.transactions, "transaction")
    if summary.nothingCouldBeRead {
      return summary.transactions == 0
        ? "Nothing was compared: no record of the input could be used."
        : "No new record could be used. 0 open findings in \(transactions) of earlier runs."
    }
    guard summary.transactions > 0 else { return "Nothing was compared: there is no transaction." }
    guard summary.rejected == 0 else {
      return
        "0 open findings in \(transactions), but \(summary.rejectedWords) could not be used."
    }
    return "0 open findings in \(transactions)."
  }
}
