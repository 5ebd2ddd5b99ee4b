import Configuration
import FileSystem
import Foundation
import Intake
import PostgreSQL
import Remote
import Runs

extension RunTask {
  /// Fetches the catalogues that come from addresses, if the settings contain addresses.
  func fetchCatalogues(
    _ intake: IntakeSettings, in inbox: OpenFolder
  ) throws -> CatalogueFetch? {
    guard !work.settings.catalogueAddresses.isEmpty else { return nil }
    let fetch = CatalogueFetch(
      settings: work.settings, inbox: inbox, intake: intake, version: work.night.version,
      stop: work.night.stop)
    try work.steps.measure("fetch catalogues") { try fetch.fetch() }
    work.summary.warnings += fetch.warnings
    return fetch
  }

  /// Records which addresses answered, so that an address that no longer answers is noticed.
  func note(_ answers: [(address: String, at: Date)]) throws {
    for answer in answers {
      try work.database.run(
        """
        insert into feed_day (feed, environment, day, first_at, last_at)
        select $1, '', (answered.at at time zone 'UTC')::date, answered.at, answered.at
        from (values ($2::timestamptz)) as answered (at)
        on conflict (feed, environment, day) do update
            set
                first_at = least(feed_day.first_at, excluded.first_at),
                last_at = greatest(feed_day.last_at, excluded.last_at)
        """, [answer.address, answer.at.ISO8601Format()], step: "fetch catalogues")
    }
  }
}
