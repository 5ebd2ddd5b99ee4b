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
}
