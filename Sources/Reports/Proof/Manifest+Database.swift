import CanonicalJSON
import FileSystem
import PostgreSQL
import Runs

extension Manifest {
  /// The manifest of an edition that is about to be shown.
  ///
  /// - Parameters:
  ///   - version: The version of the program.
  ///   - list: The editions that were published before it.
  ///   - place: The folder of all days.
  init(
    of edition: Edition, files: [File], totals: ControlTotals, version: String,
    after list: EditionList, in place: OpenFolder, from database: Connection
  ) throws {
    let rows = try database.run(Self.question, step: "manifest")
    let values = rows.values.first?.compactMap { $0 } ?? []
    guard values.count == 5, let count = Int(values[2]), let bytes = Int(values[3]) else {
      throw ReconciliationError(
        .totals, "The input of the night is not known. Nothing was published.")
    }
    self.edition = edition
    asOf = values[0]
    let head = list.head
    publication = (head?.publication ?? 0) + 1
    previous = head.map { Reference(edition: $0.edition, sha256: $0.sha256) }
    removed = list.removedSinceHead.map { Reference(edition: $0.edition, sha256: $0.sha256) }
    program = Program(version: version, schema: Schema.version)
    let recorded = try CanonicalJSON(reading: [UInt8](values[1].utf8))
    // Where the inbox is does not change a number.
    settings = .object((recorded.members ?? []).filter { $0.name != "inbox" })
    inputs = Inputs(files: count, bytes: bytes, sha256: values[4])
    self.files = files.sorted { $0.name < $1.name }
    self.totals = totals
    closed = try ClosedFile.all(in: place, database)
  }

  /// Which files counted at the night, and its settings.
  ///
  /// The list that is hashed has the form of sha256sum, so it can be made from the files.
  private static let question = """
    select
        csv_instant(night.as_of),
        run.settings::text,
        counted.files,
        counted.bytes,
        counted.sha256
    from night
    inner join run on night.run_id = run.run_id
    cross join lateral (
        select
            count(*) as files,
            coalesce(sum(used.bytes), 0) as bytes,
            encode(
                sha256(convert_to(coalesce(string_agg(used.line, '' order by used.line), ''), 'UTF8')),
                'hex'
            ) as sha256
        from (
            select distinct
                encode(input_file.sha256, 'hex') collate "C" || '  ' || input_file.folder || e'\\n'
                    as line,
                input_file.bytes
            from input_file
            where input_file.run_id <= night.run_id and not input_file.is_withdrawn
        ) as used
    ) as counted
    """
}
