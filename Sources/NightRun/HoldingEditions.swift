import Configuration
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
      guard let files = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
        // A folder that is gone holds no name; one that cannot be read may hold it.
        return FileManager.default.fileExists(atPath: folder)
          ? HoldingEdition(edition: edition, files: ["(not readable)"]) : nil
      }
      var holding = files.filter { file in
        // Reading a pipe that somebody has put there would wait for its writer.
        let url = URL(filePath: "\(folder)/\(file)")
        guard (try? url.resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true,
          let bytes = try? Data(contentsOf: url, options: .mappedIfSafe)
        else { return true }
        return wanted.contains { isWord($0, in: bytes) }
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

  /// Whether the bytes contain the name as a whole word.
  private static func isWord(_ name: Data, in bytes: Data) -> Bool {
    var from = bytes.startIndex
    while let range = bytes.range(of: name, in: from..<bytes.endIndex) {
      if WholeWord.isAlone(range, in: bytes) { return true }
      from = range.lowerBound + 1
    }
    return false
  }

  /// The name as the files of an edition spell it: as it is, in CSV, in HTML, and as JSON in the
  /// text of a rejected record can escape it.
  private static func spellings(of name: String) -> [Data] {
    var spellings = [name]
    for inCapitals in [false, true] {
      let escaped = escapedForJSON(name, inCapitals: inCapitals)
      spellings += [escaped, escaped.replacing("/", with: "\\/")]
    }
    let inCSV = spellings.map { $0.replacing("\"", with: "\"\"") }
    return Set(spellings + inCSV + [name.escapedForPage]).map { Data($0.utf8) }
  }

  /// The name in ASCII: other characters as the escapes of RFC 8259, section 7.
  ///
  /// The SQL function `json_escaped` does the same for the records in the database.
  private static func escapedForJSON(_ name: String, inCapitals: Bool) -> String {
    name.utf16.map { unit in
      if unit == 0x22 || unit == 0x5c { return "\\" + String(UnicodeScalar(UInt8(unit))) }
      guard unit >= 0x80 else { return String(UnicodeScalar(UInt8(unit))) }
      let digits = String(unit, radix: 16, uppercase: inCapitals)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }
}
