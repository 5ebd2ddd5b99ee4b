import Configuration
import Foundation
import PostgreSQL
import ReconciliationTestSupport
import Remote
import Testing
import Waiting
import WebTestSupport
@testable import Runs

@Suite("Refreshing receipts")
struct ReceiptRefreshTests {
  @Test(
    "each answer goes into the inbox with the fields of its envelope, and the next night loads it")
  func loaded() throws {
    let asking = try Asking { _ in .answer(200, [:], Asking.answer("77")) }
    let receipt = try asking.night.receipt("one")
    try asking.night.put(
      """
      {"receipt-data":"\(receipt)","account_id":"anna \\"a\\"","device_id":7,
      "storefront":"USA","received_at":"2026-01-01T00:00:00Z"}
      """, at: "receipts/a.json")
    let summary = try asking.refresh()
    #expect(summary.known == 1 && summary.due == 1 && summary.refreshed == 1)
    #expect(!summary.isIncomplete)
    let sent = try #require(
      try JSONSerialization.jsonObject(with: Data(asking.server.questions[0].body.utf8))
        as? [String: Any])
    #expect(sent["receipt-data"] as? String == receipt)
    #expect(sent["exclude-old-transactions"] as? Bool == false)
    #expect(sent["password"] == nil)
    let (path, text) = try #require(try asking.answers().first)
    #expect(path.wholeMatch(of: /[0-9-]{10}\/[0-9a-f]{64}\.json/) != nil)
    #expect(text.contains("\"verifyReceiptResponse\":\(Asking.answer("77"))}\n"))
    let envelope = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    #expect(envelope["account_id"] as? String == "anna \"a\"")
    #expect(envelope["device_id"] as? String == "7")
    #expect(envelope["storefront"] as? String == "USA")
    let received = try #require(envelope["received_at"] as? String)
    #expect(received.hasPrefix(path.prefix(10)))

