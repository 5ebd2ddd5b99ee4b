import Foundation
import ReconciliationTestSupport
import PostgreSQL
import Testing

/// Makes the program wait at a chosen statement until it is let go.
///
/// A trigger waits for a lock that the test holds, so that no test has to guess how long something takes.
final class Barrier {
  /// Where the program waits.
  enum Place: String {
    /// While the inbox is read: the first delivery goes to the server.
    case reading = """
      create trigger wait_here before insert on tieout.staging_delivery
      for each statement execute function wait_here()
      """
    /// Inside the run's one transaction.
    case loading = """
      create trigger wait_here before insert on tieout.delivery_record
      for each statement execute function wait_here()
      """
    /// At the very end: everything is done, and the commit is on its way.
    case committing = """
      create constraint trigger wait_here after update on tieout.run
      deferrable initially deferred
      for each row when (new.outcome = 'done') execute function wait_here()
      """
  }

  private let night: CommandNight
  private let place: Place
  private let holder: Connection

  /// Puts the barrier up; the tables are created if there are none.
  init(_ place: Place, in night: CommandNight) throws {
    self.night = night
    self.place = place
    try night.createTables()
    holder = try night.night.database.connect()
    try holder.run("select pg_advisory_lock(1)", step: "hold")
    try holder.run(
      """
      create function wait_here() returns trigger language plpgsql
      as $$ begin perform pg_advisory_xact_lock_shared(1); return new; end $$;
      \(place.rawValue)
      """, step: "barrier")
  }

  /// Waits until the program stands at the barrier.
  func isReached() throws -> Bool {
    try eventually {
      try holder.run(
        """
        select exists (
            select from pg_locks
            where locktype = 'advisory' and not granted
                and database = (select oid from pg_database where datname = current_database())
        )
        """, step: "look"
      ).first == "t"
    }
  }

  /// Lets the program go on.
  func open() throws {
    try holder.run("select pg_advisory_unlock(1)", step: "let go")
  }

  /// Takes the barrier away, when nobody stands at it any more.
  func remove() throws {
    try open()
    try holder.run("drop function wait_here() cascade", step: "barrier")
  }
}
