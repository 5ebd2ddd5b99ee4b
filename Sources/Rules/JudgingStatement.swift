import PostgreSQL

/// An SQL statement with which a night judges or carries forward, and that is not a file of sql/.
///
/// All of them are in this enumeration, so that ``JudgingProgram`` notices when one of them
/// changes. A word in braces is replaced when the SQL statement runs.
enum JudgingStatement: String, CaseIterable {
  // The night that is judged.
  case setNight = "select set_config('tieout.run_id', $1, true)"
  case comparableNight = """
    select judged.run_id, earlier.as_of = tonight.as_of
    from judged
    inner join run as earlier on judged.run_id = earlier.run_id
    inner join run as tonight on tonight.run_id = $1::bigint
    where
        judged.statements = $2
        and earlier.as_of <= tonight.as_of
        and settings_of_judgement(earlier.settings) = settings_of_judgement(tonight.settings)
    """
  case revenueSince = "select revenue_since from night"
  case premises = """
    select
        (select begin_at from books),
        exists (select from product),
        exists (select from apple_report)
    """
  case hasPublished = "select exists (select from published_month)"
  case noteJudged = """
    insert into judged (run_id, statements) values ($1::bigint, $2)
    on conflict (is_the_only_one) do update
        set run_id = excluded.run_id, statements = excluded.statements
    """
  case forgetJudged = """
    delete from judged
    using run as earlier, run as tonight
    where
        judged.run_id = earlier.run_id
        and tonight.run_id = $1::bigint
        and (
            tonight.settings -> 'trust' is distinct from earlier.settings -> 'trust'
            or exists (select from input_file where input_file.run_id = tonight.run_id)
        )
    """

  // Settings for joins on the server.
  case lookUpCheaply = "set local random_page_cost = 0.1"
  case lookUpAsUsual = "set local random_page_cost to default"
  // A quarter of the usual sample: keys are all different, and flags have few values.
  case sampleFewRows = "set local default_statistics_target = 25"
  case sampleAsUsual = "set local default_statistics_target to default"
  case joinByHash = "set local enable_hashjoin = on"
  case joinByKey = "set local enable_hashjoin = off"

  // Temporary tables and views of the night.
  case makeTable = "create temporary table {table} on commit drop as\n{query}"
  // Only the columns: the query is not planned.
  case makeEmptyTable = "create temporary table {table} on commit drop as\n{query}\nwith no data"
  case makeView = "create or replace temporary view {view} as\n{query}"
  case renameTable = "alter table pg_temp.{table} rename to {name}"
  case dropTables = "drop table if exists {names}"
  case dropViews = "drop view if exists {names}"
  case indexTable = "create index on pg_temp.{table} ({columns})"
  case analyze = "analyze pg_temp.{table} {columns}"
  case whole = "select * from tieout.carried_{relation}"
  case nothing = "select * from tieout.carried_{relation} where false"
  case nearSourceHours = "select * from near_source_hour"

  // How much of the ledger is affected; below 200 records statistics cost more than they save.
  case affectedSize = """
    select
        case
            when sum(records) = 0 then 'nothing'
            when sum(records) < 200 then 'little'
            else 'much'
        end
    from (
        select count(*) as records from store_transaction
        union all
        select count(*) from delivery_record
        union all
        select count(*) from client_transaction
        union all
        select count(*) from client_invalid_product
    ) as affected
    """

  // Chains that match.
  case hasTransactions =
    "select exists (select from store_transaction offset $1::bigint)"
  case setSample = "select set_config('tieout.chains_per_sample', $1, true)"
  case hasFewExceptions = """
    select
        100 * count(*) filter (where original_number in (select chain_number from exception_hint))
        <= $1::bigint * count(*)
    from matched
    """
  case noteCounts = """
    insert into run_count (run_id, section, measure, value)
    select $1::bigint, 'judged', counted.measure, counted.value
    from unnest(array['matched', 'by_rules', 'sampled_chains'], $2::bigint[]) as counted (measure, value)
    """

