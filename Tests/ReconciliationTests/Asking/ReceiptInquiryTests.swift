import Configuration
import ReconciliationTestSupport
import Testing
import WebTestSupport
@testable import Remote

@Suite("Failures of Apple's server")
struct ReceiptInquiryTests {
  /// Failures that may be temporary.
  static let passing: [(String, ScriptedServer.Reply)] = [
    ("21002", .answer(200, [:], "{\"status\":21002}")),
    ("21005", .answer(200, [:], "{\"status\":21005}")),
    ("21009", .answer(200, [:], "{\"status\":\"21009\"}")),
    ("21100", .answer(200, [:], "{\"status\":21100,\"is-retryable\":true}")),
    ("21199", .answer(200, [:], "{\"status\":21199,\"is-retryable\":\"1\"}")),
    ("500", .answer(500, [:], "{\"status\":0}")),
    ("503", .answer(503)),
    ("429", .answer(429, ["Retry-After": "7"])),
    ("garbage", .answer(200, [:], "<html>Please sign in</html>")),
    ("no status", .answer(200, [:], "{\"receipt\":{}}")),
    ("an array", .answer(200, [:], "[0]")),
    ("not UTF-8", .raw("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\u{1}")),
    ("nothing", .raw("")),
    ("half an answer", .raw("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{\"status\":0}")),
    ("silence", .silence),
  ]

  @Test("a question is repeated after a temporary failure", arguments: passing.indices)
  func twiceThenWell(index: Int) throws {
    let asking = try Asking { question in
      question.number < 2 ? Self.passing[index].1 : .answer(200, [:], Asking.answer())
    }
    try asking.put(["one"])
    let summary = try asking.refresh()
    #expect(summary.refreshed == 1 && !summary.isIncomplete, "\(Self.passing[index].0)")
    #expect(asking.server.questions.count == 3)
    #expect(Set(asking.server.questions.map(\.body)).count == 1)
  }

  @Test("a receipt with repeated failures is asked about in the next refresh, except after 21002")
  func neverWell() throws {
    for (name, reply) in Self.passing where name != "silence" {
      let asking = try Asking { _ in reply }
      try asking.put(["one"])
      let summary = try asking.refresh()
      #expect(summary.isIncomplete && summary.refreshed == 0, "\(name)")
      #expect(asking.server.questions.count == ReceiptInquiry.attempts, "\(name)")
      #expect(summary.refused == (name == "21002" ? [21002: 1] : [:]), "\(name)")
      #expect(try asking.refresh().due == (name == "21002" ? 0 : 1), "\(name)")
    }
  }

  @Test("the waiting time doubles with each attempt")
  func backoff() throws {
    let asking = try Asking { _ in .answer(200, [:], "{\"status\":21005}") }
    try asking.put(["one"])
    _ = try asking.refresh()
    #expect(asking.waits.durations == [1, 2, 4, 8].map { .seconds($0) })
    let low = Pace(now: { .now }, wait: { _ in }, chance: { 0 })
    let high = Pace(now: { .now }, wait: { _ in }, chance: { 1 })
    for attempt in 2...100 {
      let seconds = [1, 2, 4, 8, 16, 32].dropFirst(attempt - 2).first ?? 60
      #expect(high.pause(beforeAttempt: attempt) == .seconds(seconds))
      #expect(low.pause(beforeAttempt: attempt) == .seconds(seconds) / 2)
    }
  }

  @Test(
    "Retry-After is obeyed up to 300 seconds; a longer time ends the attempts",
    arguments: [
      ("7", [7, 7, 7, 8], 5), ("0", [1, 2, 4, 8], 5), ("soon", [1, 2, 4, 8], 5),
      ("-5", [1, 2, 4, 8], 5), ("300", [300, 300, 300, 300], 5), ("301", [], 1),
      ("99999999999999999999", [1, 2, 4, 8], 5),
      ("Sun, 06 Nov 1994 08:49:37 GMT", [1, 2, 4, 8], 5),
      ("Fri, 06 Nov 2998 08:49:37 GMT", [], 1),
    ])
  func retryAfter(value: String, waits: [Int], questions: Int) throws {
    let asking = try Asking { _ in .answer(429, ["Retry-After": value]) }
    try asking.put(["one"])
    #expect(try asking.refresh().unanswered == 1)
    #expect(asking.waits.durations == waits.map { .seconds($0) })
    #expect(asking.server.questions.count == questions)
  }

  @Test(
    "a question is not repeated if the answer says that it is not retryable",
    arguments: [21002, 21005, 21009, 21100, 21150, 21199])
  func notRetryable(status: Int) throws {
    let asking = try Asking { _ in
      .answer(200, [:], "{\"status\":\(status),\"is-retryable\":false}")
    }
    try asking.put(["one"])
    #expect(try asking.refresh().refused == [status: 1])
    #expect(asking.server.questions.count == 1)
  }

  @Test(
    "a redirect is not followed, because the question can contain the secret",
    arguments: [301, 302, 307, 308])
  func redirect(status: Int) throws {
    let asking = try Asking { question in
      question.path == "/production"
        ? .answer(status, ["Location": "/elsewhere"]) : .answer(200, [:], Asking.answer())
    }
    try asking.put(["one"])
    #expect(try asking.refresh().unanswered == 1)
    #expect(asking.server.questions.map(\.path) == ["/production"])
  }

  @Test("the refresh ends after five unanswered receipts in a row; an answer restarts the count")
  func givesUp() throws {
    let asking = try Asking { question in
      question.number == 4 ? .answer(200, [:], Asking.answer()) : .answer(404)
    }
    try asking.put((1...20).map { "receipt \($0)" })
    let summary = try asking.refresh()
    #expect(summary.gaveUp && summary.isIncomplete)
    #expect(summary.refreshed == 1 && summary.unanswered == 9)
    #expect(asking.server.questions.count == 10)
    #expect(try asking.refresh().due == 19)
  }

  @Test("what is too large is a failure of its receipt, and the others are asked about")
  func tooLarge() throws {
    for reply in [ScriptedServer.Reply.flood(64 << 20), .answer(413)] {
      let asking = try Asking { question in
        question.number < 6 ? reply : .answer(200, [:], Asking.answer())
      }
      try asking.put((1...8).map { "receipt \($0)" })
      let summary = try asking.refresh()
      #expect(!summary.gaveUp && summary.isIncomplete)
      #expect(summary.unanswered == 6 && summary.refreshed == 2)
      #expect(asking.server.questions.count == 8)
      #expect(try asking.refresh().due == 6)
    }
  }

  @Test("statuses 0 and 21006 are used, and any other status is a refusal")
  func statuses() throws {
    for status in [0, 21006, 1, 2, 21000, 21008, 21099, 21200, -1] {
      let asking = try Asking { _ in .answer(200, [:], Asking.answer(status: status)) }
      try asking.put(["one"])
      let summary = try asking.refresh()
      let isUsable = [0, 21006].contains(status)
      #expect(summary.refreshed == (isUsable ? 1 : 0), "\(status)")
      #expect(summary.refused == (isUsable ? [:] : [status: 1]), "\(status)")
      #expect(try asking.answers().count == summary.refreshed)
    }
  }
}
