import CopyFormat
import Foundation
import Intake

/// Reads each input as a file of the inbox.
///
/// It must not crash, and every record must be counted.
///
/// The first byte selects the file's folder, the block size and the size limits of records.
struct Bench {
  static nonisolated(unsafe) let shared = Bench()

  /// The file for each input; in memory if the system has a folder for that.
  private let path: String
  private let parser = RecordParser()
  private let memory: [ReadingMemory]

  private static let settings: [IntakeSettings] = [
    IntakeSettings(documentLimitBytes: 1 << 20, blockBytes: 1 << 16),
    // After three rejections of a reason the others are only counted.
    IntakeSettings(documentLimitBytes: 1 << 20, rejectionsKept: 3, blockBytes: 7),
    IntakeSettings(documentLimitBytes: 200, rejectionLimitBytes: 50, blockBytes: 1 << 16),
    IntakeSettings(documentLimitBytes: 200, rejectionLimitBytes: 50, blockBytes: 7),
  ]

  private init() {
    let isShared = FileManager.default.fileExists(atPath: "/dev/shm")
    let folder = isShared ? "/dev/shm" : FileManager.default.temporaryDirectory.path
    path = "\(folder)/tieout-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
    memory = Self.settings.map { ReadingMemory($0) }
  }

  func read(_ input: [UInt8]) {
    guard let first = input.first else { return }
    let folder = Folder.allCases[Int(first) % Folder.allCases.count]
    let choice = Int(first) / Folder.allCases.count % Self.settings.count
    do {
      try Data(input.dropFirst()).write(to: URL(fileURLWithPath: path))
    } catch {
      fatalError("The input cannot be written: \(error)")
    }
    defer { unlink(path) }
    let reader = FileReader(
      path: path, folder: folder, fileID: 1, settings: Self.settings[choice],
      memory: memory[choice])
    var rows = StagedRows()
    while let block = reader.next() { block.parse(with: parser, into: &rows) }
    precondition(reader.byteCount == Int64(input.count - 1), "bytes were left out")
    Account(rows).check()
    if folder == .receipts { readAsAnswer(Array(input.dropFirst()), Self.settings[choice]) }
  }

  /// Reads the input as `tieout refresh-receipts` does: as a file with raw receipts, and as Apple's
  /// answer.
  private func readAsAnswer(_ bytes: [UInt8], _ settings: IntakeSettings) {
    let receipts = RawReceiptReader(path: path, settings: settings)
    while let found = receipts.next() {
      precondition(
        found.allSatisfy { !$0.bytes.isEmpty && $0.line >= 1 }, "a receipt out of nothing")
    }
    _ = ReceiptAnswer(bytes)
  }
}

/// The results for the records of one file.
private struct Account {
  private let rows: StagedRows
  private let counts: FileCounts
  /// The number of rejections of each kind.
  private var rejected: [String: Int64] = [:]
  /// The number of rows of single rejections, by kind and reason.
  private var kept: [String: Int] = [:]

  private static let reasons = Set(RejectionReason.allCases.map(\.rawValue))
  /// The maximum number of rejections of one reason that are kept whole.
  private static let wholeLimit = 100

  init(_ rows: StagedRows) {
    self.rows = rows
    counts = rows.counts[1] ?? FileCounts()
    for row in Self.fields(of: rows.rejections) { take(row) }
  }

  /// Checks the row of one rejection, or of the number of those that are only counted.
  private mutating func take(_ row: [[UInt8]?]) {
    let kind = Self.text(row[2])
    let reason = Self.text(row[3])
    let records = Self.integer(row[9])
    rejected[kind, default: 0] += records
    precondition(
      Self.reasons.contains(reason) || reason.hasPrefix("status_"), "\(reason) is no reason")
    let isExplained = row[4]?.isEmpty == false
    guard row[8] != nil else {
      precondition(records >= 1, "a number of no rejections")
      precondition(row[1] == nil && !isExplained, "a number with a line or an explanation")
      return
    }
    precondition(records == 1, "several rejections in one place")
    if let line = row[1] {
      precondition(Self.integer(line) >= 1, "a line before the first")
    } else {
      precondition(kind == "file", "a record without a line")
    }
    let number = kept["\(kind) \(reason)", default: 0] + 1
    kept["\(kind) \(reason)"] = number
    precondition(
      isExplained == (number <= Self.wholeLimit),
      "not the first rejections of a reason are explained to the person who fixes them")
  }

  func check() {
    check(counts.documents, Int64(rows.documents.rows), "receipt")
    check(counts.transactions, Int64(rows.evidence.rows) + counts.repeats, "transaction")
    check(counts.deliveries, Int64(rows.deliveries.rows), "delivery")
    check(
      counts.clientRecords,
      Int64(rows.clientTransactions.rows + rows.clientInvalidProducts.rows), "client")
    check(counts.acknowledgements, Int64(rows.acknowledgements.rows), "acknowledgement")
    let listed = Self.fields(of: rows.catalogue).count { Self.text($0[3]) == "listed" }
    check(counts.catalogueEntries, Int64(listed), "catalogue")
    // A report of Apple is rejected as a whole.
    precondition(
      counts.appleRows.read == Int64(rows.appleReports.rows) && counts.appleRows.rejected == 0,
      "apple")
    precondition((rejected["file"] ?? 0) == (counts.fileRejected ? 1 : 0), "file")
  }

  private func check(_ tally: FileCounts.Tally, _ handedOver: Int64, _ kind: String) {
    precondition(tally.rejected == rejected[kind] ?? 0, "\(kind): rejections without a row")
    precondition(tally.read == handedOver + tally.rejected, "\(kind): a record was lost")
  }

  private static func text(_ field: [UInt8]?) -> String {
    String(decoding: field ?? [], as: UTF8.self)
  }

  private static func integer(_ field: [UInt8]?) -> Int64 {
    (field ?? []).reduce(0) { $0 << 8 | Int64($1) }
  }

  /// Reads rows in PostgreSQL's binary COPY format: the number of fields, then each field's length
  /// and bytes.
  private static func fields(of buffer: CopyBuffer) -> [[[UInt8]?]] {
    var rest = buffer.bytes[...]
    func number(_ bytes: Int) -> Int {
      defer { rest = rest.dropFirst(bytes) }
      return rest.prefix(bytes).reduce(0) { $0 << 8 | Int($1) }
    }
    var rows: [[[UInt8]?]] = []
    while !rest.isEmpty {
      rows.append(
        (0..<number(2)).map { _ in
          let length = Int(Int32(truncatingIfNeeded: number(4)))
          guard length >= 0 else { return nil }
          defer { rest = rest.dropFirst(length) }
          return Array(rest.prefix(length))
        })
    }
    return rows
  }
}

/// Called once by libFuzzer: writes seeds into the folder that `TIEOUT_FUZZ_SEEDS` names.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _: UnsafeMutablePointer<CInt>, _: UnsafeMutablePointer<UnsafeMutableRawPointer>
) -> CInt {
  guard let folder = ProcessInfo.processInfo.environment["TIEOUT_FUZZ_SEEDS"] else { return 0 }
  do {
    for (number, seed) in seeds().enumerated() {
      let file = URL(fileURLWithPath: folder).appendingPathComponent("seed\(number)")
      try Data(seed).write(to: file)
    }
  } catch {
    fatalError("The seeds cannot be written: \(error)")
  }
  return 0
}

/// Called by libFuzzer for each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  Bench.shared.read(Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}
