import FileSystem
import Foundation
import Runs
import Testing
import Waiting
@testable import Ledger

@Suite("The hashes of the starts of a file") struct StartHashesTests {
  @Test("reading ends at a stop request, also within a file")
  func stop() throws {
    let path = NSTemporaryDirectory() + "starts-" + UUID().uuidString
    try Data("abc".utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let stop = StopRequest()
    func lengths() throws -> [Int64] {
      try StartHashes(of: FilePlace(anywhere: path), lengths: [3, 2, 4], stop: stop)
        .starts.map(\.bytes)
    }
    #expect(try lengths() == [2, 3])
    stop.make()
    #expect {
      try lengths()
    } throws: { ($0 as? ReconciliationError)?.code == .stopped }
  }
}
