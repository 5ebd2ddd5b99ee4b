import Reconciliation

/// What became of files that somebody withdrew, for people.
struct WithdrawalText {
  let text: String

  init(_ files: [Withdrawal.File], isUndone: Bool) {
    var lines: [String] = []
    for file in files {
      let bytes = file.bytes.map { ", \($0) bytes" } ?? ""
      let name = "\(Visible.text(file.path)) (SHA-256 \(file.sha256.prefix(16))…\(bytes))"
      switch (isUndone, file.isChanged) {
      case (false, true): lines.append("\(name) is never to count again.")
      case (false, false): lines.append("\(name) was withdrawn before.")
      case (true, true): lines.append("\(name) counts again.")
      case (true, false): lines.append("\(name) was not withdrawn.")
      }
      if !file.reopened.isEmpty {
        lines.append(
          "  What it acknowledged is open again: \(file.reopened.joined(separator: ", ")).")
      }
      if !file.records.isEmpty {
        let parts = file.records.map { "\($0.count) \($0.kind)" }
        lines.append("  It was the first to tell: \(parts.joined(separator: ", ")).")
      }
    }
    if isUndone {
      lines.append(
        "What was left out is loaded by the next run that finds it in the inbox.")
    } else if files.contains(where: \.needsRebuild) {
      lines.append("What was loaded counts until the tables are built again: tieout rebuild.")
    }
    text = lines.joined(separator: "\n") + "\n"
  }
}
