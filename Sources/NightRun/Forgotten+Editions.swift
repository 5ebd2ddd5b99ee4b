import Configuration
import ExactText
import Foundation
import Intake
package import Ledger
import Page
import Reports
package import Runs

extension Forgotten {
  /// The editions whose folders contain one of the names, in their order.
  ///
  /// A folder or file that cannot be read may contain it, so it is listed too.
  ///
  /// - Parameter folders: The path of each edition's folder.
  package static func editions(
    holding names: [String], in folders: [Edition: String]
  ) -> [HoldingEdition] {
    let wanted = names.flatMap(spellings(of:))
    return folders.sorted { $0.key < $1.key }.compactMap { edition, folder in
      let files = filesHolding(wanted, in: folder)
      return files.isEmpty ? nil : HoldingEdition(edition: edition, files: files)
    }
  }

  /// The files of a folder that contain one of the names, in their order.
  private static func filesHolding(_ names: [Data], in folder: String) -> [String] {
    guard let files = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      // A folder that is gone holds no name; one that cannot be read may hold it.
      return FileManager.default.fileExists(atPath: folder) ? ["(not readable)"] : []
    }
    var holding = files.filter { holds("\(folder)/\($0)", oneOf: names) }
    // The workbook contains the same rows, compressed.
    let workbook = StatementWorkbook.fileName
    if files.contains(workbook), !holding.contains(workbook),
      Report.all.contains(where: { $0.isStatement && holding.contains($0.fileName) })
    {
      holding.append(workbook)
    }
    return holding.sorted()
  }

  /// Whether a file contains one of the names; true if it cannot be read.
  private static func holds(_ file: String, oneOf names: [Data]) -> Bool {
    // Reading a pipe that somebody has put there would wait for its writer.
    let url = URL(filePath: file)
    guard (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true,
      let bytes = try? Data(contentsOf: url, options: .mappedIfSafe)
    else { return true }
    return names.contains { isWord($0, in: bytes) }
  }

  /// Whether the bytes contain the name as a whole word.
  private static func isWord(_ name: Data, in bytes: Data) -> Bool {
    var from = bytes.startIndex
    while let range = bytes.range(of: name, in: from..<bytes.endIndex) {
      if WholeWord.isAlone(range, in: bytes) { return true }
      from = range.lowerBound + 1
    }
    return false
  }

  /// The name as the files of an edition write it: in CSV or HTML, and there as it is in a table, or
  /// as the text of a rejected record writes it.
  private static func spellings(of name: String) -> [Data] {
    let written = WrittenName.spellings(of: name)
    // A rejected record can be a row of a CSV file itself.
    let inCSV = written.map(\.withDoubledQuotes)
    let onPage = written.map { OutsideText.shown($0, most: .max).escapedForPage }
    return written.union(inCSV).union(onPage).map { Data($0.utf8) }
  }
}
