import Page
import Reports
import Runs

/// The text about a folder in which everything is as published.
enum VerificationText {
  static func of(_ result: FolderProof.Result, in folder: String) -> String {
    let editions = Figure.counted(result.proven, "editions")
    let files = Figure.counted(result.files, "files")
    guard !result.isPack else {
      return Visible.text("\(folder): 1 closed period with \(files) as written.") + "\n"
    }
    var lines = [
      result.proven > 0
        ? "\(folder): \(editions) with \(files) as published."
        : "\(folder): no edition could be verified."
    ]
    if result.packs > 0 {
      lines.append("\(Figure.counted(result.packs, "closed periods")) as written.")
    }
    if let head = result.head {
      lines.append(
        """
        Chain: publication \(result.first) to \(head.publication); the head is \(head.edition.folder), SHA-256 \
        \(head.sha256).
        """)
    }
    lines += result.notes.map { "Note: \($0)." }
    return lines.map { Visible.text($0) + "\n" }.joined()
  }
}
