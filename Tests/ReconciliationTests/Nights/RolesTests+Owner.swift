import PostgreSQL
import ReconciliationTestSupport
import Runs
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

  @Test("the message about locks leaves out a time that the role may not see")
  func locksWithoutTime() throws {
    let night = try Self.prepared()
    let holder = try night.database.connect()
    try holder.run("begin; lock table tieout.run", step: "test")
    let failure = #expect(throws: PostgreSQLError.self) {
      try night.database.connect().run("select 1 / 0", step: "test")
    }
    let job = "\(night.database.connectionString) user=tieout_job"
    let error = try #require(failure)
    let words = "\(LockHolders.error(after: error, in: job))"
    #expect(words.contains("Sessions with locks: process "), "\(words)")
    #expect(!words.contains("since"), "\(words)")
    try holder.run("rollback", step: "test")
  }
}