  // Findings.
  case makeFound = """
    create temporary table found (
        rule text collate "C" not null, level text collate "C" not null,
        environment text collate "C" not null, key finding_key not null,
        subject text collate "C" not null,
        subject_hash bytea not null generated always as (text_hash(subject)) stored,
        reason text collate "C", detail text not null, family_key text collate "C",
        amount numeric, currency text collate "C"
    ) on commit drop
    """
  // With `offset 0` the planner computes the key once, not once for each field of the subject.
  case applyRule = """
    insert into found (rule, level, environment, key, subject, reason, detail, family_key)
    select distinct on (environment, subject)
        '{rule}', level, environment, key, subject, reason, coalesce(detail, ''), family_key
    from (
        select
            judged.level, judged.environment, given.key, finding_subject(given.key) as subject,
            judged.reason, judged.detail, given.family_key
        from (
        {query}
        ) as judged
        cross join lateral (
            select
                jsonb_populate_record(null::finding_key, to_jsonb(judged)) as key,
                to_jsonb(judged) ->> 'family_key' as family_key
            offset 0
        ) as given
        offset 0
    ) as keyed
    order by environment, subject, reason, detail, family_key
    """
  case priceFound = """
    update found
    set amount = sale.amount, currency = sale.currency
    from sale
    where
        found.environment = sale.environment
        and found.family_key = sale.family_key
        and sale.amount is not null
    """
  case foundBeforeLoad =
    "select rule, environment, subject_hash from found"
  case openFindings =
    "select rule, environment, subject_hash from finding where status <> 'resolved'"
  case addOpenFindings = """
    insert into found_before (rule, environment, subject_hash)
    select rule, environment, subject_hash
    from finding
    where status <> 'resolved' and rule = any($1::text[])
    """
  case sums = """
    select
        (select count(*) from member),
        (select coalesce(sum(restored_transactions), 0) + count(*) filter (where is_completed)
         from family),
        (select count(*) from delivery),
        (select count(*) from attempt),
        (select count(*) from found),
        (select count(*) from (select distinct rule, environment, subject from found) as one),
        (select value from compared where section = 'obligation' and measure = 'due'),
        (
            select sum(value)
            from compared
            where section = 'obligation' and measure in ('delivered', 'missing', 'uncertain')
        ),
        (
            select coalesce(sum(value), 0)
            from carried_total
            where section = 'families' and measure = 'completed'
        ),
        (
            select coalesce(sum(value), 0)
            from carried_total
            where section = 'families' and measure = 'judged'
        )
    """

