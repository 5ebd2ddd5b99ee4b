import Testing
import WebTestSupport

@testable import WebClient

@Suite("The web client and a misbehaving server")
struct WebClientTests {
  private static func ask(
    _ server: ScriptedServer, _ path: String = "/",
    change: (inout WebRequest) -> Void = { _ in }
  ) throws(WebError) -> WebAnswer {
    var request = WebRequest(address: server.address(path), limitBytes: 1 << 20)
    request.patience.total = .seconds(120)
    request.patience.connect = .seconds(60)
    change(&request)
    return try WebClient(userAgent: "tieout/test") { false }.ask(request)
  }

  private static func code(_ body: () throws(WebError) -> WebAnswer) -> WebError.Code? {
    do {
      _ = try body()
      return nil
    } catch { return error.code }
  }

  @Test(
    "an address of this machine is known as one, so that no proxy gets what is sent there",
    arguments: [
      ("http://localhost:8080/x", true), ("http://127.0.0.1/", true), ("http://[::1]:80/", true),
      ("http://user:word@LOCALHOST?x", true), ("https://localhost.example.com/", false),
      ("http://example.com/localhost", false), ("http://localhost@example.com/", false),
      ("http://127.1.2.3:80/", true), ("http://127.example.com/", false),
      ("http://127.0.0.1.example.com/", false), ("http://127.0.0.256/", false),
      ("http://127.1/", true),
    ])
  func ownMachine(address: String, isOwn: Bool) {
    #expect(WebClient.isOfThisMachine(address) == isOwn)
  }

  @Test("the client returns status, headers and content, and sends its name and headers")
  func proper() throws {
    let server = try ScriptedServer { _ in .answer(201, ["ETag": "\"a\"", "X-Odd": ""], "hello") }
    let answer = try Self.ask(server, "/a?b=c") { $0.headers = ["If-None-Match: \"x\""] }
    #expect(answer.status == 201)
    #expect(answer.headers["etag"] == "\"a\"")
    #expect(answer.body == Array("hello".utf8))
    let question = try #require(server.questions.first)
    #expect(question.method == "GET")
    #expect(question.path == "/a?b=c")
    #expect(question.headers["user-agent"] == "tieout/test")
    #expect(question.headers["if-none-match"] == "\"x\"")
  }

  @Test("posted content arrives unchanged, without a 100 Continue", arguments: [0, 2 << 20])
  func posts(count: Int) throws {
    let server = try ScriptedServer { _ in .answer(200, [:], "{}") }
    let body = [UInt8](repeating: UInt8(ascii: "p"), count: count)
    _ = try Self.ask(server) { $0.body = body }
    let question = try #require(server.questions.first)
    #expect(question.method == "POST")
    #expect(Array(question.body.utf8) == body)
    #expect(question.headers["expect"] == nil)
  }

  @Test("an answer that is cut at any byte is always an error")
  func cut() throws {
    let whole = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123456789"
    for end in 0..<whole.utf8.count {
      let part = String(decoding: whole.utf8.prefix(end), as: UTF8.self)
      let server = try ScriptedServer { _ in .raw(part) }
      #expect(Self.code { () throws(WebError) in try Self.ask(server) } == .unreachable, "\(end)")
    }
    let server = try ScriptedServer { _ in .raw(whole) }
    #expect(try Self.ask(server).body.count == 10)
  }

  @Test(
    "an invalid answer is an error",
    arguments: [
      "", "\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "\u{0}\u{1}\u{2}",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello",
    ])
  func nonsense(text: String) throws {
    let server = try ScriptedServer { _ in .raw(text) }
    let code = Self.code { () throws(WebError) in try Self.ask(server) }
    #expect(code == .unreachable || code == .otherProtocol)
  }

  @Test(
    "an answer above the limit is refused, and the connection closed", arguments: [true, false])
  func flood(isDeclared: Bool) throws {
    let server = try ScriptedServer { _ in
      isDeclared ? .answer(200, [:], String(repeating: "x", count: 2 << 20)) : .flood(1 << 30)
    }
    #expect(Self.code { () throws(WebError) in try Self.ask(server) } == .tooLarge)
  }

  @Test("an answer of exactly the limit is accepted")
  func atLimit() throws {
    let server = try ScriptedServer { _ in .answer(200, [:], String(repeating: "x", count: 1000)) }
    #expect(try Self.ask(server) { $0.limitBytes = 1000 }.body.count == 1000)
    #expect(
      Self.code { () throws(WebError) in try Self.ask(server) { $0.limitBytes = 999 } }
        == .tooLarge)
  }

  @Test("a server that never answers, or only slowly, is a timeout")
  func slow() throws {
    let silent = try ScriptedServer { _ in .silence }
    let text = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + String(repeating: "x", count: 100)
    let dripping = try ScriptedServer { _ in .drip(text, milliseconds: 50) }
    for server in [silent, dripping] {
      let code = Self.code { () throws(WebError) in
        try Self.ask(server) { $0.patience.total = .milliseconds(300) }
      }
      #expect(code == .timedOut)
    }
    // The total time is enough for the dripping answer, but the answer is too slow.
    let code = Self.code { () throws(WebError) in
      try Self.ask(dripping) {
        $0.patience.total = .seconds(60)
        $0.patience.slow = .seconds(1)
      }
    }
    #expect(code == .timedOut)
  }

  @Test("a server that is not there is unreachable")
  func absent() throws {
    let server = try ScriptedServer { _ in .silence }
    server.close()
    #expect(Self.code { () throws(WebError) in try Self.ask(server) } == .unreachable)
  }

  @Test("redirections are followed on request, and not without a limit")
  func redirects() throws {
    let server = try ScriptedServer { question in
      switch question.path {
      case "/old": .answer(302, ["Location": "/new", "ETag": "old"], "moved")
      case "/new": .answer(200, [:], "here")
      case "/file": .answer(302, ["Location": "file:///etc/hostname"])
      default: .answer(302, ["Location": "/round"])
      }
    }
    #expect(try Self.ask(server, "/old").status == 302)
    let followed = try Self.ask(server, "/old") { $0.followsRedirects = true }
    #expect(followed.status == 200 && followed.body == Array("here".utf8))
    // Headers of the redirecting answer do not belong to this answer.
    #expect(followed.headers["etag"] == nil)
    for path in ["/round", "/file"] {
      #expect(
        Self.code { () throws(WebError) in
          try Self.ask(server, path) { $0.followsRedirects = true }
        } != nil)
    }
  }

  @Test(
    "an address of another protocol is refused",
    arguments: ["file:///etc/hostname", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "", "http://"])
  func refused(address: String) {
    let client = WebClient(userAgent: "tieout/test") { false }
    let code = Self.code { () throws(WebError) in
      try client.ask(WebRequest(address: address, limitBytes: 1000))
    }
    #expect(code == .otherProtocol)
  }

  @Test("a stop request ends the wait for an answer")
  func stopped() throws {
    let server = try ScriptedServer { _ in .silence }
    let start = ContinuousClock.now
    let client = WebClient(userAgent: "tieout/test") {
      ContinuousClock.now - start > .milliseconds(200)
    }
    let code = Self.code { () throws(WebError) in
      try client.ask(WebRequest(address: server.address(), limitBytes: 1000))
    }
    #expect(code == .stopped)
  }
}
