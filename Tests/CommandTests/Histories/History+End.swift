import Foundation
import Glibc
import ReconciliationTestSupport
import TestNeeds

extension History {
  /// Compares both databases with each other, and the private one with a fresh database that has
  /// loaded only the files that count.
  func differences() throws -> [String] {
    let lived = try HistoryState(of: own, .lived, forgotten: forgotten)
    let undisturbed = try HistoryState(of: calm, .lived, forgotten: forgotten)
    let fresh = try HistoryState(of: freshPlace(), .known, forgotten: forgotten)
    let known = try HistoryState(of: own, .known, forgotten: forgotten)
    return lived.differences(from: undisturbed, "with mishaps", "without")
      + known.differences(from: fresh, "lived", "fresh")
  }

  /// A new database with the files that count, and with the settings and the as-of at the end.
  private func freshPlace() throws -> HistoryPlace {
    let fresh = try CommandNight()
    try files.writeCounted(to: fresh.night.inbox)
    let place = HistoryPlace(
      "fresh", .shared(fresh.night.database), inbox: fresh.night.inbox, in: night.night.folder,
      roots: roots)
    for words in [["run", "--as-of", newestAsOf]]
      + forgotten.sorted().map({ ["forget", "a-\($0)"] })
    {
      let ended = try place.start(words, settings: settings.environment).ended()
      guard [0, 2].contains(ended.status) else {
        throw HistoryProblem(
          "\(words) on a fresh database ended with \(ended.status): \(ended.errors)")
      }
    }
    return place
  }

  /// The leftovers that no command may have: processes, locks, temporary files, runs without an
  /// end.
  func remains() throws -> [String] {
    var remains: [String] = []
    let rows = try own.ask(
      """
      select
          (select count(*) from pg_locks where locktype = 'advisory') || ' advisory locks, '
          || (select count(*) from tieout.run where outcome = 'running') || ' runs without an end, '
          || (select count(*) from tieout.run where outcome = 'done' and not is_published)
          || ' nights that are not published, ' || (select count(*) from pg_prepared_xacts)
          || ' prepared transactions';
      """)
    let expected =
      "0 advisory locks, 0 runs without an end, 0 nights that are not published, 0 prepared transactions"
    if rows != [expected] { remains.append("in the database: \(rows)") }
    if !eventually({ place.processes.isEmpty }) {
      remains.append("processes: \((place.postmaster + place.backends).map(\.name))")
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: place.state)
    let known: Set = [
      "data", "server.lock", "server.log", "server.log.1", "socket", "start.lock", "users.lock",
    ]
    remains += names.filter { !known.contains($0) }.map { "\($0) in the state directory" }
    // A process that has just ended can hold its lock for another moment.
    for name in names where name.hasSuffix(".lock") {
      if eventually({ !isHeld("\(place.state)/\(name)") }) { continue }
      remains.append("the lock \(name) is held")
    }
    for name in ["data/postmaster.pid", "socket/.s.PGSQL.5432", "socket/.s.PGSQL.5432.lock"]
    where FileManager.default.fileExists(atPath: "\(place.state)/\(name)") {
      remains.append("\(name) in the state directory")
    }
    remains += try FileManager.default.contentsOfDirectory(atPath: own.reports.path)
      .filter { $0.hasPrefix(".") }.map { "\($0) in the reports folder" }
    return try remains + files.problems()
  }

  private func isHeld(_ path: String) -> Bool {
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return true }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_EX | LOCK_NB) != 0
  }

  /// Kills the processes that a failed history has left.
  func endServer() {
    for process in place.processes { kill(process, SIGKILL) }
  }
}
