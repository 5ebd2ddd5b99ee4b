import Configuration
import Foundation
import Logging
import NightRun
import PostgreSQL
import ReconciliationTestSupport
import Runs
import Testing
import Waiting

@Suite("A database that its administrator has prepared")
struct PreparedDatabaseTests {
  @Test("a night needs no right to create a schema or an extension if both exist")
  func needsNoRightToCreate() throws {
    let night = try TestNight(hasTables: false)
    let role = "tieout_test_role_\(UUID().uuidString.prefix(8).lowercased())"
    let administrator = try night.database.connect()
    try administrator.run(
      """
      create role \(role) login;
      create schema "Our extensions";
      create extension fuzzystrmatch schema "Our extensions";
      grant usage on schema "Our extensions" to \(role);
      create schema tieout authorization \(role)
      """, step: "prepare")
    defer {
      _ = try? administrator.run("drop owned by \(role) cascade; drop role \(role)", step: "clean")
    }
    try night.catalogue("product_id\nbook.emma")
    try night.transactions(
      """
      transaction_id | product_id | purchased_at
      1              | book.ema   | 2026-11-18 10:00
      """)
    _ = try Self.run(night, on: "\(night.database.connectionString) user=\(role)")
    #expect(
      try night.table("invalid_product_ids.csv").columns(["product_id", "closest_product_id"]).text
        == "product_id | closest_product_id\nbook.ema   | book.emma")
    #expect(
      try night.database.draw("select tableowner as owner from pg_tables where tablename = 'run'")
        == "owner\n\(role)")
  }

  @Test("a role that can only read can ask for the runs")
  func readers() throws {
    let night = try TestNight(hasTables: false)
    try night.run(asOf: "2026-11-20 03:00")
    let role = "tieout_test_role_\(UUID().uuidString.prefix(8).lowercased())"
    let administrator = try night.database.connect()
    try administrator.run(
      "create role \(role) login; grant pg_read_all_data to \(role)", step: "prepare")
    defer { _ = try? administrator.run("drop role \(role)", step: "clean") }
    let history = RunHistory(database: "\(night.database.connectionString) user=\(role)")
    #expect(try history.newest(5).rows.count == 1)
  }

  @Test("a database in another encoding than UTF-8 is refused at the start")
  func otherEncoding() throws {
    let night = try TestNight(hasTables: false)
    let name = "tieout_test_latin_\(UUID().uuidString.prefix(8).lowercased())"
    let administrator = try night.database.connect()
    try administrator.run(
      "create database \(name) template template0 encoding 'LATIN1' locale 'C'", step: "prepare")
    defer {
      _ = try? administrator.run("drop database \(name) with (force)", step: "clean")
    }
    #expect {
      try Self.run(night, on: "\(night.database.connectionString) dbname=\(name)")
    } throws: { error in
      (error as? ReconciliationError)?.code == .schema && "\(error)".contains("LATIN1")
    }
  }

  @Test("a time zone that the database does not know is reported as a wrong setting")
  func unknownTimeZone() throws {
    let night = try TestNight(hasTables: false)
    night.settings.timeZone = "Mars/Olympus_Mons"
    #expect {
      try night.run(asOf: "2026-11-20 03:00")
    } throws: { error in
      (error as? ReconciliationError)?.code == .configuration
        && "\(error)".contains("Mars/Olympus_Mons")
    }
  }

  private static func run(_ night: TestNight, on database: String) throws -> Summary {
    night.settings.asOf = "2026-11-20T03:00:00Z"
    let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
    return try Night(
      settings: night.settings, database: database, version: "test", logger: logger,
      stop: StopRequest()
    ).run()
  }
}