    try asking.night.runNow()
    #expect(
      try asking.night.database.draw("select transaction_id from store_transaction")
        == "transaction_id\n77")
    // Answers are not receipts, so they are not asked about.
    #expect(try asking.refresh().known == 1)
  }

  @Test("a receipt is asked about once, in however many files and base64 forms the inbox has it")
  func once() throws {
    let asking = try Asking { _ in .answer(200, [:], Asking.answer()) }
    let text = try asking.night.receipt("one")
    let url = text.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    let forms = [
      "{\"receipt-data\":\"\(text)\"}", "{\"receipt_data\":\"\(url)\"}\n", text,
      "{\"receiptData\":\"\(text.replacing("/", with: "\\/"))\"}",
      "{\"Store\":\"AppleAppStore\",\"Payload\":\"\(text)\"}",
    ]
    for (index, form) in forms.enumerated() {
      try asking.night.put(form, at: "receipts/\(index).ndjson")
    }
    #expect(try asking.refresh().refreshed == 1)
    #expect(asking.server.questions.count == 1)
    #expect(try asking.refresh().due == 0)
    asking.night.settings.refreshAfterHours = 0
    #expect(try asking.refresh().refreshed == 1)
    #expect(asking.server.questions.count == 2)
    // The earlier answer stays beside the new one.
    #expect(try asking.answers().count == 2)
  }

  @Test(
    "the account of an answer does not depend on file names", arguments: [["a", "b"], ["b", "a"]])
  func anyOrder(names: [String]) throws {
    let asking = try Asking { _ in .answer(200, [:], Asking.answer()) }
    let receipt = try asking.night.receipt("x")
    for (name, account) in zip(names, ["zoe", "anna"]) {
      try asking.night.put(
        "{\"receipt-data\":\"\(receipt)\",\"account_id\":\"\(account)\"}\n",
        at: "receipts/\(name).ndjson")
    }
    _ = try asking.refresh()
    #expect(try asking.answers().values.first?.contains("\"account_id\":\"anna\"") == true)
  }

  @Test("receipts that a night rejects are not asked about; they depend on the settings")
  func rejected() throws {
    let asking = try Asking { _ in .answer(200, [:], Asking.answer()) }
    let night = asking.night
    try night.put("{\"receipt-data\":\"bm8gcmVjZWlwdA==\"}", at: "receipts/none.json")
    try night.put(try night.receipt("ours"), at: "receipts/ours.txt")
    try night.put(try night.receipt("theirs", bundleID: "theirs"), at: "receipts/theirs.txt")
    let trusted = night.settings.trustedRoots
    night.settings.trustedRoots = []
    #expect(try asking.refresh().known == 0)
    night.settings.trustedRoots = trusted
    night.settings.bundleIDs = ["com.example.reader"]
    let summary = try asking.refresh()
    #expect(summary.known == 1 && summary.refreshed == 1)
    night.settings.bundleIDs = []
    #expect(try asking.refresh().known == 2)
    #expect(asking.server.questions.count == 2)
  }

  @Test("an unreadable file in trusted_roots stops the refresh before any question")
  func roots() throws {
    let asking = try Asking { _ in .answer(200, [:], Asking.answer()) }
    try asking.put(["one"])
    asking.night.settings.trustedRoots.append("nowhere.pem")
    #expect {
      try asking.refresh()
    } throws: { ($0 as? ReconciliationError)?.code == .configuration }
    #expect(asking.server.questions.isEmpty)
  }

  @Test("a receipt is due again after refresh_after hours and not before")
  func due() throws {
    let asking = try Asking { _ in .answer(200, [:], Asking.answer()) }
    try asking.put(["one"])
    _ = try asking.refresh()
    asking.night.settings.refreshAfterHours = 10
    let database = try asking.night.database.connect()
    for (minutes, due) in [(599, 0), (601, 1)] {
      try database.run(
        "update tieout.receipt_question set asked_at = now() - interval '\(minutes) min'",
        step: "age")
      asking.night.settings.dryRun = true
      #expect(try asking.refresh().due == due)
    }
    #expect(asking.server.questions.count == 1)
  }

  @Test("a refresh continues where --limit ended, until all receipts are asked about")
  func limit() throws {
    let asking = try Asking { _ in .answer(200, [:], Asking.answer()) }
    try asking.put((1...5).map { "receipt \($0)" })
    asking.limit = 2
    #expect(try (0..<4).map { _ in try asking.refresh().refreshed } == [2, 2, 1, 0])
    #expect(Set(asking.server.questions.map(\.body)).count == 5)
  }

  @Test("the sandbox is asked only if production says so")
  func sandbox() throws {
    let asking = try Asking { question in
      question.path == "/production"
        ? .answer(200, [:], "{\"status\":21007}")
        : .answer(200, [:], Asking.answer(environment: "Sandbox"))
    }
    try asking.put(["one"])
    #expect(try asking.refresh().refreshed == 1)
    #expect(asking.server.questions.map(\.path) == ["/production", "/sandbox"])
    #expect(
      try asking.night.database.draw("select status, is_sandbox from receipt_question")
        == "status | is_sandbox\n0      | t")
  }

  @Test(
    "a refusal is recorded, and the receipt is not asked about again before it is due",
    arguments: [21003, 21010, 21000])
  func refused(status: Int) throws {
    let asking = try Asking { _ in .answer(200, [:], "{\"status\":\(status)}") }
    try asking.put(["one"])
    let summary = try asking.refresh()
    #expect(summary.refused == [status: 1] && summary.isIncomplete)
    #expect(try asking.refresh().due == 0)
    #expect(asking.server.questions.count == 1)
    #expect(try asking.answers().isEmpty)
  }

  @Test("a secret that Apple does not accept stops the refresh, and nothing is recorded")
  func wrongSecret() throws {
    let asking = try Asking { _ in .answer(200, [:], "{\"status\":21004}") }
    try asking.put(["one", "two"])
    #expect {
      try asking.refresh()
    } throws: { error in
      (error as? ReconciliationError)?.code == .configuration
        && "\(error)".contains("For several apps, give the primary shared secret")
    }
    #expect(asking.server.questions.count == 1)
    #expect(try asking.night.database.draw("select count(*) from receipt_question") == "count\n0")
  }

  @Test("answers before a stop are kept, and the next refresh asks about the rest")
  func stopped() throws {
    let stop = StopRequest()
    let asking = try Asking { question in
      if question.number == 1 {
        stop.make()
        return .silence
      }
      return .answer(200, [:], Asking.answer())
    }
    asking.stop = stop
    try asking.put(["one", "two", "three"])
    #expect {
      try asking.refresh()
    } throws: { ($0 as? ReconciliationError)?.code == .stopped }
    #expect(try asking.answers().count == 1)
    asking.stop = StopRequest()
    #expect(try asking.refresh().refreshed == 2)
  }

  @Test("a refresh is refused while another one runs; a night is not")
  func locked() throws {
    let asking = try Asking { _ in .answer(200, [:], Asking.answer()) }
    let lock = try RunLock(asking.night.database.connectionString, of: .refresh)
    #expect {
      try asking.refresh()
    } throws: { error in
      (error as? ReconciliationError)?.code == .locked
        && "\(error)".hasPrefix("Another refresh holds the lock")
    }
    try asking.night.runNow()
    withExtendedLifetime(lock) {}
  }

  @Test("the refresh keeps to refresh_per_second")
  func rate() throws {
    let asking = try Asking { _ in .answer(200, [:], Asking.answer()) }
    asking.night.settings.refreshPerSecond = 4
    try asking.put((1...9).map { "receipt \($0)" })
    #expect(try asking.refresh().refreshed == 9)
    #expect(asking.waits.sum == .seconds(2))
  }
}
