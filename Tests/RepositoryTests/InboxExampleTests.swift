import Foundation
import Intake
import Testing

/// Reads every example of docs/inbox.md as a file of the folder that its fence names.
@Suite("The examples of docs/inbox.md")
struct InboxExampleTests {
  /// A code block of the page: the words after the opening fence, and the lines.
  private struct Block {
    let words: [Substring]
    let text: String

    /// The folder of the example; nil if the block is not an example of a file.
    var folder: Folder? { words.count > 1 ? Folder(rawValue: String(words[1])) : nil }

    /// Whether the example needs the column names that an earlier block of the page maps.
    var hasOwnNames: Bool { words.dropFirst(2).elementsEqual(["own", "names"]) }
  }

  private static func blocks() throws -> [Block] {
    var blocks: [Block] = []
    var fence: Substring?
    var lines: [Substring] = []
    let page = try Repository.text("docs/inbox.md")
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if let opened = fence {
        if line == "```" {
          blocks.append(
            Block(words: opened.split(separator: " "), text: lines.joined(separator: "\n") + "\n"))
          fence = nil
          lines = []
        } else {
          lines.append(line)
        }
      } else if line.hasPrefix("```") {
        fence = line.dropFirst(3)
      }
    }
    try #require(fence == nil, "a block is not closed")
    return blocks
  }

  /// The page's mapping for logs with other column names.
  private static func ownNames(_ blocks: [Block]) throws -> [String: String] {
    let settings = try #require(blocks.first { $0.text.hasPrefix("delivery_columns:") })
    return Dictionary(
      uniqueKeysWithValues: settings.text.split(separator: "\n").dropFirst().map { line in
        let pair = line.split(separator: ":").map { $0.trimmingCharacters(in: .whitespaces) }
        return (pair[0], pair[1])
      })
  }

  @Test("each example names its folder")
  func folders() throws {
    let blocks = try Self.blocks()
    let files = blocks.filter { ["json", "csv", "xml", "tsv"].contains($0.words.first ?? "") }
    #expect(files.count > 15)
    for block in files { #expect(block.folder != nil, "\(block.text)") }
    #expect(Set(files.compactMap(\.folder)) == Set(Folder.allCases))
  }

  @Test("the page has a table of all columns of the delivery log, with the required ones marked")
  func deliveryColumns() throws {
    let section = MarkdownText(try Repository.text("docs/inbox.md")).section("The delivery log")
    #expect(section.names(inTableOf: "column") == DeliveryColumn.allCases.map(\.rawValue))
    for column in DeliveryColumn.allCases {
      let word = column.isRequired ? "required" : "optional"
      #expect(section.text.contains("\n| `\(column.rawValue)` | \(word) |"), "\(column)")
    }
  }

  @Test("each example is loaded completely, without rejections")
  func loaded() throws {
    let blocks = try Self.blocks()
    let path = FileManager.default.temporaryDirectory.appending(
      path: "example-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: path) }
    for block in blocks {
      guard let folder = block.folder else { continue }
      try Data(block.text.utf8).write(to: path)
      var settings = IntakeSettings()
      if block.hasOwnNames { settings.deliveryColumns = try Self.ownNames(blocks) }
      let reader = FileReader(path: path.path, folder: folder, fileID: 1, settings: settings)
      let parser = RecordParser()
      var rows = StagedRows()
      rows.noted = []
      while let part = reader.next() { part.parse(with: parser, into: &rows) }
      #expect(rows.noted?.map(\.detail) == [], "\(block.text)")
      let counts = rows.counts[1] ?? FileCounts()
      let read = [
        counts.documents, counts.deliveries, counts.catalogueEntries, counts.clientRecords,
        counts.acknowledgements, counts.appleRows,
      ].reduce(0) { $0 + $1.read }
      #expect(read > 0, "\(block.text)")
    }
  }
}
