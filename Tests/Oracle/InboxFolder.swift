import DamageTestSupport
public import Foundation

extension NightInput {
  /// Writes the night into an inbox: at most `files` files of each kind, in random order and
  /// formats.
  ///
  /// The same seed writes the same files. Another seed writes the same night in other files. The
  /// caller gives `sign`, a function that signs as Apple does.
  public func write(
    to folder: URL, files: Int, seed: UInt64, gzip: Bool = false,
    signedBy sign: (String) throws -> String
  ) throws {
    var random = Dice(seed)
    var contents: [(path: String, text: String)] = []
    for (number, documents) in dealt(receipts, over: files, &random).enumerated() {
      contents.append(receiptsFile(number, documents, &random))
    }
    for (number, transactions) in dealt(signed, over: files, &random).enumerated() {
      let lines = try transactions.map { try $0.json(signedBy: sign) + "\n" }
      contents.append(("receipts/signed-\(number).ndjson", lines.joined()))
    }
    for (number, records) in dealt(deliveries, over: files, &random).enumerated() {
      contents.append(logFile("deliveries/log-\(number)", records, &random))
    }
    for (number, catalogue) in catalogues.shuffled(using: &random).enumerated() {
      // The name of the file does not matter.
      let ending = random.pick("plist", "json", "storekit", "xml", "txt")
      contents.append(("catalog/products-\(number)-\(seed).\(ending)", catalogue.text))
    }
    contents += clientFiles(over: files, &random)
    for kind in ["receipts", "deliveries", "catalog", "client"] {
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent(kind), withIntermediateDirectories: true)
    }
    for (path, text) in contents {
      let file = folder.appendingPathComponent(gzip ? path + ".gz" : path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(gzip ? gzipped(Array(text.utf8)) : Array(text.utf8)).write(to: file)
    }
  }

  /// Splits the night into several nights.
  ///
  /// All inboxes together contain the records of this night, and some of them twice.
  public func nights(_ count: Int, seed: UInt64) -> [NightInput] {
    var random = Dice(seed)
    var nights = Array(
      repeating: NightInput(
        settings: settings, receipts: [], deliveries: [], catalogues: [], asOf: asOf),
      count: max(1, count))
    func place() -> Int { random.number(0...(nights.count - 1)) }
    for document in receipts {
      nights[place()].receipts.append(document)
      if random.chance(10) { nights[place()].receipts.append(document) }
    }
    for transaction in signed {
      nights[place()].signed.append(transaction)
      if random.chance(10) { nights[place()].signed.append(transaction) }
    }
    for record in deliveries {
      nights[place()].deliveries.append(record)
      if random.chance(10) { nights[place()].deliveries.append(record) }
    }
    for entry in clientLog.entries {
      nights[place()].clientLog.entries.append(entry)
      if random.chance(10) { nights[place()].clientLog.entries.append(entry) }
    }
    for report in clientLog.reports { nights[place()].clientLog.reports.append(report) }
    for catalogue in catalogues { nights[place()].catalogues.append(catalogue) }
    return nights
  }

  /// The items in random order, in at most `count` groups; no group is empty.
  private func dealt<Item>(
    _ items: [Item], over count: Int, _ random: inout Dice
  ) -> [[Item]] {
    var heaps: [[Item]] = Array(repeating: [], count: max(1, count))
    for item in items.shuffled(using: &random) {
      heaps[random.number(0...(heaps.count - 1))].append(item)
    }
    return heaps.filter { !$0.isEmpty }
  }

  private func receiptsFile(
    _ number: Int, _ documents: [ReceiptDocument], _ random: inout Dice
  ) -> (path: String, text: String) {
    let path = random.pick("receipts/", "receipts/2026/late/") + "r\(number)"
    if let only = documents.first, documents.count == 1 {
      return (path + ".json", random.chance(50) ? only.spreadJSON + "\n" : only.json)
    }
    let lines = documents.map(\.json).joined(separator: "\n")
    // The last line does not have to have a line end if it is complete.
    return (path + ".ndjson", lines + (random.chance(70) ? "\n" : ""))
  }

  /// Files with one kind of record, or files with both kinds.
  ///
  /// In a file with both kinds, each line of NDJSON shows its own kind.
  private func clientFiles(
    over count: Int, _ random: inout Dice
  ) -> [(path: String, text: String)] {
    var contents: [(path: String, text: String)] = []
    if random.chance(25) {
      let lines = clientLog.entries.map(\.json) + clientLog.reports.map(\.json)
      for (number, heap) in dealt(lines, over: count, &random).enumerated() {
        contents.append(("client/both-\(number).ndjson", heap.map { $0 + "\n" }.joined()))
      }
      return contents
    }
    for (number, entries) in dealt(clientLog.entries, over: count, &random).enumerated() {
      contents.append(logFile("client/2026/queue-\(number)", entries, &random))
    }
    for (number, reports) in dealt(clientLog.reports, over: count, &random).enumerated() {
      contents.append(logFile("client/invalid-\(number)", reports, &random))
    }
    return contents
  }

  private func logFile<Item: LogRecord>(
    _ path: String, _ records: [Item], _ random: inout Dice
  ) -> (path: String, text: String) {
    guard random.chance(65) else {
      return (path + ".ndjson", records.map { $0.json + "\n" }.joined())
    }
    let order = Array(Item.columns.indices).shuffled(using: &random)
    let end = random.pick("\r\n", "\n")
    let header = order.map { Item.columns[$0] } + ["unknown to everybody"]
    var lines = [header.joined(separator: ",")]
    for record in records {
      let fields = record.csvFields
      lines.append(order.map { quotedForCSV(fields[$0] ?? "") }.joined(separator: ",") + ",\"\"")
    }
    return (path + ".csv", lines.map { $0 + end }.joined())
  }
}

/// The bytes as a gzip file without compression.
func gzipped(_ bytes: [UInt8]) -> [UInt8] {
  func littleEndian(_ value: UInt32, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
  }
  var result: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
  var begin = 0
  repeat {
    let end = min(begin + 65535, bytes.count)
    let count = UInt32(end - begin)
    result.append(end == bytes.count ? 1 : 0)
    result += littleEndian(count, 2) + littleEndian(~count, 2) + bytes[begin..<end]
    begin = end
  } while begin < bytes.count

  var checksum: UInt32 = ~0
  for byte in bytes {
    checksum ^= UInt32(byte)
    for _ in 0..<8 { checksum = checksum & 1 == 1 ? checksum >> 1 ^ 0xEDB8_8320 : checksum >> 1 }
  }
  return result + littleEndian(~checksum, 4) + littleEndian(UInt32(bytes.count), 4)
}
