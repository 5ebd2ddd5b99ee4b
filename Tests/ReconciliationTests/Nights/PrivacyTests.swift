import Configuration
import DamageTestSupport
import Foundation
import Ledger
import NightRun
import Oracle
import PostgreSQL
import ReconciliationTestSupport
import Reports
import Runs
import Testing

@Suite("Account and device names in the tables") struct PrivacyTests {
  static let key = "0123456789abcdef0123456789abcdef"

  static func hash(_ night: TestNight, key: String = key) throws {
    let file = night.folder.appending(path: "key")
    try Data("\(key)\n".utf8).write(to: file)
    night.settings.privacy = .hash
    night.settings.privacyKeyFile = file.path
  }

  /// A night with three accounts, with shared and unshared devices, and with findings about them.
  static func fill(_ night: TestNight, device: String = "PHONE-1") throws {
    try night.catalogue("product_id\nbook.emma")
    try night.transactions(
      """
      transaction_id | original_transaction_id | product_id | purchased_at     | account_id | device_id
      101            |                         | book.emma  | 2026-11-14 10:00 | PERSON-1   | \(device)
      101            |                         | book.emma  | 2026-11-14 10:00 | ANOTHER    | TABLET
      102            | 101                     | book.emma  | 2026-11-15 10:00 | PERSON-1   | TABLET
      103            |                         | book.emma  | 2026-11-15 11:00 | PERSON-1   | \(device)
      104            |                         | book.enma  | 2026-11-15 12:00 | THIRD      |
      """)
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | status    | account_id | device_id
      D0          | 900            | book.emma  | 2026-11-13 10:00 | delivered |            |
      D1          | 101            | book.emma  | 2026-11-14 10:05 | delivered | PERSON-1   | \(device)
      D2          | 101            | book.emma  | 2026-11-14 10:06 | delivered | PERSON-1   | \(device)
      D3          | 102            | book.emma  | 2026-11-15 10:05 | failed    | PERSON-1   | \(device)
      """)
    try night.clientLog(
      """
      transaction_id | product_id | state     | transaction_date | account_id | device_id
      905            | book.emma  | purchased | 2026-11-14 10:00 | PERSON-1   | \(device)
      """)
    try night.clientLog(
      """
      product_id | reported_at      | account_id | device_id
      book.nope  | 2026-11-14 10:00 | PERSON-1   | \(device)
      """)
    try night.put(
      "{\"account_id\":\"PERSON-1\",\"device_id\":\"\(device)\",\"status\":21003}\n",
      at: "receipts/bad.ndjson")
  }

  /// The same records in other files.
  private static func tellAgain(_ night: TestNight) throws {
    for path in ["receipts/2.ndjson", "deliveries/3.csv", "client/4.csv", "client/5.csv"] {
      let text = try String(contentsOf: night.inbox.appending(path: path), encoding: .utf8)
      try night.put(text + "\n", at: path.replacing(".", with: "-again."))
    }
  }

  /// Every value of every table, as text; and of every view, if they are wanted.
  ///
  /// The views together take a second to plan, and show only what tables have.
  static func everything(_ night: TestNight, withViews: Bool = false) throws -> String {
    let names = try DrawnTableRows(
      night,
      """
      select relname as name from pg_class
      where relnamespace = 'tieout'::regnamespace and relkind in ('r'\(withViews ? ", 'v'" : ""))
      order by 1
      """
    ).rows.map { $0[0] }
    return try night.database.draw(
      each: names.map { name in
        // Also the bytes of a rejected record, as text.
        name == "rejection"
          ? "select *, encode(raw, 'escape') as raw_text from rejection" : "select * from \(name)"
      }
    ).joined()
  }

  private static func reports(_ night: TestNight) throws -> String {
    try Report.all.map { try night.report($0.fileName) }.joined()
  }

  @Test("a name is found in an edition in every spelling, and not as a part of another name")
  func spellings() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tieout-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let texts = [
      "a.csv": "subject\n\"a \"\"B\"\" & c\"\n", "b.html": "<p>a &quot;B&quot; &amp; c</p>",
      "c.csv": "subject\nreader-1011\n", "d.csv": "subject\nx reader-101, y\n",
      "f.csv": #"{""error"":""quota:\nreader-102""}"#,
      "g.csv": #"{\u0022id\u0022:\u0022reader-102\u0022}"#,
      "h.csv": "id=%22reader-102%22", "i.csv": "nreader-102 u0022reader-102 0022reader-102",
    ]
    for (file, text) in texts {
      try Data(text.utf8).write(to: folder.appending(path: file))
    }
    let edition = try #require(Edition(folder: "2026-11-20"))
    func files(_ name: String) -> [String] {
      Forgotten.editions(holding: [name], in: [edition: folder.path]).flatMap(\.files)
    }
    #expect(files("a \"B\" & c") == ["a.csv", "b.html"])
    #expect(files("reader-101") == ["d.csv"])
    #expect(files("eader-1011").isEmpty)
    #expect(files("reader-102") == ["f.csv", "g.csv", "h.csv"])
    try FileManager.default.createSymbolicLink(
      atPath: folder.appending(path: "e.csv").path, withDestinationPath: "nowhere")
    #expect(files("eader-1011") == ["e.csv"])
  }

  @Test("names are hashed everywhere, and the findings are the same as without hashing")
  func hashed() throws {
    let plain = try TestNight()
    try Self.fill(plain)
    try plain.run(asOf: "2026-11-20 03:00")
    #expect(try Self.everything(plain).contains("PERSON-1"))
    let night = try TestNight()
    try Self.hash(night)
    try Self.fill(night)
    try night.run(asOf: "2026-11-20 03:00")
    for text in [try Self.everything(night, withViews: true), try Self.reports(night)] {
      for name in ["PERSON-1", "PHONE-1", "ANOTHER", "TABLET", "THIRD", Self.key] {
        #expect(!text.contains(name), "\(name)")
      }
    }
    let columns = ["rule", "level", "reason", "status"]
    #expect(
      try night.table("findings.csv").columns(columns).rows.map { $0.joined(separator: " ") }
        .sorted()
        == plain.table("findings.csv").columns(columns).rows.map { $0.joined(separator: " ") }
        .sorted())
    for name in ["revenue.csv", "control_totals.csv"] {
      #expect(try night.report(name) == plain.report(name))
    }
    // The same names again give no new evidence.
    try Self.tellAgain(night)
    try night.run(asOf: "2026-11-20 03:00")
    #expect(
      try night.database.draw("select count(*) as n from evidence")
        == plain.database.draw("select count(*) as n from evidence"))
  }

  @Test(
    "hashed names of random nights give the same counts and sums as plain names",
    arguments: RandomCases.seeds(1))
  func isomorphic(seed: UInt64) throws {
    let input = RandomNight(seed: seed &+ 4000, accounts: 40).input
    let plain = try TestNight()
    try plain.run(input, files: 3, seed: seed)
    let night = try TestNight()
    try Self.hash(night)
    try night.run(input, files: 3, seed: seed)
    let names = [
      "missing_deliveries.csv", "invalid_product_ids.csv", "duplicate_restores.csv", "revenue.csv",
    ]
    for name in names {
      func bare(_ night: TestNight) throws -> DrawnTable {
        let table = try night.table(name)
        // Another account can sort first, and possible matches are looked up by that account.
        let byAccount: Set = [
          "account_id", "accounts", "possible_match_delivery_id", "possible_match_differs",
        ]
        return table.columns(table.header.filter { !byAccount.contains($0) })
      }
      #expect(try bare(night) == bare(plain), "seed \(seed): \(name)")
    }
    // Of two records of one delivery with the same second, the one with the smaller account counts.
    // Hashes sort differently. So a set of accounts can differ, and nothing else.
    let count = """
      select rule, level, reason, count(*) as n from finding
      where rule <> 'shared_purchase' group by 1, 2, 3 order by 1, 2, 3
      """
    let (mine, others) = (try night.database.draw(count), try plain.database.draw(count))
    let here = mine.split(separator: "\n").filter { !others.contains($0) }
    let there = others.split(separator: "\n").filter { !mine.contains($0) }
    #expect(here == there, "seed \(seed)")
  }

  @Test("another privacy setting or key is refused until the tables are rebuilt")
  func changed() throws {
    let night = try TestNight()
    try Self.fill(night)
    try night.run(asOf: "2026-11-20 03:00")
    let findings = try night.table("findings.csv").rows.count
    for key in [Self.key, "another key of at least 32 characters"] {
      try Self.hash(night, key: key)
      #expect {
        try night.run(asOf: "2026-11-21 03:00")
      } throws: { error in
        (error as? ReconciliationError)?.code == .configuration
          && "\(error)".contains("tieout rebuild") && !"\(error)".contains(key)
      }
      try night.rebuild()
      #expect(try night.table("findings.csv").rows.count == findings)
    }
    let text = try Self.everything(night) + Self.reports(night)
    for name in ["PERSON-1", "PHONE-1", "ANOTHER", "TABLET", "THIRD"] {
      #expect(!text.contains(name), "\(name)")
    }
    night.settings.privacy = .none
    #expect(throws: ReconciliationError.self) { try night.run(asOf: "2026-11-21 03:00") }
    try night.rebuild()
    #expect(try Self.everything(night).contains("PERSON-1"))
  }

  @Test(
    "a forgotten account is nowhere in the tables, all sums agree, and no file brings it back",
    arguments: [
      false, true,
    ])
  func forgotten(isHashing: Bool) throws {
    let night = try TestNight()
    if isHashing { try Self.hash(night) }
    try Self.fill(night)
    try night.run(asOf: "2026-11-19 03:00")
    try night.run(asOf: "2026-11-20 03:00")
    let kept = try DrawnTableRows(
      night, "select distinct account_id from delivery_record where delivery_id = 'D1'"
    ).rows[0][0]
    let phone = try DrawnTableRows(
      night, "select distinct device_id from delivery_record where delivery_id = 'D1'"
    ).rows[0][0]
    let tablet = try DrawnTableRows(
      night,
      "select device_id from evidence where account_id <> '\(kept)' and transaction_id = '101'"
    ).rows[0][0]
    #expect(isHashing == kept.hasPrefix("h:"))
    let columns = ["rule", "level", "reason", "first_flagged_on", "status"]
    func findings() throws -> [String] {
      try night.table("findings.csv").columns(columns).rows.map { $0.joined(separator: " ") }
        .sorted()
    }
    let before = try findings()
    // All sums but those that say how a run judged.
    func sums() throws -> [[String]] {
      try night.table("control_totals.csv").rows.filter { $0[0] != "judged" }
    }
    let totals = try sums()
    #expect(try Self.everything(night).contains(kept))

    let summary = try night.forget("PERSON-1")
    let forgotten = try #require(summary.forgotten)
    #expect(forgotten.companions == 1)
    #expect(
      try night.database.draw(
        "select detail, count(distinct subject) as n from journal where act = 'forget' "
          + "group by detail order by detail")
        == DrawnTable(
          """
          detail                                   | n
          account                                  | 1
          device or appAccountToken of the account | 1
          """
        ).text)
    #expect(forgotten.records.map(\.count) == [3, 3, 1, 1])
    #expect(
      forgotten.files
        == ["client/4.csv", "client/5.csv", "deliveries/3.csv", "receipts/2.ndjson"]
        + (isHashing ? [] : ["receipts/bad.ndjson"]))
    let holding = ["findings.csv", "index.html", "missing_deliveries.csv", "reconciliation.xlsx"]
    // Only the first night read files and found something new.
    let firstHolding =
      ["changes.csv"] + holding + (isHashing ? [] : ["rejected_records.csv"])
    #expect(forgotten.editions.map(\.edition.folder) == ["2026-11-19", "2026-11-20"])
    #expect(forgotten.editions.map(\.files) == [firstHolding, holding])
    #expect(forgotten.removedEditions.isEmpty)
    func expectForgotten(_ when: String, withViews: Bool = false) throws {
      let text = try Self.everything(night, withViews: withViews) + Self.reports(night)
      for name in ["PERSON-1", "PHONE-1", kept, phone] {
        #expect(!text.contains(name), "\(when): \(name)")
      }
      // A device that another account uses too stays.
      #expect(text.contains(tablet), "\(when)")
      #expect(try findings() == before, "\(when)")
    }
    try expectForgotten("forgotten")
    #expect(try sums() == totals)
    #expect(try night.recompute().corrections == 0)

    let tables =
      "select (to_jsonb(one) - \(numbersOfLoading))::text as row from evidence as one order by 1"
    let evidence = try night.database.draw(tables)
    try night.rebuild()
    try expectForgotten("rebuilt")
    #expect(try night.database.draw(tables) == evidence)
    // The same records in another file are known and add nothing.
    try Self.tellAgain(night)
    let again = try night.run(asOf: "2026-11-20 03:00")
    #expect(counts("transactions", again) == [5, 0, 5, 0])
    try expectForgotten("told again", withViews: true)
    #expect(try night.database.draw(tables) == evidence)

    let removed = try #require(try night.forget("PERSON-1", removingEditions: true).forgotten)
    #expect(removed.removedEditions.map(\.folder) == ["2026-11-19", "2026-11-20"])
    #expect(removed.editions.isEmpty)
    #expect(try night.shownNames().allSatisfy { !["2026-11-19", "2026-11-20"].contains($0) })
  }

  @Test(
    "two rows of evidence that forgetting makes equal become one with the ages of both",
    arguments: [false, true])
  func mergedAges(isNamedFirst: Bool) throws {
    let night = try TestNight()
    try Self.fill(night)
    try night.run(asOf: "2026-11-20 03:00")
    try night.forget("PERSON-1")
    let token = try DrawnTableRows(night, "select token from forgotten_name limit 1").rows[0][0]
    // The account is not known as forgotten while its name is loaded again.
    let database = try night.database.connect()
    try database.run(
      """
      create table public.kept as select * from tieout.forgotten_name;
      delete from tieout.forgotten_name
      """, step: "test")
    func evidence(_ account: String, _ ages: [Int]) throws {
      for age in ages {
        try night.transactions(
          """
          transaction_id | product_id | purchased_at     | cancelled_at     | told_at             | account_id
          201            | book.emma  | 2026-11-10 10:00 | 2026-11-12 10:00 | 2026-11-\(age) 10:00 | \(account)
          """)
      }
    }
    let wide = [14, 18]
    try evidence("PERSON-1", isNamedFirst ? wide : [16])
    try evidence(token, isNamedFirst ? [16] : wide)
    try night.run(asOf: "2026-11-21 03:00")
    let rows = """
      select count(*) over () as rows, evidence.account_id = '\(token)' as is_forgotten,
          csv_instant(evidence_at) as first_at, csv_instant(last_evidence_at) as last_at,
          (select path from input_file where file_id = evidence.file_id) as path,
          (select path from input_file where file_id = evidence.last_file_id) as last_path
      from evidence
      where transaction_id = '201'
      order by evidence_at
      """
    #expect(try DrawnTableRows(night, rows).rows.count == 2)
    let first = try DrawnTableRows(night, rows).rows[0]
    #expect(first[5].hasPrefix("receipts/") && first[5] != first[4])
    try database.run(
      "insert into tieout.forgotten_name select * from public.kept", step: "test")
    try night.forget("PERSON-1")
    #expect(
      try DrawnTableRows(night, rows).rows
        == [["1", "t", "2026-11-14T10:00:00Z", "2026-11-18T10:00:00Z", first[4], first[5]]])
  }

  @Test(
    "records that arrive after an account was forgotten lose its names when it is forgotten again")
  func forgottenAgain() throws {
    let night = try TestNight()
    try Self.fill(night)
    try night.run(asOf: "2026-11-20 03:00")
    try night.forget("PERSON-1")
    try night.deliveries(
      """
      delivery_id | transaction_id | product_id | occurred_at      | account_id | device_id
      D9          | 103            | book.emma  | 2026-11-16 10:05 | PERSON-1   | LATER-PHONE
      """)
    try night.run(asOf: "2026-11-21 03:00")
    let named = """
      select count(distinct account_id) as accounts, count(distinct device_id) as devices,
          bool_or(device_id = 'LATER-PHONE') as is_named
      from delivery_record
      where account_id is not null
      """
    #expect(
      try night.database.draw(named) == "accounts | devices | is_named\n1        | 2       | t")
    let before = try night.database.draw(
      "select distinct account_id, device_id from delivery_record where delivery_id = 'D1'")
    try night.forget("PERSON-1")
    #expect(
      try night.database.draw(named) == "accounts | devices | is_named\n1        | 2       | f")
    // The account that was forgotten before keeps its token.
    #expect(
      try night.database.draw(
        "select distinct account_id, device_id from delivery_record where delivery_id = 'D1'")
        == before)
    try night.rebuild()
    #expect(
      try night.database.draw(named) == "accounts | devices | is_named\n1        | 2       | f")
  }
}
