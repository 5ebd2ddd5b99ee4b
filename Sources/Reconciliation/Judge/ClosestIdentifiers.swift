import PostgreSQL
import ReconciliationSQL

/// Which listed identifier is closest to each that the catalogue lacks, kept from night to night.
///
/// It depends on the identifiers alone, and not on what is judged: so what was found once holds until a catalogue
/// lists something new.
struct ClosestIdentifiers {
  let database: Connection

  private static let tables = ["carried_closest", "carried_listed"]

  /// Finds them for what this night has seen.
  func update() throws -> Rows {
    try database.run(SQLFile.carriedClosest.text, step: SQLFile.carriedClosest.name)
  }

  /// Forgets what earlier nights found, possibly by another program.
  func startOver() throws {
    try database.run(.forgetClosest, step: SQLFile.carriedClosest.name)
  }

  /// Hides the tables behind empty temporary ones, because a past day saw other identifiers.
  func hide() throws {
    for table in Self.tables { try database.run(.hideCarried, ["table": table], step: table) }
  }
}
