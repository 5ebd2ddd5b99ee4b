import Inbox
import Page

/// The text of `tieout check`.
struct CheckText {
  /// The number of rejections in all files so far.
  private(set) var rejected = 0
  private var files = 0
  private var filesWithRejections = 0

  /// Counts a file for the last line.
  mutating func count(_ file: CheckedFile) {
    guard file.isChecked else { return }
    files += 1
    rejected += file.rejected
    if file.rejected > 0 { filesWithRejections += 1 }
  }

  /// The lines about one file.
  func text(of file: CheckedFile) -> String {
    var lines = [Visible.text(file.path)]
    if file.isChecked { lines.append("  \(Self.kind(of: file))") }
    if let note = file.note { lines.append("  note: \(Visible.text(note))") }
    let counts = file.records.map {
      Figure.counted($0.read, $0.kind.replacing("_", with: " "))
    }
    if !counts.isEmpty { lines.append("  \(counts.joined(separator: ", "))") }
    for rejections in file.rejections {
      lines.append(
        "  rejected: \(Figure.grouped(rejections.records)) \(rejections.kind) \(rejections.reason)")
      for example in rejections.examples {
        let unit = file.folder == "catalog" ? "entry" : "line"
        let place = example.line.map { "\(unit) \($0): " } ?? ""
        lines.append("    \(place)\(Visible.text(example.detail))")
      }
      let others = rejections.records - rejections.examples.count
      if others > 0 { lines.append("    and \(Figure.grouped(others)) more") }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The last line, about all files.
  var ending: String {
    let all = Figure.counted(files, "files")
    guard rejected > 0 else { return "\(all) checked: nothing would be rejected.\n" }
    let with = Figure.counted(filesWithRejections, "files")
    let rejections = Figure.counted(rejected, "rejections")
    return "\(all) checked: \(rejections) in \(with).\n"
  }

  private static func kind(of file: CheckedFile) -> String {
    var words = [file.format ?? "unknown format"]
    if let compression = file.compression { words.append("compressed with \(compression)") }
    if let folder = file.folder {
      words.append("for \(folder)/" + (file.folderFrom == .content ? " by its content" : ""))
    }
    return words.joined(separator: ", ")
  }
}
