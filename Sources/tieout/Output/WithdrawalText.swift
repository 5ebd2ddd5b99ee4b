import Ledger
import Page

/// The text of a withdrawal.
enum WithdrawalText {
  static func of(_ files: [Withdrawal.File], isUndone: Bool) -> String {
    var lines: [String] = []
    for file in files {
      let bytes = file.bytes.map { ", \($0) bytes" } ?? ""
      let name = "\(Visible.text(file.path)) (SHA-256 \(file.sha256.prefix(16))…\(bytes))"
      switch (isUndone, file.isChanged) {
      case (false, true): lines.append("Withdrawn: \(name).")
      case (false, false): lines.append("Already withdrawn: \(name).")
      case (true, true): lines.append("Included again: \(name).")
      case (true, false): lines.append("Not withdrawn: \(name).")
      }
      if !file.reopened.isEmpty {
        lines.append(
          "  These findings were acknowledged by the file and are open again: \(file.reopened.joined(separator: ", "))."
        )
      }
      if !file.records.isEmpty {
        let parts = file.records.map { Figure.counted($0.count, $0.kind) }
        lines.append("  First source of: \(parts.joined(separator: ", ")).")
      }
      if !isUndone, !file.periods.isEmpty {
        let periods = file.periods.joined(separator: ", ")
        lines.append("  Its records count in closed periods: \(periods).")
      }
    }
    if isUndone {
      if files.contains(where: \.needsRebuild) {
        lines.append("Its records were never removed, and they count as before.")
      }
      if files.contains(where: { !$0.needsRebuild }) {
        lines.append("The next run that finds the file in the inbox loads it.")
      }
    } else if files.contains(where: \.needsRebuild) {
      lines.append("Records that are already loaded count until you run tieout rebuild.")
      if files.contains(where: { !$0.periods.isEmpty }) {
        lines.append(
          "A closed period does not change. After the rebuild, restatement.csv of each night lists what differs "
            + "from it (tieout restate), and so does the next period that is closed.")
      }
    } else if files.contains(where: \.wasUnused) {
      lines.append("No record came from it, so no rebuild is needed.")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
