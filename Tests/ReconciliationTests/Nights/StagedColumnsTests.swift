import Foundation
import NightRun
import Oracle
import PostgreSQL
import ReconciliationSQL
import ReconciliationTestSupport
import Runs
import Testing

@Suite("Rows are stored in the right columns")
struct StagedColumnsTests {
  @Test("the order of the columns of the staging tables does not matter")
  func anyOrder() throws {
    let input = RandomNight(seed: 4711, accounts: 20).input
    let usual = try TestNight()
    let turned = try TestNight()
    _ = try RunHistory(database: turned.database.connectionString).newest(1)
    try turned.database.connect().run(
      """
      do $$
      declare
          staging record;
      begin
          for staging in
              select
                  pg_attribute.attrelid::regclass::text as name,
                  string_agg(
                      format(
                          '%I %s %s',
                          pg_attribute.attname,
                          format_type(pg_attribute.atttypid, pg_attribute.atttypmod),
                          case when pg_attribute.attcollation = '"C"'::regcollation then 'collate "C"' end
                      ),
                      ', '
                      order by pg_attribute.attnum desc
                  ) as columns
              from pg_attribute
              inner join pg_class on pg_attribute.attrelid = pg_class.oid
              where
                  pg_class.relnamespace = 'tieout'::regnamespace
                  and pg_class.relname like 'staging%'
                  and pg_attribute.attnum > 0
              group by pg_attribute.attrelid
          loop
              execute format('drop table %s cascade', staging.name);
              execute format('create unlogged table %s (%s)', staging.name, staging.columns);
          end loop;
      end
      $$
      """, step: "turn")
    // The views of these tables, which now have the turned order too.
    let views = SQLFile.schemaStaging.text.split(separator: "\n\n")
      .filter { $0.contains("create view") }
    try #require(views.count == 2)
    try turned.database.connect().run(
      "set search_path = tieout;\n" + views.joined(separator: "\n"), step: "turn")
    try usual.run(input, files: 2, seed: 1)
    try turned.run(input, files: 2, seed: 1)
    let wanted = try usual.database.digests()
    // These two tables describe files, which are split and named at random.
    let ofFiles: Set = ["document", "input_file"]
    for (table, digest) in try turned.database.digests() where !ofFiles.contains(table) {
      #expect(wanted[table] == digest, "\(table)")
    }
  }

  @Test("the order of the columns of the carried tables does not matter")
  func carried() throws {
    let input = RandomNight(seed: 4712, accounts: 20).input
    let usual = try TestNight()
    let turned = try TestNight()
    _ = try RunHistory(database: turned.database.connectionString).newest(1)
    // One column that is compared and one that counts become the last ones.
    try turned.database.connect().run(
      """
      alter table tieout.carried_missing_delivery drop column transaction_id cascade;
      alter table tieout.carried_missing_delivery add column transaction_id text collate "C" not null;
      alter table tieout.carried_term drop column entries;
      alter table tieout.carried_term add column entries bigint not null
      """, step: "turn")
    for night in [usual, turned] {
      try night.run(input, files: 1, seed: 1)
      var later = input
      later.asOf += 86_400
      try night.run(later, files: 2, seed: 2)
    }
    for report in ["missing_deliveries.csv", "liabilities.csv"] {
      #expect(try turned.report(report) == usual.report(report), "\(report)")
    }
    #expect(try turned.recompute().corrections == 0)
  }

  @Test("a night names a carried table that has no primary key")
  func withoutKey() throws {
    let night = try TestNight()
    _ = try RunHistory(database: night.database.connectionString).newest(1)
    try night.database.connect().run(
      "alter table tieout.carried_due drop constraint carried_due_pkey", step: "drop")
    #expect {
      try night.run(asOf: "2026-11-20 03:00")
    } throws: { error in
      (error as? ReconciliationError)?.code == .schema && "\(error)".contains("carried_due")
    }
  }
}
