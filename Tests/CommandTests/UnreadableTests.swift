import Foundation
import ReconciliationTestSupport
import Testing

@Suite("Input without read permission") struct UnreadableTests {
  @Test(
    "an unreadable path is rejected, the run continues, and a later run loads it when readable",
    arguments: ["deliveries/closed", "deliveries/closed/log.csv"])
  func closed(path: String) throws {
    let command = try CommandNight()
    try command.putGoodNight()
    let log = """
      delivery_id,transaction_id,product_id,status,occurred_at
      X1,101,book.emma,delivered,2026-11-18T11:00:00Z

      """
    try command.night.put(log, at: "deliveries/closed/log.csv")
    let closed = command.night.inbox.appending(path: path).path
    let mode = try FileManager.default.attributesOfItem(atPath: closed)[.posixPermissions]
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: closed)

    for _ in 1...2 {
      let ended = try command.run(prefix: withoutPrivilege)
      #expect(ended.status == 2)
      #expect(ended.errors.filter { $0 == "\n" }.count == 1, "\(ended.errors)")
      #expect(
        ended.output.contains(
          "\(path) was not read (since 2026-11-20). It could not be opened (Permission denied); "),
        "\(ended.output)")
      #expect(!ended.output.contains("Put a corrected file"), "\(ended.output)")
      #expect(try command.value("select count(*) from tieout.delivery_record") == "1")
    }
    let rejected = try command.night.table("rejected_records.csv")
    // Both runs rejected the path, and a day lists a path once.
    #expect(rejected.columns(["file", "kind", "reason"]).rows == [[path, "file", "unreadable"]])
    #expect(rejected.columns(["detail"]).rows[0][0].contains("Permission denied"))

    // The time and the size of the file are as before.
    try FileManager.default.setAttributes(
      [.posixPermissions: mode as Any], ofItemAtPath: closed)
    #expect(try command.run(prefix: withoutPrivilege).status == 0)
    #expect(try command.value("select count(*) from tieout.delivery_record") == "2")
  }

  @Test("an unreadable inbox ends with 78")
  func inbox() throws {
    let command = try CommandNight()
    let inbox = command.night.inbox.path
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: inbox)
    let ended = try command.run(prefix: withoutPrivilege)
    #expect(ended.status == 78)
    #expect(ended.errors.contains(inbox))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: inbox)
  }
}
