import PostgreSQL
import Runs

/// The carried tables of a database, with the columns that the schema gives them.
final class CarriedTables {
  /// The columns of one table.
  struct Columns {
    /// The columns of the primary key, in its order.
    let keys: [String]
    /// The other columns.
    var others: [String]
    /// All of them.
    var all: [String] { keys + others }
  }

  let database: Connection
  /// The columns by table; empty until they are needed.
  private var known: [String: Columns] = [:]

  init(database: Connection) {
    self.database = database
  }

  /// The columns of a table.
  ///
  /// Those of all tables are read at the first call. So they are known when a night fills an empty
  /// table, for which it drops the key.
  func columns(of table: String) throws -> Columns {
    if known.isEmpty { known = try read() }
    guard let columns = known[table] else {
      throw ReconciliationError(
        .schema, "The table \(table) or its primary key does not exist. Restore a backup.")
    }
    return columns
  }

  private func read() throws(PostgreSQLError) -> [String: Columns] {
    let rows = try database.run(.columnsOfCarried, step: "carried tables").records
    return Dictionary(grouping: rows) { $0.text("table_name") }.mapValues { rows in
      Columns(
        keys: rows.filter { $0.flag("is_key") }.map { $0.text("column_name") },
        others: rows.filter { !$0.flag("is_key") }.map { $0.text("column_name") })
    }
  }
}
