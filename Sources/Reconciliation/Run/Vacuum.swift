import Logging
import PostgreSQL

/// The tables that a night has changed much, vacuumed once its folder is shown.
///
/// Only what was vacuumed can be looked up in an index alone, and where it was not the next night would
/// read a whole table in place of the few keys it asks about. A private server is gone before its
/// autovacuum comes.
struct Vacuum {
  let database: Connection
  let logger: Logger

  /// Vacuums where more than so many pages of a hundred were changed; fewer are read beside the index.
  private static let part = 5

  /// The large tables; the others fit into memory.
  private static let tables = [
    "evidence", "store_transaction", "delivery_record", "document", "client_transaction", "finding",
  ]

  /// Vacuums the tables that need it; nothing that matters is lost if it fails.
  func pass() {
    do {
      let changed = try database.run(
        """
        select relname
        from pg_class
        where
            relnamespace = 'tieout'::regnamespace
            and relname = any ($1::text[])
            -- A small table is read as a whole in any case: 8 MB.
            and pg_relation_size(oid) > 1024::bigint * current_setting('block_size')::bigint
            -- In whole numbers of one type, so that nobody's operator fits better than PostgreSQL's own.
            and pg_relation_size(oid) / current_setting('block_size')::bigint
            * (100 - $2::integer)::bigint > relallvisible::bigint * 100::bigint
        order by relname
        """, ["{\(Self.tables.joined(separator: ","))}", "\(Self.part)"], step: "vacuum")
      guard !changed.values.isEmpty else { return }
      // A role's time-out is meant for questions. Behind a pooler the session is not this run's own: what is
      // set there would be somebody else's next.
      if try database.isDirect() {
        try database.run("set statement_timeout = 0", step: "vacuum")
      }
      for table in changed.values.compactMap({ $0[0] }) {
        // What somebody else is vacuuming or changing is not waited for.
        try database.run("vacuum (skip_locked) tieout.\(table)", step: "vacuum")
      }
    } catch {
      logger.notice("The tables could not be vacuumed; the next night may take longer: \(error)")
    }
  }
}
