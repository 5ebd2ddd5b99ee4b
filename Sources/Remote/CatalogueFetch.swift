package import Configuration
package import FileSystem
package import Foundation
package import Inbox
package import Intake
import Runs
package import Waiting
package import WebClient

/// Fetches the catalogues that come from addresses into the inbox.
///
/// No failure here ends the night: the stored content stays in force, and a warning gives its age.
package final class CatalogueFetch {
  private let settings: Settings
  private let inbox: OpenFolder
  private let intake: IntakeSettings
  private let client: WebClient
  private let stop: StopRequest
  private let patience: WebPatience
  private let now: () -> Date
  private var temporaryFolder: OpenFolder?
  /// Warnings for the summary of the run.
  package private(set) var warnings: [String] = []
  /// The names of the addresses that gave a usable answer, and when.
  package private(set) var answers: [(address: String, at: Date)] = []
  /// The files that a dry run fetched; they are outside the inbox and are deleted with this object.
  package private(set) var unkept: [InboxFile] = []

  /// Prepares to fetch.
  ///
  /// - Parameters:
  ///   - inbox: The inbox, held open.
  ///   - intake: How files are read, for the check of an answer.
  ///   - version: The program's version, which is sent to the servers.
  ///   - patience: The timeouts of each request.
  ///   - now: The clock.
  package init(
    settings: Settings, inbox: OpenFolder, intake: IntakeSettings, version: String,
    stop: StopRequest,
    patience: WebPatience = WebPatience(), now: @escaping () -> Date = { .now }
  ) {
    self.settings = settings
    self.inbox = inbox
    self.intake = intake
    client = WebClient(userAgent: "tieout/\(version)") { stop.isMade }
    self.stop = stop
    self.patience = patience
    self.now = now
  }

  deinit {
    if let temporaryFolder { try? FileManager.default.removeItem(atPath: temporaryFolder.path) }
  }

  /// Fetches all catalogues, one after another.
  ///
  /// - Throws: ``ReconciliationError`` with `stopped`, and nothing else.
  package func fetch() throws {
    for (address, name) in zip(settings.catalogueURLs, settings.shownCatalogueURLs) {
      let kept = KeptCatalogue(address: address, inbox: inbox)
      let note = kept.note(limit: settings.documentLimitBytes)
      if !settings.dryRun { kept.removeRemains() }
      do {
        try fetch(address, kept, note)
        answers.append((name, now()))
      } catch {
        try stop.check()
        let words = (error as? Unusable)?.words ?? (error as? FileSystemError)?.description
        warnings.append(
          Self.warning(name, words ?? FileSystemError.words(of: error), note, now()))
      }
    }
  }

  /// A missing answer, or an answer that cannot become a catalogue.
  private struct Unusable: Error {
    let words: String
  }

  private func fetch(_ address: String, _ kept: KeptCatalogue, _ note: KeptCatalogue.Note?) throws {
    var request = WebRequest(address: address, limitBytes: settings.documentLimitBytes)
    request.followsRedirects = true
    request.takesNamesFromNetrc = true
    request.patience = patience
    if let tag = note?.entityTag { request.headers.append("If-None-Match: \(tag)") }
    if let time = note?.lastModified { request.headers.append("If-Modified-Since: \(time)") }
    let answer: WebAnswer
    do { answer = try client.ask(request) } catch { throw Unusable(words: error.message) }
    switch answer.status {
    case 200:
      try take(answer, kept)
    case 304:
      guard let note else {
        throw Unusable(words: "the server says that the catalogue is unchanged")
      }
      if !settings.dryRun { try kept.confirm(note, at: now()) }
    default:
      throw Unusable(words: "the server answered \(answer.status)")
    }
  }

  private func take(_ answer: WebAnswer, _ kept: KeptCatalogue) throws {
    guard !answer.body.isEmpty else { throw Unusable(words: "the answer is empty") }
    guard !settings.dryRun else { return try takeUnkept(answer.body, kept) }
    try kept.keep(
      answer.body, entityTag: answer.headers["etag"],
      lastModified: answer.headers["last-modified"], at: now()
    ) { try check($0) }
  }

  private func check(_ place: FilePlace) throws {
    guard let problem = CatalogueCheck.problem(place, settings: intake) else { return }
    throw Unusable(words: "the answer cannot be used (\(problem))")
  }

  private func takeUnkept(_ bytes: [UInt8], _ kept: KeptCatalogue) throws {
    let folder = try temporaryFolder ?? makeTemporaryFolder()
    temporaryFolder = folder
    let name = "\(unkept.count)"
    try folder.write(bytes, as: name, mode: 0o600) { try check($0) }
    guard let status = folder.status(of: name) else { return }
    unkept.append(
      InboxFile(
        path: "\(kept.folder)/new", place: FilePlace(name, in: folder), folder: .catalog,
        status: status))
  }

  private func makeTemporaryFolder() throws -> OpenFolder {
    let temporary = try OpenFolder(FileManager.default.temporaryDirectory.path)
    let name = "tieout-\(UUID().uuidString)"
    try temporary.makeFolder(name, mode: 0o700)
    return try temporary.folder(name)
  }

  private static func warning(
    _ address: String, _ words: String, _ note: KeptCatalogue.Note?, _ now: Date
  ) -> String {
    let start = "The catalogue at \(address) could not be fetched: \(words)."
    guard let note else { return "\(start) There is no earlier copy." }
    let time = note.confirmedAt.ISO8601Format()
    let age = age(now.timeIntervalSince(note.confirmedAt))
    return "\(start) The copy of \(time) is used, which is \(age) old."
  }

  private static func age(_ seconds: Double) -> String {
    let units = [("day", 86_400.0), ("hour", 3600), ("minute", 60)]
    for (name, length) in units where seconds >= length {
      let count = Int(seconds / length)
      return "\(count) \(name)\(count == 1 ? "" : "s")"
    }
    return "less than a minute"
  }
}
