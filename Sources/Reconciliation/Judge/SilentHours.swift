import PostgreSQL
import ReconciliationSQL

/// Which hours of which source are silent, on a night that judges a part of all.
///
/// An hour is measured by the fourteen days before it. So a night looks at the hours that it makes whole,
/// those in which it changes what was sent, and those that are measured by them; of all others the
/// night before knows. What is missing and cannot be known for silence follows, wherever it is.
struct SilentHours {
  let database: Connection

  /// Shows the silent hours as the last night left them.
  ///
  /// - Parameter name: The relation of judge/ that was made last.
  func asTheyStood(after name: String) throws {
    switch name {
    case "source_hour":
      // What was sent is looked at when all of it is known.
      try show("source_hour", as: "select * from carried_source_hour where false")
    case "silent_hour":
      try database.run("drop table pg_temp.silent_hour", step: name)
      try showWhole()
    default: break
    }
  }

  /// Judges the hours that tonight can change, and shows all as they stand.
  ///
  /// - Parameter name: The relation of judge/ that was made last.
  func asTheyStand(after name: String) throws {
    switch name {
    case "source_hour":
      // By key, however large the history.
      try database.run("set local enable_hashjoin = off", step: name)
      try database.run(SQLFile.reachedSilentHour.text, step: SQLFile.reachedSilentHour.name)
      try database.run("set local enable_hashjoin = on", step: name)
      try show("source_hour", as: "select * from near_source_hour")
    case "silent_hour":
      try change()
      try showWhole()
    default: break
    }
  }

  /// Lets the reasons of what is missing follow, wherever it is.
  func follow() throws -> Rows {
    let step = SQLFile.reachedSilence.name
    try database.run(
      """
      create temporary table changed_instant on commit drop as
      select part.occurred_at
      from difference_log_instant as part
      left join log_instant on part.occurred_at = log_instant.occurred_at
      where log_instant.attempts is null or log_instant.attempts = part.attempts;
      create index on changed_instant (occurred_at);
      analyze changed_instant;
      create temporary table changed_source_product on commit drop as
      select part.product_id, part.day
      from difference_source_product as part
      left join source_product
          on part.product_id = source_product.product_id
          and part.day = source_product.day
          and part.server = source_product.server
      where source_product.attempts is null or source_product.attempts = part.attempts;
      create index on changed_source_product (product_id, day);
      analyze changed_source_product;
      create temporary table unheard_missing on commit drop as
      with obligation as (
          select *, 'server' as delivery, false as is_delivered, false as is_refunded
          from carried_missing_delivery
          where reason in ('never_attempted', 'no_records')
      )
      select environment, obligation_key
      from (
      \(SQLFile.judgeUnheard.text)
      ) as unheard;
      analyze unheard_missing
      """, step: step)
    return try database.run(SQLFile.reachedSilence.text, step: step)
  }

  /// Takes out what is silent no longer and puts in what has fallen silent.
  ///
  /// Of an hour that is no candidate not all is known here: what was judged of it is left aside.
  private func change() throws {
    try database.run(
      """
      alter table pg_temp.silent_hour rename to near_silent_hour;
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
      """, step: "silent_hour")
  }

  private func showWhole() throws {
    try database.run(
      "create temporary view silent_hour as select * from carried_silent_hour", step: "silent_hour")
    try show("source_hour", as: "select * from carried_source_hour")
  }

  private func show(_ relation: String, as query: String) throws {
    try database.run(
      "create or replace temporary view \(relation) as \(query)", step: relation)
  }
}
