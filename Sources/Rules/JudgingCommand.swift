import PostgreSQL

/// An SQL command around the queries of sql/: settings of the transaction, temporary tables and
/// views, and the update of carried tables.
///
/// The queries themselves are in sql/. All commands are in this enumeration, so that the
/// fingerprint of ``JudgingProgram`` covers them. A word in braces is replaced when the command
/// runs.
enum JudgingCommand: String, CaseIterable {
  // Values that queries read.
  case setSample = "select set_config('tieout.chains_per_sample', $1, true)"
  case setRules = "select set_config('tieout.rules', $1, true)"

  // Settings for joins on the server.
  // The large tables' indexes are in memory, and a lookup takes as long as reading six to twelve rows. With the usual
  // costs the planner expects thirty-five, and reads the history instead of looking up tonight's keys.
  case lookUpCheaply = """
    set local random_page_cost = 0.1;
    set local cpu_operator_cost = 0.0005
    """
  case lookUpAsUsual = """
    set local random_page_cost to default;
    set local cpu_operator_cost to default
    """
  case joinByHash = """
    set local enable_hashjoin = on;
    set local enable_memoize = on;
    set local enable_material = on
    """
  // If one chain has most rows of the history, the planner expects that many rows from each lookup. It would then read
  // the whole history, and compare each record with a stored copy of all names. The keys are all different, so it is
  // useless to remember results.
  case joinByKey = """
    set local enable_hashjoin = off;
    set local enable_memoize = off;
    set local enable_material = off
    """

  // Temporary tables and views of the night.
  case makeTable = "create temporary table {table} on commit drop as\n{query}"
  // Makes only the columns; the query is not run.
  case makeEmptyTable = "create temporary table {table} on commit drop as\n{query}\nwith no data"
  case makeView = "create or replace temporary view {view} as\n{query}"
  case renameTable = "alter table pg_temp.{table} rename to {name}"
  case dropTables = "drop table if exists {names}"
  case dropViews = "drop view if exists {names}"
  case indexTable = "create index on pg_temp.{table} ({columns})"
  // Almost all sales are those of matched chains. They have no family key, so they are not indexed.
  case indexSales = "create index on pg_temp.sale (family_key) where family_key is not null"
  case analyze = "analyze pg_temp.{table} {columns}"
  case rows = "select * from {table}"
  case noRows = "select * from {table} where false"
  case countRows = "select count(*) from {table}"
  // The query is a common table expression of the text.
  case withQuery = "with {name} as (\n{query}\n)\n{text}"
  case subquery = "select * from (\n{query}\n) as given"

