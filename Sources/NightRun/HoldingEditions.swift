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
