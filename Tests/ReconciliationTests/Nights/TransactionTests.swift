import PostgreSQL
import ReconciliationTestSupport
import Runs
import Testing

@Suite("Transactions") struct TransactionTests {
  @Test("a transaction in which an SQL statement failed never ends as if it were committed")
  func failed() throws {
    let night = try TestNight(hasTables: false)
    let connection = try night.database.connect()
    for end in [TransactionEnd.commit, .end] {
      #expect {
        try connection.inTransaction("begin", endingWith: end) {
          _ = try? connection.run("select 1 / 0", step: "test")
        }
      } throws: { error in
        let error = error as? PostgreSQLError
        return error?.code == .statementFailed && error?.step == end.rawValue
      }
      #expect(try connection.run("select 1", step: "test").values.count == 1)
    }
  }
}
