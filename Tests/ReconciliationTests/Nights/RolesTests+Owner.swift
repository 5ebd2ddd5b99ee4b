import Foundation
import PostgreSQL
import ReconciliationTestSupport
import Runs
import TestNeeds
import Testing

extension RolesTests {
  @Test("tieout_owner owns the types that another role has made")
  func types() throws {
    let night = try TestNight()
    try night.database.connect().run(Roles.commands, step: "roles")
    #expect(
      try night.database.draw(
        """
        select distinct pg_get_userbyid(typowner) as owner
        from pg_type
        where typnamespace = 'tieout'::regnamespace
        """) == "owner\ntieout_owner")
  }

  @Test("a night fails if row-level security would hide rows from its role")
  func rowSecurity() throws {
    let night = try Self.prepared()
    let server = try night.database.connect()
    night.user = "tieout_job"
    for table in ["catalogue_fact", "view_version", "staging_catalogue"] {
      try night.catalogue("product_id\n\(table)")
      try server.run("alter table tieout.\(table) enable row level security", step: "test")
      let failure = #expect(throws: PostgreSQLError.self, "\(table)") {
        try night.run(asOf: "2026-11-20 03:00")
      }
      #expect(failure?.sqlState == "42501", "\(table): \(failure?.description ?? "")")
      try server.run("alter table tieout.\(table) disable row level security", step: "test")
    }
    try night.run(asOf: "2026-11-20 03:00")
    #expect(
      try night.database.draw("select count(distinct product_id) as n from catalogue_fact")
        == "n\n3")
  }

  @Test("the message about locks leaves out waiting sessions, and a time that the role may not see")
  func locks() throws {
    let night = try Self.prepared()
    let holder = try night.database.connect()
    try holder.run("begin; lock table tieout.run", step: "test")
    let place = night.database.connectionString
    let waiting = Thread {
      let session = try? Connection(place, applicationName: "a waiting session")
      _ = try? session?.run("begin; lock table tieout.finding, tieout.run", step: "test")
    }
    waiting.start()
    let waits = """
      select exists (
          select from pg_stat_activity
          where application_name = 'a waiting session' and wait_event_type = 'Lock'
              and datname = current_database()
      ) as waits
      """
    #expect(try eventually { try night.database.draw(waits) == "waits\nt" })
    let failure = #expect(throws: PostgreSQLError.self) {
      try night.database.connect().run("select 1 / 0", step: "test")
    }
    let job = "\(night.database.connectionString) user=tieout_job"
    let error = try #require(failure)
    let words = "\(LockHolders.error(after: error, in: job))"
    #expect(words.contains("Sessions with locks: process "), "\(words)")
    #expect(!words.contains("since"), "\(words)")
    #expect(!words.contains("a waiting session"), "\(words)")
    try holder.run("rollback", step: "test")
    #expect(eventually { waiting.isFinished })
  }
}
