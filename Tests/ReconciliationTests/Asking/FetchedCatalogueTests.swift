import Configuration
import Foundation
import Intake
import NightRun
import PostgreSQL
import ReconciliationTestSupport
import Runs
import Synchronization
import Testing
import Waiting
import WebTestSupport
@testable import Inbox
@testable import Remote

@Suite("Catalogues that are fetched from an address")
final class FetchedCatalogueTests {
  private let night: TestNight
  private let server: ScriptedServer
  private let reply = Script()

  final class Script: Sendable {
    private let next = Mutex<@Sendable (ScriptedServer.Question) -> ScriptedServer.Reply>({ _ in
      .answer(500)
    })
    func set(_ reply: @escaping @Sendable (ScriptedServer.Question) -> ScriptedServer.Reply) {
      next.withLock { $0 = reply }
    }
    func callAsFunction(_ question: ScriptedServer.Question) -> ScriptedServer.Reply {
      next.withLock { $0 }(question)
    }
  }

  init() throws {
    night = try TestNight()
    let reply = reply
    server = try ScriptedServer { reply($0) }
    night.settings.catalogueURLs = [server.address("/products.json?token=topsecret")]
  }

  private func products() throws -> String {
    try night.database.draw(
      "select distinct product_id from catalogue_fact order by product_id")
  }

