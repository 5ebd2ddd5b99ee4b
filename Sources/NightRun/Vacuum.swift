import Logging
import PostgreSQL
import Runs

/// Vacuums the tables that a night has changed much, after its folder is published.
///
/// An index-only scan avoids the table only for pages that a vacuum has marked as all-visible.
/// Without a vacuum, the next night would read a whole table instead of the few keys that it needs.
/// A private server usually stops before its autovacuum starts.
struct Vacuum {
  let database: Connection
  let logger: Logger

  /// The percentage of changed pages above which a table is vacuumed.
  ///
  /// If fewer pages have changed, an index-only scan reads only those in the table.
  private static let part = 5

  /// The tables that grow with the number of transactions; the others stay small.
  private static let tables = [
    "lone_evidence", "differing_evidence", "merged_transaction", "stored_delivery", "document",
    "client_transaction", "finding",
  ]

  /// Vacuums the tables that need it; nothing that matters is lost if it fails.
  func pass() {
    do {
      let changed = try database.alone(
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
        """, [PostgreSQLArray.text(Self.tables), "\(Self.part)"], step: "vacuum")
      guard !changed.values.isEmpty else { return }
      // The role's timeout is meant for queries of people. Behind a pooler, another client uses the
      // session next and would get this setting, so it is left alone there.
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
