import PostgreSQL
import ReconciliationTestSupport
import Testing
@testable import Runs

@Suite("The lock of a run")
struct RunLockTests {
  @Test("the lock holds no snapshot, so vacuum can mark pages as visible to all")
  func holdsNoSnapshot() throws {
    let database = try ScratchDatabase()
    let lock = try RunLock(database.connectionString)
    let held = try database.draw(
      """
      select state, backend_xmin is null as is_free
      from pg_stat_activity
      where datname = current_database() and application_name like 'tieout %' and state like 'idle in%'
      """)
    #expect(
      held
        == DrawnTable(header: ["state", "is_free"], rows: [["idle in transaction", "t"]]).text)
    withExtendedLifetime(lock) {}
  }

  @Test("the message names the process that holds the lock, for any length of its host's name")
  func namesHolder() throws {
    let database = try ScratchDatabase()
    let host = String(repeating: "long-name.", count: 10)
    let holder = try Connection(
      database.connectionString, applicationName: "tieout 4711 \(host)")
    try holder.run("begin; select pg_advisory_xact_lock(127996022191476)", step: "test")
    #expect {
      try RunLock(database.connectionString)
    } throws: { error in
      let message = "\(error)"
      return message.contains("host long-name.long-name.")
        && message.contains(", process 4711, since ")
    }
    try holder.run("rollback", step: "test")
    let lock = try RunLock(database.connectionString)
    let name = "application_name like 'tieout \(Host.processID) %'"
    #expect(
      try database.draw(
        "select count(*) from pg_stat_activity where datname = current_database() and \(name)")
        == "count\n1")
    withExtendedLifetime(lock) {}
  }
}
