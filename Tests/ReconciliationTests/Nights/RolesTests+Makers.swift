import PostgreSQL
import ReconciliationTestSupport
import Runs
import Testing

extension RolesTests {
  private static let member = "tieout_test_member"

  @Test("tieout_owner owns what another role creates", arguments: ["superuser", member])
  func makers(role: String) throws {
    let night = try TestNight(hasTables: false)
    let server = try night.database.connect()
    try server.run(Roles.commands, step: "roles")
    let isMember = role == Self.member
    if isMember {
      try server.run(
        "drop role if exists \(role); create role \(role) login in role tieout_owner",
        step: "people")
    }
    defer { if isMember { _ = try? server.run("drop role \(role)", step: "people") } }
    let maker =
      isMember ? night.database.connectionString(as: role) : night.database.connectionString
    let owners = """
      select distinct pg_get_userbyid(relowner) as owner from pg_class
      where relnamespace = 'tieout'::regnamespace and relkind in ('r', 'p', 'v')
      """
    _ = try RunHistory(database: maker).newest(1)
    #expect(try night.database.draw(owners) == "owner\ntieout_owner")
    // The views are created again.
    try server.run("update tieout.view_version set fingerprint = 'older'", step: "older")
    _ = try RunHistory(database: maker).newest(1)
    #expect(try night.database.draw(owners) == "owner\ntieout_owner")
    for user in ["tieout_owner", "tieout_job"] {
      night.user = user
      try night.run(asOf: "2026-11-20 03:00")
    }
  }
}