  private func files() throws -> [String] {
    let folder = night.inbox.appending(path: "catalog").path
    return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { path in
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: "\(folder)/\(path)", isDirectory: &isFolder)
        && !isFolder.boolValue
    }.sorted()
  }

  @Test("a catalogue is fetched, checked, and fetched again after a change; old contents stay")
  func life() throws {
    reply.set { _ in
      .answer(
        200, ["ETag": "\"one\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"], "[\"book.a\"]")
    }
    #expect(try night.runNow().warnings.allSatisfy { !$0.contains("could not be fetched") })
    #expect(try products() == "product_id\nbook.a")
    #expect(server.questions[0].headers["if-none-match"] == nil)

    reply.set { _ in .answer(304) }
    let second = try night.runNow()
    #expect(second.warnings.allSatisfy { !$0.contains("could not be fetched") })
    #expect(second.unchangedFiles == 1)
    #expect(server.questions[1].headers["if-none-match"] == "\"one\"")
    #expect(
      server.questions[1].headers["if-modified-since"] == "Sun, 06 Nov 1994 08:49:37 GMT")

    reply.set { _ in .answer(200, ["ETag": "\"two\""], "[\"book.b\"]") }
    try night.runNow()
    #expect(try products() == "product_id\nbook.a\nbook.b")
    // Two contents and the note are kept. The database can be built from them again.
    #expect(try files().count == 3)
    try night.database.connect().run("drop schema tieout cascade", step: "rebuild")
    reply.set { _ in .answer(304) }
    try night.runNow()
    #expect(try products() == "product_id\nbook.a\nbook.b")
    let last = try #require(server.questions.last)
    #expect(last.headers["if-none-match"] == "\"two\"")
    #expect(last.headers["if-modified-since"] == nil)
  }

  @Test("If-None-Match is not sent if the kept catalogue is gone or was changed")
  func damaged() throws {
    reply.set { _ in .answer(200, ["ETag": "\"one\""], "[\"book.a\"]") }
    try night.runNow()
    let kept = try #require(try files().first { !$0.hasSuffix(".json") })
    try night.put("[\"book.z\"]", at: "catalog/\(kept)")
    try night.runNow()
    #expect(server.questions[1].headers["if-none-match"] == nil)
    try FileManager.default.removeItem(at: night.inbox.appending(path: "catalog/\(kept)"))
    try night.runNow()
    #expect(server.questions[2].headers["if-none-match"] == nil)
    #expect(try files().contains(kept))
  }

  @Test("a note that somebody planted adds no header to a request")
  func planted() throws {
    reply.set { _ in
      .answer(
        200, ["ETag": "\"one\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"], "[\"book.a\"]")
    }
    try night.runNow()
    let name = try #require(try files().first { $0.hasSuffix(".newest.json") })
    let path = "catalog/\(name)"
    let long = String(repeating: "x", count: 500)
    for end in [#"\r\nX-Injected: yes"#, #"\nX-Injected: yes"#, #"\u0000"#, "é", long] {
      let note = try String(contentsOf: night.inbox.appending(path: path), encoding: .utf8)
      try night.put(
        note.replacing(#"\"one\""#, with: #"\"one\""# + end).replacing("GMT", with: "GMT\(end)"),
        at: path)
      try night.runNow()
      let headers = try #require(server.questions.last).headers
      for header in ["if-none-match", "if-modified-since", "x-injected"] {
        #expect(headers[header] == nil, "\(header) \(end)")
      }
    }
    // The answer has written a note that can be used.
    try night.runNow()
    #expect(server.questions.last?.headers["if-none-match"] == "\"one\"")
  }

  @Test("a night that fails does not record that an address answered")
  func failedNight() throws {
    reply.set { _ in .answer(200, [:], "[\"book.a\"]") }
    try night.put("{}\n", at: "receipts/bad.ndjson")
    night.settings.maxRejected = .count(0)
    let answers = "select count(*) from feed_day where feed like 'http%'"
    #expect(throws: ReconciliationError.self) { try night.runNow() }
    #expect(try night.database.draw(answers) == "count\n0")
    night.settings.maxRejected = nil
    try night.runNow()
    #expect(try night.database.draw(answers) == "count\n1")
  }

  @Test("two addresses that differ only in their queries are two feeds, and a warning says which")
  func queries() throws {
    let addresses = ["reader", "player"].map { server.address("/products.json?app=\($0)") }
    let names = addresses.map { address in
      "\(server.address("/products.json")) (\(KeptCatalogue.folder(of: address).suffix(8)))"
    }
    night.settings.catalogueURLs = addresses
    reply.set { question in
      question.path.hasSuffix("reader") ? .answer(200, [:], "[\"book.a\"]") : .answer(503)
    }
    let warnings = try night.runNow().warnings.filter { $0.contains("could not be fetched") }
    #expect(warnings.count == 1)
    #expect(warnings.first?.hasPrefix("The catalogue at \(names[1]) could not") == true)
    #expect(
      try night.database.draw("select feed from feed_day where feed like 'http%'")
        == "feed\n\(names[0])")
    #expect(night.settings.shownCatalogueURLs == names)
    night.settings.catalogueURLs = [addresses[0]]
    #expect(night.settings.shownCatalogueURLs == [server.address("/products.json")])
  }

  static let failures: [(String, ScriptedServer.Reply)] = [
    ("404", .answer(404, [:], "[\"x\"]")),
    ("500", .answer(500, [:], "[\"x\"]")),
    ("204", .answer(204)),
    ("empty", .answer(200, [:], "")),
    ("html", .answer(200, [:], "<html>Please sign in</html>")),
    ("broken JSON", .answer(200, [:], "[\"x\"")),
    ("no entry", .answer(200, [:], "[]")),
    ("a receipt", .answer(200, [:], "{\"status\":0,\"receipt\":{}}")),
    ("cut", .raw("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n[\"x\"]")),
    ("nothing", .raw("")),
    ("a flood", .flood(64 << 20)),
    ("redirected to a file", .answer(302, ["Location": "file:///etc/hostname"])),
    ("redirected without end", .answer(302, ["Location": "/again"])),
  ]

  @Test("a catalogue stays as it was when the server fails, and a warning says how old it is")
  func kept() throws {
    reply.set { _ in .answer(200, ["ETag": "\"one\""], "[\"book.a\"]") }
    try night.runNow()
    let before = try files()
    for (name, failure) in Self.failures {
      reply.set { _ in failure }
      let warning = try #require(
        try night.runNow().warnings.first { $0.contains("could not be fetched") }, "\(name)")
      #expect(
        warning.contains(/is used, which is (less than a minute|[0-9]+ minutes?) old\./),
        "\(warning)")
      #expect(warning.contains("/products.json") && !warning.contains("topsecret"))
      #expect(try files() == before, "\(name)")
      #expect(try products() == "product_id\nbook.a", "\(name)")
    }
    server.close()
    #expect(try night.runNow().warnings.contains { $0.contains("could not be fetched") })
    #expect(try products() == "product_id\nbook.a")
  }

  @Test("a failure without an earlier catalogue is a warning, and the night goes on")
  func neverFetched() throws {
    for reply in Self.failures.map(\.1) + [.answer(304)] {
      self.reply.set { _ in reply }
      #expect(
        try night.runNow().warnings.contains { $0.hasSuffix("There is no earlier copy.") })
    }
    #expect(try files().isEmpty)
  }

  @Test(
    "the warning gives the age in the largest unit",
    arguments: [
      (59.0, "less than a minute old"), (60, "1 minute old"), (7199, "1 hour old"),
      (86_399, "23 hours old"), (200_000, "2 days old"),
    ])
  func age(seconds: Double, words: String) throws {
    let start = Date(timeIntervalSince1970: 1_800_000_000)
    for (time, isAnswered) in [(start, true), (start.addingTimeInterval(seconds), false)] {
      reply.set { _ in isAnswered ? .answer(200, [:], "[\"a\"]") : .answer(503) }
      let fetch = try CatalogueFetch(
        settings: night.settings, inbox: Inbox.open(night.settings), intake: .init(),
        version: "test", stop: StopRequest(),
        now: { time })
      try fetch.fetch()
      #expect(fetch.warnings.count == (isAnswered ? 0 : 1))
      if !isAnswered {
        #expect(fetch.warnings[0].contains("The copy of 2027-01-15T08:00:00Z is used"))
        #expect(fetch.warnings[0].contains(words), "\(fetch.warnings)")
      }
    }
  }

  @Test("a dry run uses the fetched catalogue and does not keep it")
  func dryRun() throws {
    reply.set { _ in .answer(200, [:], "[\"book.a\"]") }
    night.settings.dryRun = true
    let summary = try night.runNow()
    #expect(summary.lines.first { $0.kind == "catalogue_entries" }?.new == 1)
    #expect(try files().isEmpty)
    night.settings.dryRun = false
    try night.runNow()
    #expect(try files().count == 2)
  }

  @Test("each address has its own folder, whatever characters it contains")
  func folders() {
    let addresses = [
      "http://a/", "http://a/..", "http://a/../../../etc/x", "http://a/b?c", "http://a/b?d",
      "http://a/.hidden", "http://a/x.tmp", "http://a/x~",
      "http://a/\(String(repeating: "x", count: 400))",
      "http://a:81/", "https://a/", "http://[::1]/", "http://a/%2e%2e%2f",
    ]
    let folders = addresses.map { KeptCatalogue.folder(of: $0) }
    #expect(Set(folders).count == addresses.count)
    for folder in folders {
      #expect(
        folder.wholeMatch(of: /catalog\/fetched\/[A-Za-z0-9_-][A-Za-z0-9_.-]{0,68}/) != nil
          || folder.wholeMatch(of: /catalog\/fetched\/-[0-9a-f]{8}/) != nil, "\(folder)")
    }
  }
}
