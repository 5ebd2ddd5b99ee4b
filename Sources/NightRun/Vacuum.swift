import Logging
import PostgreSQL

/// Vacuums the tables that a night has changed much, after its folder is published.
///
/// Only a vacuumed table can be read by an index-only scan. Without a vacuum, the next night would
/// read a whole table instead of the few keys that it needs. A private server stops before its
/// autovacuum starts.
struct Vacuum {
  let database: Connection
  let logger: Logger

  /// The percentage of changed pages above which a table is vacuumed.
  ///
  /// Fewer changed pages are read from the table in addition to the index.
  private static let part = 5

  /// The large tables; the others fit into memory.
  private static let tables = [
    "lone_evidence", "differing_evidence", "merged_transaction", "stored_delivery", "document",
    "client_transaction", "finding",
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
            -- A table of at most 8 MB is always read whole.
            and pg_relation_size(oid) > 1024::bigint * current_setting('block_size')::bigint
            -- Integers of one type, so that no operator of another schema matches better than
            -- PostgreSQL's own.
            and pg_relation_size(oid) / current_setting('block_size')::bigint
            * (100 - $2::integer)::bigint > relallvisible::bigint * 100::bigint
        order by relname
        """, ["{\(Self.tables.joined(separator: ","))}", "\(Self.part)"], step: "vacuum")
      guard !changed.values.isEmpty else { return }
      // A role's timeout is meant for questions. Behind a pooler another client uses the
      // session next, and it would get this setting.
      if try database.isDirect() {
        try database.run("set statement_timeout = 0", step: "vacuum")
      }
      for table in changed.records.compactMap({ $0["relname"] }) {
        // Skips a table that another session vacuums or changes, instead of waiting for it.
        try database.run("vacuum (skip_locked) tieout.\(table)", step: "vacuum")
      }
    } catch {
      logger.notice("The tables could not be vacuumed; the next night may take longer: \(error)")
    }
  }
}
