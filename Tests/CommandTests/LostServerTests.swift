import Foundation
import Glibc
import TestNeeds
import Testing

@Suite("A private server that was killed", .serialized) struct LostServerTests {
  @Test(
    "the next run starts a server that was killed after a TRUNCATE, even if one start fails"
  )
  func truncated() throws {
    let place = try Place()
    try "[\"book.emma\"]".write(
      toFile: "\(place.folder)/inbox/catalog/a.json", atomically: true, encoding: .utf8)
    try #require(try place.start("run", "--as-of", CommandNight.asOf).ended().status == 0)
    let reached = "\(place.folder)/reached"
    let psql = try place.start(
      "psql", "--", "-c", "begin", "-c", "truncate tieout.staging_rejection", "-c",
      "\\! touch '\(reached)'", "-c", "select pg_sleep(600)")
    #expect(eventually { FileManager.default.fileExists(atPath: reached) })
    // This commit writes the server's log to disk, including the entries of the open transaction.
    let other = try place.start(
      "psql", "--", "-c", "create table public.written (); drop table public.written"
    ).ended()
    #expect(other.status == 0, "\(other.errors)")
    let server = try #require(place.server)
    kill(server, SIGKILL)
    #expect(try psql.ended().status != 0)
    #expect(eventually { place.processes.isEmpty })

    let next = try place.start("run", "--as-of", CommandNight.asOf).ended()
    #expect(next.status == 0, "\(next.errors)")
    let log = try String(contentsOfFile: "\(place.state)/server.log", encoding: .utf8)
    #expect(log.contains("File exists"), "the server did not fail, so this shows nothing")
    #expect(eventually { place.processes.isEmpty })
  }
}
