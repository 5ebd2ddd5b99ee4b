import Configuration
import NightRun
import PostgreSQL
import ReconciliationTestSupport
import Testing
@testable import Rules

@Suite("recompute says if what nights carried forward was wrong")
struct CorrectionTests {
  private static let relations = CarriedRelation.whole + CarriedRelation.found

  /// A night with a purchase that was delivered, one that was not, a refund, a subscription, an
  /// identifier that is not for sale, and a restore that only an app reports.
  private static func night() throws -> TestNight {
    let night = try TestNight()
    try night.catalogue(
      """
      product_id  | type           | prices
      book.emma   | non_consumable | USD 1.99
      book.iliad  | non_consumable | USD 2.99
      reader.plus | auto_renewable | USD 4.99
      """)
    try night.transactions(
      """
      transaction_id | product_id | purchased_at     | cancelled_at     | account_id
      101            | book.emma  | 2026-11-17 10:00 |                  | anna
      102            | book.iliad | 2026-11-17 11:00 |                  | ben
      103            | book.emma  | 2026-11-17 12:00 | 2026-11-18 12:00 | cleo
      104            | book.enma  | 2026-11-17 13:00 |                  | dora
      """)
    try night.transactions(
      """
      transaction_id | product_id  | purchased_at     | expires_at       | account_id
      105            | reader.plus | 2026-11-17 14:00 | 2026-12-17 14:00 | emil
      """)
    try night.put(
      """
      delivery_id,transaction_id,product_id,status,occurred_at,server
      d-1,101,book.emma,delivered,2026-11-17T10:05:00Z,eu-1
      d-2,103,book.emma,delivered,2026-11-18T09:05:00Z,eu-1
      d-3,105,reader.plus,delivered,2026-11-19T09:05:00Z,eu-1

      """, at: "deliveries/log.csv")
    try night.clientLog(
      """
      transaction_id | product_id | state    | transaction_date | device_id | app_version
      9              | book.emma  | restored | 2026-11-18 10:00 | phone     | 2.1
      """)
    try night.run(asOf: "2026-11-20 03:00")
    return night
  }

  /// The number of rows of each table that has rows.
  private static func rows(_ night: TestNight) throws -> [String: Int] {
    let connection = try night.database.connect()
    var rows: [String: Int] = [:]
    for relation in relations {
      let count = try connection.run("select count(*) from tieout.\(relation.table)", step: "test")
      rows[relation.table] = count.first.flatMap { Int($0) }
    }
    return rows.filter { $0.value > 0 }
  }

  /// The content of all tables.
  private static func content(_ night: TestNight) throws -> [String] {
    try night.database.draw(
      each: relations.map { "select * from \($0.table) order by \($0.table)::text" })
  }

  private static func damage(
    _ night: TestNight, _ relations: [CarriedRelation], by command: (CarriedRelation) -> String
  ) throws {
    let connection = try night.database.connect()
    for relation in relations { try connection.run(command(relation), step: "test") }
  }

  /// The tables that were corrected, with the number of their rows.
  private static func corrected(_ summary: Summary) -> [String: Int]? {
    summary.correctedTables?.filter { $0.value > 0 }
  }

  @Test("if all rows of every table are lost, they come back, and the warning counts them")
  func lost() throws {
    let night = try Self.night()
    let (rows, content) = try (Self.rows(night), Self.content(night))
    #expect(rows.count >= 10, "\(rows)")
    try Self.damage(night, Self.relations) { "delete from tieout.\($0.table)" }
    night.settings.dryRun = true
    let dry = try night.recompute()
    #expect(Self.corrected(dry) == rows)
    #expect(dry.correctionWords?.contains(" would be removed, inserted or changed (") == true)
    #expect(try Self.rows(night).isEmpty)
    night.settings.dryRun = false
    let summary = try night.recompute()
    #expect(Self.corrected(summary) == rows)
    #expect(summary.corrections == rows.values.reduce(0, +))
    let words = try #require(summary.correctionWords)
    #expect(summary.warnings.contains(words))
    for (table, count) in rows { #expect(words.contains("\(table) \(count)"), "\(words)") }
    #expect(try Self.content(night) == content)
    try Self.expectAgreement(night)
  }

  @Test("a wrong number counts twice: its row is removed, and the right one is inserted")
  func changed() throws {
    let night = try Self.night()
    let (rows, content) = try (Self.rows(night), Self.content(night))
    let sums = Self.relations.filter { $0.count != nil }
    try Self.damage(night, sums) { relation in
      let count = relation.count ?? ""
      return "update tieout.\(relation.table) set \(count) = \(count) + 1"
    }
    let expected = rows.filter { table, _ in sums.contains { $0.table == table } }
    #expect(expected.count >= 3, "\(expected)")
    #expect(try Self.corrected(night.recompute()) == expected.mapValues { 2 * $0 })
    #expect(try Self.content(night) == content)
    try Self.expectAgreement(night)
  }

  @Test("a difference with another cause is no correction, and the next recompute finds none")
  func otherCauses() throws {
    let night = try Self.night()
    try Self.expectAgreement(night)
    night.settings.graceHours = 48
    #expect(try night.recompute().corrections == nil)
    try Self.expectAgreement(night)
    // The revenue of earlier days is no longer kept.
    night.settings.revenueSince = "2026-11-18"
    let days = "select count(*) from carried_revenue"
    let before = try night.database.draw(days)
    #expect(try night.recompute().corrections == nil)
    #expect(try night.database.draw(days) != before)
    try Self.expectAgreement(night)
    // Another version of the program carried it forward.
    try night.database.connect().run("update tieout.judged set fingerprint = 'other'", step: "test")
    #expect(try night.recompute().corrections == nil)
    try Self.expectAgreement(night)
    // A run of a past day has loaded a file.
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      201            | book.emma  | 2026-11-16 10:00
      """)
    try night.run(asOf: "2026-11-19 03:00")
    #expect(try night.recompute().corrections == nil)
    try Self.expectAgreement(night)
    try night.withdraw("deliveries/log.csv")
    try Self.expectAgreement(night)
    try night.rebuild()
    try Self.expectAgreement(night)
    try night.forget("ben")
    try Self.expectAgreement(night)
  }

  /// Expects that a recompute compares everything and finds it correct, without a warning.
  private static func expectAgreement(
    _ night: TestNight, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let summary = try night.recompute()
    #expect(summary.corrections == 0, sourceLocation: sourceLocation)
    #expect(summary.correctedSums == 0, sourceLocation: sourceLocation)
    #expect(summary.correctionWords == nil, sourceLocation: sourceLocation)
    #expect(
      !summary.warnings.contains { $0.hasPrefix("What earlier nights") },
      sourceLocation: sourceLocation)
  }
}
