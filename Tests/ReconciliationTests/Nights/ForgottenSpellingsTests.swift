import Foundation
import Ledger
import NightRun
import ReconciliationTestSupport
import Runs
import Testing

@Suite("Forgotten names as other programs write them") struct ForgottenSpellingsTests {
  private static let names = [
    #"a "x""#, #"a\b"#, "shop/17", "a\tb", "josé-42", "😀 reader", #"Zoë "x""#, "Büro/7",
    "é\\\t😀/\"", "Tom & <Ü>", #"A, "B" 'ß'"#,
  ]

  /// The text with characters outside of ASCII, and others, as numbers.
  private static func numbered(
    _ text: String, _ others: String = "", isUpper: Bool = false
  ) -> String {
    text.unicodeScalars.map { scalar in
      guard !scalar.isASCII || others.unicodeScalars.contains(scalar) else {
        return String(scalar)
      }
      return String(scalar).utf16.map { unit in
        let digits = String(0x1_0000 + Int(unit), radix: 16, uppercase: isUpper)
        return "\\u\(digits.dropFirst())"
      }.joined()
    }.joined()
  }

  /// Texts in JSON that contain the name, as several programs write them.
  private static func texts(_ name: String) throws -> [String] {
    let encoder = JSONEncoder()
    func quoted(_ text: String) throws -> String {
      let list = String(decoding: try encoder.encode([text]), as: UTF8.self)
      return String(list.dropFirst().dropLast())
    }
    let slashed = try quoted(name)
    encoder.outputFormatting = .withoutEscapingSlashes
    let plain = try quoted(name)
    let inside = "{\"customer\":\(plain)}"
    let markup = name.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    // As .NET does it.
    let short = name.replacing("\\", with: "\\\\").replacing("\t", with: "\\t")
    let forHTML = numbered(short, "\"&'<>", isUpper: true)
    let texts = [
      plain, slashed, numbered(plain), numbered(slashed), numbered(plain, isUpper: true),
      numbered(slashed, isUpper: true), numbered(plain, "<>&"),
      "\"\(forHTML)\"", try quoted(inside), numbered(try quoted(inside)),
      try quoted(numbered(inside)), try quoted("<p>\(markup)</p>"),
    ]
    return Set(texts).sorted()
  }

