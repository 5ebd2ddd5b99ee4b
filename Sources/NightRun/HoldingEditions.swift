import Configuration
import Foundation
import Intake
package import Ledger
import Reports
package import Runs

extension Forgotten {
  /// The editions whose folders contain one of the names, in their order.
  ///
  /// - Parameter folders: The path of each edition's folder.
  package static func editions(
    holding names: [String], in folders: [Edition: String]
  ) -> [HoldingEdition] {
    let wanted = names.map { Data($0.utf8) }
    return folders.sorted { $0.key < $1.key }.compactMap { edition, folder in
      let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      var holding = files.filter { file in
        guard
          let bytes = try? Data(
            contentsOf: URL(filePath: "\(folder)/\(file)"), options: .mappedIfSafe)
        else { return false }
        return wanted.contains { bytes.range(of: $0) != nil }
      }
      // The workbook contains the same rows, compressed.
      let workbook = StatementWorkbook.fileName
      if files.contains(workbook), !holding.contains(workbook),
        Report.all.contains(where: { $0.isStatement && holding.contains($0.fileName) })
      {
        holding.append(workbook)
      }
      return holding.isEmpty ? nil : HoldingEdition(edition: edition, files: holding.sorted())
    }
  }
}

extension Night {
  /// Names the editions that contain the names of a forgotten account.
  ///
  /// - Returns: the editions that the command removes. The edition of this run is never one of them:
  ///   it shows the tables without the names, so its text comes from elsewhere.
  func nameEditions(
    with names: NameKeeping?, in folder: Publication, beside written: WrittenEdition,
    into summary: inout Summary
  ) -> [Edition] {
    guard case .oblivion(let account, let removesEditions) = purpose, let names,
      var forgotten = summary.forgotten
    else { return [] }
    var folders: [Edition: String] = [:]
    for edition in folder.shown.all { folders[edition] = "\(folder.reports)/\(edition.folder)" }
    if written.isNew { folders[written.edition] = "\(folder.reports)/\(folder.hidden)" }
    forgotten.editions = Forgotten.editions(
      holding: [account, names.pseudonyms.hashed(account)] + forgotten.companionNames, in: folders)
    defer { summary.forgotten = forgotten }
    guard removesEditions, !settings.dryRun else { return [] }
    forgotten.removedEditions = forgotten.editions.map(\.edition).filter { $0 != written.edition }
    forgotten.editions.removeAll { $0.edition != written.edition }
    return forgotten.removedEditions
  }
}
