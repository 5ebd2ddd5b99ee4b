package import PostgreSQL
import ReconciliationSQL

/// The tables and views of the database.
package enum Schema {
  /// The version of all tables together.
  ///
  /// Raise it with every change in sql/schema/: the program does not change tables or functions that another build has
  /// made. Builds before the first release had versions below 100.
  package static let version = 133

  /// Begins a transaction of a run at a fixed isolation level.
  ///
  /// The default of a server or role can be stricter. Only one run works at a time, so a stricter
  /// level would not improve the result, but would add serialization failures.
  package static let begin = "begin isolation level read committed"

  /// The settings of every transaction of a run.
  ///
  /// They replace the settings of the server or role. The search path contains no schema in which
  /// others may create functions and operators, such as `public`. A function there that fits a call
  /// exactly would be called instead of PostgreSQL's own.
  ///
  /// Row-level security must not hide rows: a night would judge the remaining rows as if they were
  /// all. With `row_security` off, an SQL statement fails if a policy applies to it.
  ///
  /// The settings `citus.…` are for a cluster; on another server they have no effect. In the mode
  /// `sequential` the coordinator uses one connection to each worker, so every SQL statement sees
  /// what earlier ones wrote.
  ///
  /// The last statement returns whether the large tables are on the workers: `true` or `false`.
  package static let transactionSettings = """
    set local citus.propagate_set_commands = 'local';
    set local citus.multi_shard_modify_mode = 'sequential';
    set local citus.allow_nested_distributed_execution = on;
    set local search_path = tieout, pg_catalog;
    set local row_security = off;
    set local timezone = 'UTC';
    set local datestyle = 'ISO, YMD';
    set local intervalstyle = 'postgres';
    set local bytea_output = 'hex';
    set local standard_conforming_strings = on;
    set local array_nulls = on;
    set local quote_all_identifiers = off;
    \(LockHolders.limit);
    set local statement_timeout = 0;
    -- PostgreSQL 17 and newer.
    select set_config('transaction_timeout', '0', true)
    where current_setting('transaction_timeout', true) is not null;
    set local idle_in_transaction_session_timeout = 0;
    -- Reports are published after the commit, so a crash of the server must not lose it. `local`
    -- and `remote_apply` stay.
    select set_config('synchronous_commit', 'on', true) where current_setting('synchronous_commit') = 'off';
    -- A cluster notices by a trigger that a table of it is emptied.
    select set_config(
        'tieout.is_distributed',
        exists (
            select
            from pg_trigger
            inner join pg_proc on pg_trigger.tgfoid = pg_proc.oid
            where
                pg_trigger.tgrelid = to_regclass('tieout.stored_evidence')
                and pg_proc.proname = 'citus_truncate_trigger'
        )::text,
        true
    )
    """

  /// The settings for judging, which hold only in the run's transaction.
  ///
  /// The large joins use text keys of new relations. Hashing these keys is faster than sorting
  /// them. The planner knows little about a query's inner relations, and would sometimes sort.
  ///
  /// A hash table may take twice `work_mem`. `work_mem` is 256 MB, or a smaller sixteenth of the
  /// server's `effective_cache_size`, and at least 16 MB.
  package static let judgingSettings = """
    select set_config(
        'work_mem',
        greatest(
            16384, least(262144, pg_size_bytes(current_setting('effective_cache_size')) / 16384)
        ) || 'kB',
        true
    );
    set local enable_mergejoin = off;
    set local jit = off;
    set local max_parallel_workers_per_gather = 0
    """

  /// Creates what is missing, and refuses a schema that an older or newer build has made.
  ///
  /// - Throws: ``ReconciliationError`` with `schema` for a database or server that cannot be used.
  package static func bringUpToDate(_ database: Connection) throws {
    if try isUpToDate(database) { return }
    try database.inTransaction {
      // Two commands can find an empty database: the second waits until the first has made the
      // tables.
      try database.run(
        "select pg_advisory_xact_lock($1::bigint)", [RunLock.schemaKey], step: "schema")
      try requireUsable(database)
      try requireOwnership(database)
      try becomeOwner(database)
      let isNew = try !hasTables(database)
      if isNew {
        for file in SQLFile.schema { try database.run(file) }
        try database.run(
          "insert into schema_version (version) values ($1)", ["\(version)"], step: "schema")
      } else {
        let made = try database.run("select max(version) from schema_version", step: "schema")
        try requireSameVersion(made.first.flatMap { Int($0) } ?? 0)
      }
      try createViews(database, isNew: isNew)
    }
  }

  /// Whether the schema is current, as on almost all days.
  ///
  /// It takes two queries, and no lock for which a night would wait.
  private static func isUpToDate(_ database: Connection) throws -> Bool {
    let isKnown = """
      select
          current_setting('server_encoding') = 'UTF8'
          and to_regclass('tieout.schema_version') is not null
          and to_regclass('tieout.view_version') is not null
      """
    guard database.serverVersion >= oldestServer * 10_000,
      try database.run(isKnown, step: "schema").isTrue
    else { return false }
    // Older builds have another column, and are refused by their version.
    let made = try database.alone(
      """
      select
          (select max(version) from tieout.schema_version) as version,
          to_jsonb(view_version) ->> 'fingerprint' as views
      from tieout.view_version
      """, step: "schema"
    ).records.first
    return made?["version"] == "\(version)" && made?["views"] == viewFingerprint
  }

  /// Refuses tables of another version.
  ///
  /// There are no SQL statements that upgrade tables. Instead, the tables can be built again: the
  /// input files contain almost everything that the tables contain.
  private static func requireSameVersion(_ made: Int) throws {
    if made > version {
      throw ReconciliationError(
        .schema,
        """
        The database has schema version \(made); this program knows \(version). \
        A newer tieout has used it: use that one.
        """)
    }
    if made < version {
      throw ReconciliationError(
        .schema,
        """
        An older build of tieout made this database (schema version \(made), and this build needs \
        \(version)). Nothing has changed. Build it again from its files: 1. Save what only the database \
        contains: acknowledgements made by command, withdrawals, and the history of runs, findings and \
        periods. \
        docs/operating.md, "A database of an older build", shows how, also for forgotten names. \
        2. tieout psql -- -c 'drop schema tieout cascade' (or name an empty database with --database). \
        3. Put archived files back into the inbox. 4. Repeat every tieout withdraw. 5. tieout run. \
        6. Repeat every tieout forget.
        """)
    }
  }

  /// Refuses a role that may not change the tables, where they have to be changed.
  ///
  /// The role of the nightly run may not change them. The server's own error would name only the
  /// first table.
  private static func requireOwnership(_ database: Connection) throws {
    let owner = try database.run(
      """
      select
          pg_get_userbyid(nspowner) as owner,
          current_user as person
      from pg_namespace
      where nspname = 'tieout' and not pg_has_role(nspowner, 'usage')
      """, step: "schema")
    guard let row = owner.records.first, let name = row["owner"], let user = row["person"] else {
      return
    }
    throw ReconciliationError(
      .schema,
      """
      Another version of the program created the tables, and the role \(user) may not change them. Nothing \
      changed. Run this command once as their owner: tieout runs --database 'user=\(name) …'.
      """)
  }

  /// Takes the role of the schema's owner until the transaction ends.
  ///
  /// What a superuser or a member of the owner creates would otherwise belong to that role, and the
  /// owner could not use it.
  private static func becomeOwner(_ database: Connection) throws {
    try database.run(
      """
      select set_config('role', pg_get_userbyid(nspowner), true)
      from pg_namespace
      where nspname = 'tieout' and pg_get_userbyid(nspowner) <> current_user
      """, step: "schema")
  }

  /// Refuses a server on which the run would fail later.
  ///
  /// The server's version can be too old for the SQL statements, or its encoding can lack
  /// characters of the customers' files.
  private static func requireUsable(_ database: Connection) throws {
    guard database.serverVersion >= oldestServer * 10_000 else {
      throw ReconciliationError(
        .schema,
        """
        The server is PostgreSQL \(database.serverVersion / 10_000), and Tieout needs \
        \(oldestServer) or newer. Name another one with --database.
        """)
    }
    let encoding = try database.run("show server_encoding", step: "schema").first ?? "unknown"
    guard encoding == "UTF8" else {
      throw ReconciliationError(
        .schema,
        """
        The database's encoding is \(encoding), and Tieout needs UTF8. Make another one: \
        create database tieout encoding 'UTF8' template template0.
        """)
    }
  }

  private static let oldestServer = 15

  /// Whether the schema has its tables; creates the schema if it is missing.
  ///
  /// PostgreSQL requires the right to create even for `if not exists`. A role that only reads, or
  /// whose schema another role has made, does not have it.
  private static func hasTables(_ database: Connection) throws -> Bool {
    let isThere = "select to_regnamespace('tieout') is not null"
    if try !database.run(isThere, step: "schema").isTrue {
      try database.run("create schema if not exists tieout", step: "schema")
    }
    let isKnown = "select to_regclass('tieout.schema_version') is not null"
    return try database.run(isKnown, step: "schema").isTrue
  }

  /// The SQL commands that create the views, in the order of `SQLFile.views`.
  private static let viewCommands = SQLFile.views.enumerated().map { index, file in
    let text = viewText(of: file, reading: SQLFile.views[..<index].map(\.subject))
    return "create view \(file.subject) as\n\(text)"
  }

  private static let viewFingerprint = TextFingerprint.of(
    viewCommands + [SQLFile.rolesGrant.text])

  /// Creates the views of judge/, which people use in psql; creates them again if their text has
  /// changed.
  private static func createViews(_ database: Connection, isNew: Bool) throws {
    let made = try database.run("select fingerprint from view_version", step: "views").first
    guard isNew || made != viewFingerprint else { return }
    for file in SQLFile.views.reversed() {
      try database.run("drop view if exists \(file.subject)", step: file.name)
    }
    for (file, command) in zip(SQLFile.views, viewCommands) {
      try database.run(command, step: file.name)
    }
    // A view that was created again has lost the grants of its readers.
    try database.run(SQLFile.rolesGrant)
    try database.run(
      "delete from view_version; insert into view_version (fingerprint) values ('\(viewFingerprint)')",
      step: "views")
  }

  /// The text of a view that evaluates each view that it reads only once.
  ///
  /// PostgreSQL puts a view's text wherever the view is named. Views that name each other several
  /// times grow so fast that planning one of them takes longer than a night. A night is not
  /// affected, because the relations of judge/ are tables there.
  private static func viewText(of file: SQLFile, reading earlier: [String]) -> String {
    let words = file.text.utf8.split { $0 <= 32 || $0 == 40 || $0 == 41 }.map { Substring($0) }
    let read = zip(words, words.dropFirst()).filter { $0.0 == "from" || $0.0 == "join" }.map(\.1)
    let repeated = earlier.filter { name in read.count { $0 == name } > 1 }
    guard !repeated.isEmpty else { return file.text }
    let once = repeated.map { "\($0) as materialized (select * from \($0))" }
    return "with \(once.joined(separator: ", "))\nselect * from (\n\(file.text)\n) as judged"
  }
}