  /// The fields as a row of a CSV file, all between quotes.
  private static func row(_ fields: String...) -> String {
    fields.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",")
  }

  @Test("a rejected record loses its text in whatever way it writes the name")
  func records() throws {
    let night = try TestNight()
    var files: [[String]] = []
    for (place, name) in Self.names.enumerated() {
      files.append(["deliveries/\(place).csv", "receipts/\(place).ndjson"])
      try night.put(
        "delivery_id,transaction_id,product_id,status,account_id,occurred_at\n"
          + Self.row("d", "1", "a", "done", name, "2026-11-10T10:00:00Z") + "\n",
        at: files[place][0])
      let records = try Self.texts(name).map { "{\"note\":\($0),\"status\":21003}\n" }
      try night.put(records.joined(), at: files[place][1])
    }
    let rejected = try night.run(asOf: "2026-11-20 03:00").rejected
    func kept() throws -> [[String]] {
      try DrawnTableRows(
        night,
        "select path, line from rejection where excerpt <> '' or raw is not null order by 1, 2"
      ).rows
    }
    var left = try kept()
    #expect(left.count == Int(rejected))
    let withLength = "select count(*) as records from rejection where raw_bytes > 0"
    let lengths = try night.database.draw(withLength)
    #expect(lengths == "records\n\(rejected)")
    for (place, name) in Self.names.enumerated() {
      #expect(
        try left.count { $0[0] == files[place][1] } == Self.texts(name).count, "\(name)")
      let other = try #require(night.forget(name + "x").forgotten)
      #expect(other.files.isEmpty && other.editions.isEmpty, "\(name)")
      #expect(try kept() == left, "\(name)")
      let forgotten = try #require(night.forget(name).forgotten)
      #expect(forgotten.files == files[place], "\(name)")
      left.removeAll { files[place].contains($0[0]) }
      #expect(try kept() == left, "\(name)")
      // Each edition that was written before has the name.
      let editions = forgotten.editions.map(\.files)
      #expect(Set(editions) == [["rejected_records.csv"]], "\(name): \(editions)")
    }
    #expect(left.isEmpty)
    // The length of a removed text is still known.
    #expect(try night.database.draw(withLength) == lengths)
  }

  @Test("an edition is listed in whatever way a file of it writes the name", arguments: names)
  func editions(name: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tieout-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // As in rejected_records.csv, where control characters are visible.
    let excerpts =
      try Self.texts(name).map { "{\"note\":\($0),\"status\":21003}" }
      + [Self.row("d", "1", name, "x").replacing("\t", with: "␉")]
    for (number, excerpt) in excerpts.enumerated() {
      let text = Self.row("file", "excerpt") + "\r\n" + Self.row("receipts/a", excerpt) + "\r\n"
      try Data(text.utf8).write(to: folder.appending(path: "\(number).csv"))
    }
    let edition = try #require(Edition(folder: "2026-11-20"))
    func files(_ name: String) -> [String] {
      Forgotten.editions(holding: [name], in: [edition: folder.path]).flatMap(\.files)
    }
    #expect(files(name) == excerpts.indices.map { "\($0).csv" }.sorted())
    #expect(files(name + "x").isEmpty)
    #expect(files("x" + name).isEmpty)
  }

  @Test("devices and files whose names differ only in the composition of a letter are two")
  func compositions() throws {
    let night = try TestNight()
    let (composed, decomposed) = ("Jos\u{e9}", "Jose\u{301}")
    func put(_ number: Int) throws {
      for (place, device) in [composed, decomposed].enumerated() {
        try night.put(
          "delivery_id,transaction_id,product_id,status,account_id,device_id,occurred_at\n"
            + "d\(number)\(place),1,a,delivered,anna,\(device),2026-11-10T10:00:00Z\n",
          at: "deliveries/\(device)-\(number).csv")
      }
    }
    func devices() throws -> [[String]] {
      try DrawnTableRows(
        night, "select device_id, count(*) from delivery_record group by 1 order by 2, 1"
      ).rows
    }
    try put(1)
    try night.run(asOf: "2026-11-20 03:00")
    let files = try #require(night.forget("anna").forgotten).files
    #expect(files.count == 2, "\(files)")
    let tokens = try devices()
    #expect(tokens.count == 2 && tokens.allSatisfy { $0[0].hasPrefix("f:") }, "\(tokens)")
    // Files that arrive later have the same tokens.
    try put(2)
    try night.run(asOf: "2026-11-21 03:00")
    #expect(try devices() == tokens.map { [$0[0], "2"] })
  }

  @Test("a device of records without an account belongs to the accounts of its transaction")
  func withoutAccount() throws {
    let night = try TestNight()
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | account_id | device_id  | environment
      d1          | 1              | book       | 2026-11-10 10:00 | anna       |            | Production
      d2          | 1              | book       | 2026-11-10 10:01 |            | ANNA-PHONE | Production
      d3          | 1              | book       | 2026-11-10 10:01 | tester     |            | Sandbox
      d4          | 1              | book       | 2026-11-10 10:01 |            | TESTERS    | Sandbox
      d5          | 2              | book       | 2026-11-10 10:02 | anna       |            | Production
      d6          | 2              | book       | 2026-11-10 10:03 | berta      |            | Production
      d7          | 2              | book       | 2026-11-10 10:04 |            | SHARED     | Production
      d8          | 3              | book       | 2026-11-10 10:05 |            | NOBODYS    | Production
      """)
    try night.run(asOf: "2026-11-20 03:00")
    _ = try night.forget("anna")
    let devices = try DrawnTableRows(
      night, "select device_id from delivery_record where device_id is not null order by 1"
    ).rows.map { $0[0] }
    #expect(
      devices.filter { !$0.hasPrefix("f:") } == ["NOBODYS", "SHARED", "TESTERS"]
        && devices.count == 4,
      "\(devices)")
  }
}
