import NightRun
import Page

/// The part of the summary about rejections: the most frequent reasons, one place for each, and the
/// path of the report.
struct RejectionText {
  /// Nil if nothing was rejected.
  let text: String?

  init(_ summary: Summary) {
    guard !summary.rejections.isEmpty else {
      text = nil
      return
    }
    let rows = summary.rejections.map {
      [$0.reason, Figure.grouped($0.records), Visible.text($0.place)]
    }
    var lines = TextTable(header: ["rejected", "records", "first in"], rows: rows).text
    let others = summary.rejectionReasons - summary.rejections.count
    if others > 0 { lines += "\(others) more \(others == 1 ? "reason" : "reasons").\n" }
    if let folder = summary.folder {
      lines += "What to do about each: \(Visible.text(folder))/rejected_records.csv\n"
    }
    text = lines
  }
}
