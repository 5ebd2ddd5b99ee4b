import Foundation
import PostgreSQL
import ReconciliationTestSupport
import TestNeeds
import Testing

/// Makes the program wait at a chosen SQL statement until the test releases it.
///
/// A trigger waits for a lock that the test holds. So no test has to guess how long a step takes.
final class Barrier {
  /// The place at which the program waits.
  enum Place: String {
    /// While the inbox is read: the first deliveries are sent to the staging table.
    case reading = """
      create trigger wait_here before insert on tieout.staging_delivery
      for each statement execute function wait_here()
      """
    /// Inside the one transaction of the run.
    case loading = """
      create trigger wait_here before insert on tieout.stored_delivery
      for each statement execute function wait_here()
      """
    /// At the end: all work is done, and the commit has begun.
    case committing = """
      create constraint trigger wait_here after update on tieout.run
      deferrable initially deferred
      for each row when (new.outcome = 'done') execute function wait_here()
      """
    /// After the reports are published: the run is about to record that.
    case showing = """
      create trigger wait_here after update on tieout.run
      for each row when (new.is_published and not old.is_published) execute function wait_here()
      """
  }

  private let night: CommandNight
  private let place: Place
  private let holder: Connection

  /// Creates the barrier.
  init(_ place: Place, in night: CommandNight) throws {
    self.night = night
    self.place = place
    holder = try night.night.database.connect()
    try holder.run("select pg_advisory_lock(1)", step: "hold")
    try holder.run(
      """
      create function wait_here() returns trigger language plpgsql
      as $$ begin perform pg_advisory_xact_lock_shared(1); return new; end $$;
      \(place.rawValue)
      """, step: "barrier")
  }

  /// Waits until the program has reached the barrier, and returns whether it has.
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

  /// Lets the program continue.
  func open() throws {
    try holder.run("select pg_advisory_unlock(1)", step: "release")
  }

  /// Lets the program continue and removes the barrier.
  func remove() throws {
    try open()
    try holder.run("drop function wait_here() cascade", step: "barrier")
  }
}
