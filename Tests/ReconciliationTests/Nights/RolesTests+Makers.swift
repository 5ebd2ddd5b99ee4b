import PostgreSQL
import ReconciliationTestSupport
import Runs
import Testing

extension RolesTests {
  private static let member = "tieout_test_member"
  private static let administrator = "tieout_test_administrator"

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

  @Test("an administrator who is no superuser can create the roles in a database of its own")
  func administrator() throws {
    // The roles exist on the server.
    _ = try Self.prepared()
    let night = try TestNight(hasTables: false)
    let server = try night.database.connect()
    let role = Self.administrator
    let name = try server.run("select current_database()", step: "people").first ?? ""
    try server.run(
      """
      drop role if exists \(role);
      create role \(role) login createrole;
      alter database \(name) owner to \(role)
      """, step: "people")
    defer {
      _ = try? server.run(
        "reassign owned by \(role) to current_user; drop owned by \(role); drop role \(role)",
        step: "people")
    }
    if server.serverVersion >= 160_000 {
      // These are the rights of the role that has created tieout_owner.
      try server.run(
        "grant tieout_owner to \(role) with admin true, inherit false, set false", step: "people")
    }
    let maker = try Connection(
      night.database.connectionString(as: role), applicationName: "tieout test")
    try maker.run(Roles.commands, step: "roles")
    for user in ["tieout_owner", "tieout_job"] {
      night.user = user
      try night.run(asOf: "2026-11-20 03:00")
      try maker.run(Roles.commands, step: "roles")
    }
  }
}
