import PostgreSQL
import ReconciliationSQL
import Runs

/// The listed identifier that is closest to each identifier that the catalogue lacks.
///
/// Nights keep these results. A result depends only on the identifiers, not on the judged records,
/// so it stays valid until a catalogue lists a new identifier.
struct ClosestIdentifiers {
  let database: Connection

  private static let tables = ["carried_closest", "carried_listed"]

  /// Finds the closest identifiers for the identifiers that this night has seen.
  func update() throws -> Rows {
    try database.run(SQLFile.carriedClosest)
  }

  /// Deletes the results of earlier nights, which another version of the program may have made.
  func startOver() throws {
    for table in Self.tables { try database.run(.empty, ["table": table], step: table) }
  }

  /// Hides the tables behind empty temporary ones, because a past day saw other identifiers.
  func hide() throws {
    for table in Self.tables { try database.run(.hideCarried, ["table": table], step: table) }
  }
}
