import Foundation
import Glibc
import Synchronization

/// A real HTTP server on a port of this machine.
///
/// Its answers, also wrong ones, come from the test.
public final class ScriptedServer: Sendable {
  /// A request to the server.
  public struct Question: Sendable {
    /// GET or POST.
    public let method: String
    /// The path with its query.
    public let path: String
    /// The headers; names are in lower case.
    public let headers: [String: String]
    /// The content.
    public let body: String
    /// The number of earlier requests.
    public let number: Int
  }

  /// The server's reaction to a request.
  public enum Reply: Sendable {
    /// A valid answer.
    case answer(Int, [String: String] = [:], String = "")
    /// These bytes, then the end of the connection.
    case raw(String)
    /// These bytes one at a time, with a pause in milliseconds between them.
    case drip(String, milliseconds: UInt32)
    /// This number of content bytes, without a length in the header.
    case flood(Int)
    /// No answer until the client closes the connection.
    case silence
  }

  private struct State {
    var questions: [Question] = []
    var connections: Set<Int32> = []
    var isClosed = false
  }

  /// The server's port.
  public let port: Int
  private let listener: Int32
  private let reply: @Sendable (Question) -> Reply
  private let state = Mutex(State())

  /// Starts listening.
  public init(_ reply: @escaping @Sendable (Question) -> Reply) throws {
    // The machine's own proxy must not be used between the test and its server.
    setenv("no_proxy", "127.0.0.1,localhost", 1)
    signal(SIGPIPE, SIG_IGN)
    self.reply = reply
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && listen(descriptor, 64) == 0
          && getsockname(descriptor, address, &length) == 0
      }
    }
    guard isListening else { throw CocoaError(.fileWriteUnknown) }
    port = Int(UInt16(bigEndian: address.sin_port))
    // The thread that waits on a descriptor also closes it. If another thread closed it, another
    // server could reuse the number before the wait ends.
    Thread.detachNewThread { [weak self] in
      defer { Glibc.close(descriptor) }
      while true {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { return }
        guard let self, self.begin(connection) else {
          Glibc.close(connection)
          return
        }
        Thread.detachNewThread { self.serve(connection) }
      }
    }
  }

  deinit {
    close()
  }

  /// The URL of a path on this server.
  public func address(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

  /// The requests so far.
  public var questions: [Question] { state.withLock { $0.questions } }

  /// Stops the server: no new connection is possible.
  public func close() {
    state.withLock { state in
      guard !state.isClosed else { return }
      state.isClosed = true
      for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
      shutdown(listener, Int32(SHUT_RDWR))
    }
  }

  private func begin(_ connection: Int32) -> Bool {
    state.withLock { state in
      guard !state.isClosed else { return false }
      state.connections.insert(connection)
      return true
    }
  }

  private func serve(_ connection: Int32) {
    defer {
      state.withLock { _ = $0.connections.remove(connection) }
      Glibc.close(connection)
    }
    guard let question = read(connection) else { return }
    switch reply(question) {
    case .answer(let status, let headers, let body):
      var text = "HTTP/1.1 \(status) Said\r\nConnection: close\r\n"
      for (name, value) in headers { text += "\(name): \(value)\r\n" }
      if status != 304 { text += "Content-Length: \(body.utf8.count)\r\n" }
      write(text + "\r\n" + body, to: connection)
    case .raw(let text):
      write(text, to: connection)
    case .drip(let text, let milliseconds):
      for byte in text.utf8 {
        guard write([byte], to: connection) else { return }
        usleep(milliseconds * 1000)
      }
    case .flood(let count):
      write("HTTP/1.1 200 Said\r\nConnection: close\r\n\r\n", to: connection)
      let piece = [UInt8](repeating: UInt8(ascii: "x"), count: 64 << 10)
      for _ in 0..<(count / piece.count) {
        guard write(piece, to: connection) else { return }
      }
    case .silence:
      var byte: UInt8 = 0
      while Glibc.read(connection, &byte, 1) > 0 {}
    }
    // The client reads to the end before the connection is closed.
    shutdown(connection, Int32(SHUT_WR))
  }

  private func read(_ connection: Int32) -> Question? {
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      if let question = question(bytes) { return question }
      let count = Glibc.read(connection, &piece, piece.count)
      guard count > 0 else { return nil }
      bytes += piece[..<count]
    }
  }

  /// The request, if it has arrived completely; otherwise nil.
  private func question(_ bytes: [UInt8]) -> Question? {
    guard let end = bytes.firstRange(of: [13, 10, 13, 10]) else { return nil }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
      .components(separatedBy: "\r\n")
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      headers[parts[0].lowercased()] = parts.last?.trimmingCharacters(in: .whitespaces)
    }
    let body = bytes[end.upperBound...]
    guard body.count >= Int(headers["content-length"] ?? "0") ?? 0 else { return nil }
    let words = lines[0].split(separator: " ")
    return state.withLock { state in
      let question = Question(
        method: String(words[0]), path: String(words[1]), headers: headers,
        body: String(decoding: body, as: UTF8.self), number: state.questions.count)
      state.questions.append(question)
      return question
    }
  }

  private func write(_ text: String, to connection: Int32) {
    _ = write(Array(text.utf8), to: connection)
  }

  private func write(_ bytes: [UInt8], to connection: Int32) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }
}