  // Relations that are carried forward.
  case hideCarried =
    "create temporary table {table} (like tieout.{table} including all) on commit drop"
  case empty = "delete from {table}"
  // The columns of the key in its order, and then the others.
  case columnsOfCarried = """
    select
        pg_class.relname as table_name,
        quote_ident(pg_attribute.attname) as column_name,
        pg_attribute.attnum = any(pg_constraint.conkey) as is_key
    from pg_constraint
    inner join pg_class on pg_constraint.conrelid = pg_class.oid
    inner join pg_attribute on pg_constraint.conrelid = pg_attribute.attrelid
    where
        pg_constraint.contype = 'p'
        and pg_class.relnamespace = 'tieout'::regnamespace
        and starts_with(pg_class.relname, 'carried_')
        and pg_attribute.attnum > 0
        and not pg_attribute.attisdropped
    order by array_position(pg_constraint.conkey, pg_attribute.attnum), pg_attribute.attnum
    """
  case isCarriedEmpty = "select not exists (select from {table})"
  // In the order of the key, so that the index of the key grows at one end.
  case fillCarried =
    "insert into {table} ({columns}) select {columns} from {relation} as fresh order by {keys}"
  case fillCarriedUnsorted =
    "insert into {table} ({columns}) select {columns} from {relation} as fresh"
  // The table is empty. It keeps its key if another session reads it, if its owner is another role,
  // or if it is the temporary table of a past day.
  case dropKey = """
    do $$
    begin
        if to_regclass('{table}') <> 'tieout.{table}'::regclass then
            return;
        end if;
        lock table tieout.{table} in access exclusive mode nowait;
        truncate tieout.{table};
        alter table tieout.{table} drop constraint {table}_pkey;
    exception
        when lock_not_available or insufficient_privilege then return;
    end
    $$
    """
  case hasKey = """
    select exists (select from pg_constraint where conrelid = '{table}'::regclass and contype = 'p')
    """
  case addKey = "alter table tieout.{table} add constraint {table}_pkey primary key ({keys})"
  case analyzeCarried = "analyze {table}"
  // PostgreSQL runs a full join as a hash or merge join, so it reads both sides once. A nested loop
  // would read all pairs of rows.
  case makeChanged = """
    create temporary table {changed} on commit drop as
    select side.*
    from {before} as part
    full join {after} as other using ({keys})
    cross join lateral (values (true, {befores}), (false, {afters})) as side (is_before, {columns})
    where (part.{key} is null or other.{key} is null{differs}) and side.{key} is not null
    """
  case removeChanged = """
    delete from {table} as carried using {changed} as gone where gone.is_before and {same}
    """
  // In the order of the key, as above.
  case insertChanged = """
    insert into {table} ({columns}) select {columns} from {changed} where not is_before order by {keys}
    """
  case difference = """
    select {keys}, {totals}
    from (
        select {keys}, {sums} from {after} as after
        union all
        select {keys}, {negatives} from {before}
    ) as part
    group by {keys}
    having {changes}
    """
  // A row has at least one part, so only a negative number of parts can empty it.
  case addSums = """
    with emptied as (
        delete from {table} as carried using {difference} as part
        where part.{count} < 0 and {same} and carried.{count} + part.{count} = 0
        returning {emptied}
    )
    insert into {table} as carried ({keys}, {sums})
    select {keys}, {sums}
    from {difference} as part
    where not exists (select from emptied where {gone})
    on conflict ({keys}) do update set {additions}
    """
  /// The command, with each word in braces replaced by its value.
  func text(_ words: [String: String]) -> String {
    var text = ""
    var rest = rawValue[...]
    while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")),
      let close = rest[open...].utf8.firstIndex(of: UInt8(ascii: "}"))
    {
      let next = rest.utf8.index(after: close)
      text += rest[..<open]
      text += words[String(rest[open..<next].dropFirst().dropLast())] ?? String(rest[open..<next])
      rest = rest[next...]
    }
    return text + rest
  }
}

extension Connection {
  /// Runs an SQL command of ``JudgingCommand``.
  ///
  /// - Parameters:
  ///   - words: The values that replace the words in braces.
  ///   - parameters: The parameters; nil for a text without parameters, which may contain several
  ///     commands.
  @discardableResult
  func run(
    _ command: JudgingCommand, _ words: [String: String] = [:],
    with parameters: [String?]? = nil, step: String
  ) throws(PostgreSQLError) -> Rows {
    let text = command.text(words)
    guard let parameters else { return try run(text, step: step) }
    return try run(text, parameters, step: step)
  }

  /// Gives the planner statistics of a temporary table.
  ///
  /// - Parameter columns: The columns in parentheses; without them, all columns.
  func analyze(_ table: String, columns: String = "", step: String) throws(PostgreSQLError) {
    try run(.analyze, ["table": table, "columns": columns], step: step)
  }

  /// Drops temporary tables; a missing one is no error.
  func drop(tables: [String], step: String) throws(PostgreSQLError) {
    try drop(.dropTables, tables, step: step)
  }

  /// Drops temporary views; a missing one is no error.
  func drop(views: [String], step: String) throws(PostgreSQLError) {
    try drop(.dropViews, views, step: step)
  }

  private func drop(
    _ command: JudgingCommand, _ names: [String], step: String
  ) throws(PostgreSQLError) {
    guard !names.isEmpty else { return }
    let names = names.map { "pg_temp.\($0)" }.joined(separator: ", ")
    try run(command, ["names": names], step: step)
  }
}
