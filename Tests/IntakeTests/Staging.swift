import Foundation
import Intake
import Testing

/// The rows and counts of one file.
struct Staged: Equatable {
  var documents: [CopyRows.Row] = []
  var evidence: [CopyRows.Row] = []
  var deliveries: [CopyRows.Row] = []
  var catalogue: [CopyRows.Row] = []
  var clientTransactions: [CopyRows.Row] = []
  var clientInvalidProducts: [CopyRows.Row] = []
  var acknowledgements: [CopyRows.Row] = []
  var appleReports: [CopyRows.Row] = []
  var rejections: [CopyRows.Row] = []
  var counts = FileCounts()

  /// Some columns of some rows, with a vertical bar between values: `a | b`.
  static func drawn(_ rows: [CopyRows.Row], _ columns: String) -> [String] {
    let names = columns.split(separator: " ").map(String.init)
    return rows.map { row in names.map { row[$0] ?? "?" }.joined(separator: " | ") }
  }

  /// The facts in a catalogue except the listed identifiers, as `product member value`.
  ///
  /// A price has its currency and its storefront before the value. A fact without a product is
  /// written as `- member value`.
  var catalogueSaid: [String] {
    catalogue.filter { $0["member"] != "listed" }.map { row in
      let words = ["product_id", "member", "currency", "storefront", "value"].map { row[$0] ?? "?" }
      return ([words[0].isEmpty ? "-" : words[0]] + words.dropFirst().filter { !$0.isEmpty })
        .joined(separator: " ")
    }
  }

  /// The rejections as `line | kind | reason`.
  var reasons: [String] { Self.drawn(rejections, "line kind reason") }

  /// Checks that the counts and the rows agree.
  func requireClosed(_ location: SourceLocation, _ note: () -> String) {
    func rejected(_ kind: String) -> Int64 {
      rejections.filter { $0["kind"] == kind }.reduce(0) { $0 + (Int64($1["records"] ?? "") ?? 0) }
    }
    let entries = Int64(catalogue.filter { $0["member"] == "listed" }.count)
    #expect(counts.documents.rejected == rejected("receipt"), "\(note())", sourceLocation: location)
    #expect(
      counts.documents.read == Int64(documents.count) + rejected("receipt"), "\(note())",
      sourceLocation: location)
    #expect(
      counts.transactions.rejected == rejected("transaction"), "\(note())", sourceLocation: location
    )
    #expect(
      counts.transactions.read == Int64(evidence.count) + counts.repeats + rejected("transaction"),
      "\(note())", sourceLocation: location)
    #expect(
      counts.deliveries.rejected == rejected("delivery"), "\(note())", sourceLocation: location)
    #expect(
      counts.deliveries.read == Int64(deliveries.count) + rejected("delivery"), "\(note())",
      sourceLocation: location)
    #expect(
      counts.catalogueEntries.rejected == rejected("catalogue"), "\(note())",
      sourceLocation: location
    )
    #expect(
      counts.catalogueEntries.read == entries + rejected("catalogue"), "\(note())",
      sourceLocation: location)
    #expect(
      counts.clientRecords.rejected == rejected("client"), "\(note())", sourceLocation: location)
    #expect(
      counts.clientRecords.read == Int64(clientTransactions.count + clientInvalidProducts.count)
        + rejected("client"), "\(note())", sourceLocation: location)
    #expect(
      counts.acknowledgements.read == Int64(acknowledgements.count) + rejected("acknowledgement"),
      "\(note())", sourceLocation: location)
    #expect(
      counts.acknowledgements.rejected == rejected("acknowledgement"), "\(note())",
      sourceLocation: location)
    #expect(
      counts.appleRows.read == Int64(appleReports.count) && counts.appleRows.rejected == 0,
      "\(note())", sourceLocation: location)
    #expect(counts.fileRejected == (rejected("file") > 0), "\(note())", sourceLocation: location)
    #expect(rejected("file") <= 1, "\(note())", sourceLocation: location)
  }
}

/// A folder that is removed after the test.
final class ScratchFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "intake-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = path + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    return file
  }

  /// A file of a length that consists of some bytes and of zeros, which take no space on disk.
  func sparseFile(_ name: String, _ start: [UInt8], length: Int) throws -> String {
    let file = try file(name, start)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: file))
    defer { try? handle.close() }
    try handle.truncate(atOffset: UInt64(length))
    return file
  }
}

/// Reads a file, and checks that its counts and rows agree; a failure shows the note.
func stage(
  path: String, in folder: Folder, _ settings: IntakeSettings = IntakeSettings(),
  note: @autoclosure () -> String = "", location: SourceLocation = #_sourceLocation
) throws -> Staged {
  let reader = FileReader(path: path, folder: folder, fileID: 7, settings: settings)
  let parser = RecordParser()
  var rows = StagedRows()
  var staged = Staged()
  while let block = reader.next() {
    block.parse(with: parser, into: &rows)
    staged.documents += try CopyRows.documents.rows(of: rows.documents)
    staged.evidence += try CopyRows.evidence.rows(of: rows.evidence)
    staged.deliveries += try CopyRows.deliveries.rows(of: rows.deliveries)
    staged.catalogue += try CopyRows.catalogue.rows(of: rows.catalogue)
    staged.clientTransactions += try CopyRows.clientTransactions.rows(of: rows.clientTransactions)
    staged.clientInvalidProducts += try CopyRows.clientInvalidProducts.rows(
      of: rows.clientInvalidProducts)
    staged.acknowledgements += try CopyRows.acknowledgements.rows(of: rows.acknowledgements)
    staged.appleReports += try CopyRows.appleReports.rows(of: rows.appleReports)
    // The place of a rejection depends on the size of blocks.
    staged.rejections += try CopyRows.rejections.rows(of: rows.rejections).map { row in
      row.filter { $0.key != "place" }
    }
    try #require(rows.counts.keys.allSatisfy { $0 == 7 })
    staged.counts += rows.counts[7] ?? FileCounts()
    rows.removeAll()
  }
  staged.requireClosed(location, note)
  if let rejection = reader.fileRejection {
    let row = try #require(staged.rejections.last)
    #expect(row["reason"] == rejection.reason.rawValue, sourceLocation: location)
    #expect(row["detail"] == rejection.detail, sourceLocation: location)
  }
  return staged
}

/// Reads bytes as if they were a file of the inbox.
func stage(
  _ bytes: [UInt8], in folder: Folder, named name: String = "file",
  _ settings: IntakeSettings = IntakeSettings(), location: SourceLocation = #_sourceLocation
) throws -> Staged {
  let scratch = try ScratchFolder()
  return try stage(path: scratch.file(name, bytes), in: folder, settings, location: location)
}

/// Reads a text as if it were a file of the inbox.
func stage(
  _ text: String, in folder: Folder, _ settings: IntakeSettings = IntakeSettings(),
  location: SourceLocation = #_sourceLocation
) throws -> Staged {
  try stage(Array(text.utf8), in: folder, settings, location: location)
}
