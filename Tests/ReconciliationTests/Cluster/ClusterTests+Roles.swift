import NightRun
import Oracle
import PostgreSQL
import ReconciliationTestSupport
import Runs
import Testing

/// The roles of `tieout roles` on a cluster, whose server must let them connect without a password.
extension ClusterTests {
  @Test("the roles work before and after the ledger is distributed")
  func roles() throws {
    let single = try TestNight()
    let clustered = try TestNight(on: ScratchDatabase.onCluster())
    let database = clustered.database
    let owner = database.connectionString(as: "tieout_owner")
    // An administrator can run them again at any time.
    for _ in 1...2 { try database.connect().run(Roles.commands, step: "roles") }
    _ = try RunHistory(database: owner).newest(1)
    clustered.user = "tieout_job"
    let parts = RandomNight(seed: 953, accounts: 25).input.nights(3, seed: 5)
    for (number, part) in parts.enumerated() {
      if number == 1 {
        #expect {
          try LedgerCluster(database: owner).distribute(shards: 8)
        } throws: { error in
          (error as? ReconciliationError)?.message
            .contains("tieout_owner is not a superuser") == true
        }
        try Self.distribute(clustered)
        try database.connect().run(Roles.commands, step: "roles")
      }
      for night in [single, clustered] { try night.run(part, files: 2, seed: UInt64(number)) }
      try expectSameReports(single, clustered, "night \(number)")
    }
    #expect(try clustered.recompute().corrections == 0)
    clustered.user = "tieout_owner"
    try Self.recomputeInBulk(clustered)
    // The owner creates the views again when another version of the program made them.
    try database.connect().run(
      "update tieout.view_version set fingerprint = 'another'", step: "test")
    _ = try RunHistory(database: owner).newest(1)
    let reader = try Connection(
      database.connectionString(as: "tieout_reader"), applicationName: "tieout test")
    for view in ["report_finding", "report_month", "night", "found"] {
      _ = try reader.run("select count(*) from tieout.\(view)", step: "test")
    }
    #expect(throws: PostgreSQLError.self) {
      try reader.run("select count(*) from tieout.stored_delivery", step: "test")
    }
  }

  @Test("tieout_job completes what an earlier run left prepared", arguments: Node.Kind.allCases)
  func recoveryByJob(on kind: Node.Kind) throws {
    let night = try TestNight(on: ScratchDatabase.onCluster())
    try night.database.connect().run(Roles.commands, step: "roles")
    _ = try RunHistory(database: night.database.connectionString(as: "tieout_owner")).newest(1)
    try Self.distribute(night)
    night.user = "tieout_job"
    let node = try Node(kind, of: night)
    try node.prepare("citus_0_1_1_0", as: "tieout_job")
    try night.run(RandomNight(seed: 919, accounts: 5).input, files: 1, seed: 1)
    #expect(try node.countOfPrepared() == "0")
  }
}
