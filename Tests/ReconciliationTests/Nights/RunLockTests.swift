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
}
