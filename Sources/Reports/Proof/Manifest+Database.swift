import CanonicalJSON
import FileSystem
import PostgreSQL
import ReconciliationSQL
import Runs

extension Manifest {
  /// The manifest of an edition that is about to be published.
  ///
  /// - Parameters:
  ///   - version: The version of the program.
  ///   - list: The editions that were published before it.
  ///   - place: The reports folder.
  init(
    of edition: Edition, files: [File], totals: ControlTotals, version: String,
    after list: EditionList, in place: OpenFolder, from database: Connection
  ) throws {
    guard let row = try database.run(SQLFile.publishInput).records.first,
      let asOf = row["as_of"], let given = row["settings"],
      let count = row.number("files"),
      let bytes = row.number("bytes"), let sha256 = row["sha256"]
    else {
      throw ReconciliationError(
        .totals, "The input of the night is not known. Nothing was published.")
    }
    self.edition = edition
    self.asOf = asOf
    let head = list.head
    publication = (head?.publication ?? 0) + 1
    previous = head.map { Reference(edition: $0.edition, sha256: $0.sha256) }
    removed = list.removedSinceHead.map { Reference(edition: $0.edition, sha256: $0.sha256) }
    program = Program(version: version, schema: Schema.version)
    let recorded = try CanonicalJSON(reading: [UInt8](given.utf8))
    // The path of the inbox is left out, because no number depends on it.
    settings = .object((recorded.members ?? []).filter { $0.name != "inbox" })
    inputs = Inputs(files: count, bytes: bytes, sha256: sha256)
    self.files = files.sorted { $0.name < $1.name }
    self.totals = totals
    closed = try ClosedFile.all(in: place, database)
  }
}