  // Relations that are carried forward.
  case hideCarried =
    "create temporary table {table} (like tieout.{table} including all) on commit drop"
  case forgetClosest = "delete from carried_closest; delete from carried_listed"
  case columnsOfCarried = """
    select quote_ident(attname)
    from pg_attribute
    where attrelid = ('tieout.' || $1)::regclass and attnum > 0 and not attisdropped
    order by attnum
    """
  case isCarriedEmpty = "select not exists (select from {table})"
  // In the order of the key, so that the index of the key grows at one end.
  case fillCarried =
    "insert into {table} ({columns}) select {columns} from {relation} as fresh order by {keys}"
  case fillCarriedUnsorted =
    "insert into {table} ({columns}) select {columns} from {relation} as fresh"
  // The table is empty. If another session reads it, or its owner is another role, it keeps its key. A temporary table
  // of a past day keeps it too.
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
  // A full join compares both sides once, and cannot be a loop. The rows that come wait for the
  // number of those that are gone, because they may have the same keys.
  case exchangeRows = """
    with unequal as materialized (
        select {keys}, {others}other.{key} is not null as is_there
        from {before} as part
        full join {after} as other using ({keys})
        where part.{key} is null or other.{key} is null{differs}
    ),
    gone as (
        delete from {table} as carried using unequal as gone
        where {same}
        returning 1
    ),
    come as (
        insert into {table} ({columns})
        select {columns} from unequal where is_there and (select count(*) from gone) >= 0
        returning 1
    )
    select (select count(*) from gone) + (select count(*) from come) as rows
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
  case keptDifference = "select * from {table}"
  case addSums = """
    with difference as materialized (
    {difference}
    ),
    emptied as (
        delete from {table} as carried using difference as part
        where {same} and carried.{count} + part.{count} = 0
        returning {emptied}
    )
    insert into {table} as carried ({keys}, {sums})
    select {keys}, {sums}
    from difference as part
    where not exists (select from emptied where {gone})
    on conflict ({keys}) do update set {additions}
    """
  case dropPast = """
    delete from carried_revenue where day < (select revenue_since from night);
    delete from carried_served where due_hour < (select causes_since from night);
    with fallen_due as (
        delete from carried_total
        where due_at > '-infinity' and due_at <= (select as_of from night)
        returning section, measure, value
    )
    insert into carried_total (section, measure, due_at, value)
    select section, measure, '-infinity', sum(value)
    from fallen_due
    group by section, measure
    on conflict (section, measure, due_at) do update
    set value = carried_total.value + excluded.value
    """

  // Silent hours.
  case changedSilentHours = """
    create temporary table changed_silent_hour on commit drop as
    select candidate.server, candidate.hour, near.server is not null as is_silent
    from candidate_hour as candidate
    left join near_silent_hour as near
        on candidate.server = near.server and candidate.hour = near.hour
    left join carried_silent_hour as carried
        on candidate.server = carried.server and candidate.hour = carried.hour
    where (near.server is null) <> (carried.server is null);
    create index on changed_silent_hour (hour);
    analyze changed_silent_hour;
    delete from carried_silent_hour as carried using changed_silent_hour as changed
    where
        not changed.is_silent
        and carried.server = changed.server
        and carried.hour = changed.hour;
    insert into carried_silent_hour (server, hour)
    select server, hour from changed_silent_hour where is_silent
    """
  case unheardMissing = """
    create temporary table unheard_missing on commit drop as
    with obligation as (
        select *, 'server' as delivery, false as is_delivered, false as is_refunded
        from carried_missing_delivery
        where reason in ('never_attempted', 'no_records')
    )
    select environment, obligation_key
    from (
    {query}
    ) as unheard;
    analyze unheard_missing
    """

  // Affected records.
  // Of a table on other machines the server knows no size; the newest night counted its transactions.
  case transactionsAtAll = """
    select
        case
            when current_setting('tieout.is_distributed', true) = 'true'
                then (
                    select value
                    from run_count
                    where section = 'standing' and measure = 'transactions'
                    order by run_id desc
                    limit 1
                )
            else (
                select sum(reltuples)::bigint
                from pg_class
                where oid in ('tieout.lone_evidence'::regclass, 'tieout.merged_transaction'::regclass)
            )
        end
    """
  case isDistributed = "select current_setting('tieout.is_distributed', true) = 'true'"
  case countAffected = "select count(*) from {table}"

  /// The SQL statement, with each word in braces replaced by its value.
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
  /// Runs an SQL statement of ``JudgingStatement``.
  ///
  /// - Parameters:
  ///   - words: The values that replace the words in braces.
  ///   - parameters: The parameters; nil for a text without parameters, which may contain several
  ///     SQL statements.
  @discardableResult
  func run(
    _ statement: JudgingStatement, _ words: [String: String] = [:],
    with parameters: [String?]? = nil, step: String
  ) throws(PostgreSQLError) -> Rows {
    let text = statement.text(words)
    guard let parameters else { return try run(text, step: step) }
    return try run(text, parameters, step: step)
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
    _ statement: JudgingStatement, _ names: [String], step: String
  ) throws(PostgreSQLError) {
    guard !names.isEmpty else { return }
    let names = names.map { "pg_temp.\($0)" }.joined(separator: ", ")
    try run(statement, ["names": names], step: step)
  }
}
