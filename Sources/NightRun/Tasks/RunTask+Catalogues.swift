import Configuration
import FileSystem
import Foundation
import Intake
import PostgreSQL
import ReconciliationSQL
import Remote
import Runs

extension RunTask {
  /// Fetches the catalogues that come from addresses, if the settings contain addresses.
  func fetchCatalogues(
    _ intake: IntakeSettings, in inbox: OpenFolder
  ) throws -> CatalogueFetch? {
    guard !work.settings.catalogueURLs.isEmpty else { return nil }
    let fetch = CatalogueFetch(
      settings: work.settings, inbox: inbox, intake: intake, version: work.night.version,
      stop: work.night.stop)
    try work.steps.measure("fetch catalogues") { try fetch.fetch() }
    work.summary.warnings += fetch.warnings
    return fetch
  }

  /// Records which addresses answered, so that an address that no longer answers is noticed.
  func recordAnswers(_ answers: [(address: String, at: Date)]) throws {
    for answer in answers {
      try work.database.run(SQLFile.loadAnswer, [answer.address, answer.at.ISO8601Format()])
    }
  }
}
