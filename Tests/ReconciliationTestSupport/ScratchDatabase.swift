import Foundation
package import PostgreSQL
import Runs

/// A database for one test on the test server, which is dropped with the object.
package final class ScratchDatabase: Sendable {
  /// The libpq connection string of the database.
  package let connectionString: String
  private let name: String
  private let server: String

  /// The server for tests, as `scripts/test` starts it; a libpq connection string.
  package static var server: String {
    ProcessInfo.processInfo.environment["TIEOUT_TEST_SERVER"] ?? ""
  }

  /// Creates an empty database.
  package convenience init() throws {
    try self.init(template: nil)
  }

  /// Creates a database with the empty tables of this program.
  ///
  /// It copies a database that the process creates once, because the schema takes longer than the
  /// copy.
  package static func prepared() throws -> ScratchDatabase {
    try ScratchDatabase(copyOf: template.get())
  }

  private static let template: Result<ScratchDatabase, any Error> = Result {
    let database = try ScratchDatabase()
    _ = try RunHistory(database: database.connectionString).newest(1)
    // A static property is never released, so the template is dropped when the process exits.
    atexit { try? ScratchDatabase.template.get().drop() }
    return database
  }

  /// Creates a copy of another database, to which no session may be connected.
  package convenience init(copyOf other: ScratchDatabase) throws {
    try self.init(template: other.name)
  }

  /// The database on a cluster that `TIEOUT_TEST_CLUSTER` names, without tables.
  ///
  /// There is one for all tests, so these run one after the other.
  package static func onCluster() throws -> ScratchDatabase {
    try ScratchDatabase(
      cluster: ProcessInfo.processInfo.environment["TIEOUT_TEST_CLUSTER"] ?? "")
  }

  private init(cluster: String) throws {
    server = cluster
    name = ""
    connectionString = cluster
    try Connection(cluster, applicationName: "tieout test")
      .run("drop schema if exists tieout cascade", step: "empty cluster")
  }

  private init(template: String?) throws {
    server = Self.server
    name = "tieout_test_\(UUID().uuidString.lowercased().replacing("-", with: "_"))"
    let connection = try Connection(server, applicationName: "tieout test")
    let source = template.map { " template \($0)" } ?? ""
    // To copy the files takes half the time of writing each page to the log, which is the default.
    try connection.run(
      "create database \(name)\(source) strategy file_copy", step: "create scratch database")
    // libpq uses the last of two values.
    connectionString = "\(server) dbname=\(name)"
  }

  deinit { drop() }

  /// Drops the database, which nobody may use any more.
  func drop() {
    guard !name.isEmpty else { return }
    guard let connection = try? Connection(server, applicationName: "tieout test") else { return }
    _ = try? connection.run(
      "drop database if exists \(name) with (force)", step: "drop scratch database")
  }

  /// The connection string for another role.
  package func connectionString(as role: String) -> String {
    guard connectionString.contains("://") else { return "\(connectionString) user=\(role)" }
    return "\(connectionString)\(connectionString.contains("?") ? "&" : "?")user=\(role)"
  }

  /// Opens a connection to the database.
  package func connect() throws -> Connection {
    try Connection(connectionString, applicationName: "tieout test")
  }

  /// The result of a query, as a drawn table.
  package func draw(_ sql: String) throws -> String { try draw(each: [sql])[0] }

  /// The result of each query, as a drawn table.
  ///
  /// All queries run on one connection, because the start of a connection costs more than most of
  /// the queries do.
  package func draw(each queries: [String]) throws -> [String] {
    let connection = try connect()
    try connection.run("set search_path = tieout, public; set timezone = 'UTC'", step: "draw")
    return try queries.map { sql in
      let rows = try connection.run(sql, step: "draw")
      return DrawnTable(header: rows.columns, rows: rows.values.map { $0.map { $0 ?? "" } }).text
    }
  }
}
