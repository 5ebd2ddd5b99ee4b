import Foundation
import PostgreSQL

extension ScratchDatabase {
  /// A digest of the content of each table, in any order of its rows.
  ///
  /// The numbers of runs and files are left out, because they depend on how often a night was
  /// tried. The tables of the runs themselves and of staged rows are left out. The locations of the
  /// inbox's files are left out, because they are the same only for the same inbox.
  package func digests() throws -> [String: String] {
    let connection = try connect()
    try connection.run("set timezone = 'UTC'; set search_path = tieout", step: "digests")
    let columns = try connection.run(
      """
      select table_name, string_agg(quote_ident(column_name), ', ' order by ordinal_position)
      from information_schema.columns
      inner join information_schema.tables using (table_schema, table_name)
      where
          table_schema = 'tieout'
          and table_type = 'BASE TABLE'
          and table_name not in (
              'run', 'run_count', 'run_step', 'journal', 'schema_version', 'view_version',
              'inbox_path'
          )
          and table_name not like 'staging%'
          -- Random, in each database another.
          and column_name <> 'salt'
          and not (data_type in ('integer', 'bigint') and column_name like '%\\_id')
      group by table_name
      """, step: "digests")
    var digests: [String: String] = [:]
    for row in columns.values {
      guard let table = row[0], let list = row[1] else { continue }
      digests[table] = try connection.run(
        """
        select count(*) || ' rows, ' || coalesce(md5(string_agg(line, ';' order by line)), '')
        from (select said::text collate "C" as line from (select \(list) from \(table)) as said) as lines
        """, step: table
      ).first
    }
    return digests
  }
}
