package import PostgreSQL

/// A digest of the content of each table, in any order of its rows.
///
/// The numbers of runs and files are left out, because they depend on how often a night was tried.
/// The tables of the runs themselves and of staged rows are left out, too.
package struct TableDigests {
  private let query: String

  /// Finds the tables and their columns.
  ///
  /// - Parameters:
  ///   - tables: More tables that are left out.
  ///   - columns: An SQL condition; the columns that meet it are left out.
  ///   - pattern: A regular expression for parts of rows that are left out.
  package init(
    _ connection: Connection, leavingOut tables: [String], columns: String = "false",
    pattern: String? = nil
  ) throws {
    let found = try connection.run(
      """
      select table_name, string_agg(quote_ident(column_name), ', ' order by ordinal_position)
      from information_schema.columns
      inner join information_schema.tables using (table_schema, table_name)
      where
          table_schema = 'tieout'
          and table_type = 'BASE TABLE'
          and table_name not in (
              'run', 'run_count', 'run_step', 'journal', 'schema_version', 'view_version'
          )
          and table_name::text <> all($1::text[])
          and table_name not like 'staging%'
          -- Random, in each database another.
          and column_name <> 'salt'
          and not (data_type in ('integer', 'bigint') and column_name like '%\\_id')
          and not (\(columns))
      group by table_name
      """, [PostgreSQLArray.text(tables)], step: "digests")
    let line = pattern.map { "regexp_replace(said::text, '\($0)', '.', 'g')" } ?? "said::text"
    let digests = found.values.compactMap { row -> String? in
      guard let table = row[0], let list = row[1] else { return nil }
      return """
        select '\(table)', count(*) || ' rows, ' || coalesce(md5(string_agg(line, ';' order by line)), '')
        from (
            select \(line) collate "C" as line
            from (select \(list) from tieout.\(table)) as said
        ) as lines
        """
    }
    query = "set timezone = 'UTC';\n" + digests.joined(separator: "\nunion all\n")
  }

  /// The digest of each table; empty if the tables do not exist.
  package func read(_ connection: Connection) throws -> [String: String] {
    let table = try connection.run("select to_regclass('tieout.run')", step: "digests").first
    guard table != nil else { return [:] }
    let rows = try connection.run(query, step: "digests")
    return Dictionary(uniqueKeysWithValues: rows.values.map { ($0[0] ?? "", $0[1] ?? "") })
  }
}

/// A database without the program's tables was compared.
package struct NoTables: Error {}

extension ScratchDatabase {
  /// The digest of each table.
  ///
  /// The locations of the inbox's files are left out, because they are the same only for the same
  /// inbox.
  ///
  /// - Throws: `PostgreSQLError`; ``NoTables``, because two empty databases would be equal.
  package func digests() throws -> [String: String] {
    let connection = try connect()
    let digests = try TableDigests(connection, leavingOut: ["inbox_path"]).read(connection)
    guard !digests.isEmpty else { throw NoTables() }
    return digests
  }
}
