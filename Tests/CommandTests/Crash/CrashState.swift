import Foundation
import PostgreSQL
import ReconciliationTestSupport
import Reports

/// The result of a command: the visible files, the hidden files, and digests of the tables.
struct CrashState {
  /// The content of each visible file, by its path below the test's folder.
  var files: [String: String] = [:]
  /// The names of hidden files and folders.
  var hidden: [String] = []
  /// A digest of each table.
  var tables: [String: String] = [:]

  /// The names of the files and tables that differ.
  func differences(from other: CrashState) -> [String] {
    Set(files.keys).union(other.files.keys).filter { files[$0] != other.files[$0] }.sorted().map {
      "\($0) (\(Self.words(files[$0], other.files[$0])))"
    } + differences(fromTables: other.tables)
  }

  /// The first line of each text that the other text does not have.
  private static func words(_ text: String?, _ other: String?) -> String {
    guard let text, let other else { return text == nil ? "missing" : "too much" }
    let lines = [text, other].map { $0.split(whereSeparator: \.isNewline) }
    let extra = lines[0].first { !lines[1].contains($0) }?.prefix(300) ?? "none"
    let missing = lines[1].first { !lines[0].contains($0) }?.prefix(300) ?? "none"
    return "extra line: \(extra); missing line: \(missing)"
  }

  /// The names of the tables that differ.
  func differences(fromTables other: [String: String]) -> [String] {
    Set(tables.keys).union(other.keys).filter { tables[$0] != other[$0] }.sorted()
  }

  /// The files of each folder of reports that is published as a whole, such as a day or `latest`.
  ///
  /// Each other file has an entry of its own.
  var folders: [String: [String: String]] {
    var folders: [String: [String: String]] = [:]
    for (path, text) in files {
      let parts = path.split(separator: "/")
      let isOfDay = parts.first == "reports" && parts.count > 1
      folders[isOfDay ? parts.prefix(2).joined(separator: "/") : path, default: [:]][path] = text
    }
    return folders
  }
}

extension CrashScene.Kind {
  /// The digests of all tables, without what differs in every run.
  ///
  /// `roll_forward` is left out, because an interrupted command runs twice.
  func digests(_ connection: Connection) throws -> TableDigests {
    var columns = ["column_name in ('asked_at', 'withdrawn_at')"]
    switch self {
    case .forget:
      // Hashes that include random tokens.
      columns.append("data_type in ('bytea', 'uuid') and column_name <> 'digest'")
      columns.append("column_name = 'content_hash'")
    case .fetched:
      // The time of the last write, and the time of an answer.
      columns.append("column_name in ('modified_ns', 'inode')")
      columns.append("table_name = 'feed_day' and column_name in ('first_at', 'last_at')")
    default: break
    }
    return try TableDigests(
      connection, leavingOut: ["roll_forward"], columns: columns.joined(separator: " or "),
      pattern: pattern)
  }

  /// A regular expression for the parts that differ in every run: tokens of forgotten accounts,
  /// names of findings about them, and times of answers.
  var pattern: String? {
    switch self {
    case .forget: "f:[0-9a-f]{8,}|F-[0-9a-f]{4,}"
    case .refresh: "-[0-9]{6}[.]"
    default: nil
    }
  }

  /// Whether a file contains such parts in a form in which they cannot be replaced.
  func isAnother(_ name: String) -> Bool {
    switch self {
    case .forget: Self.ofChecksums.contains(name) || name.hasSuffix(".xlsx")
    case .unpublished: Self.ofChecksums.contains(name)
    default: false
    }
  }

  /// The files that contain checksums of others.
  private static let ofChecksums = ["SHA256SUMS", "manifest.json", "editions.txt"]

  /// The text without such parts.
  func settled(_ text: String) throws -> String {
    switch self {
    case .forget:
      text.replacing(/f:[0-9a-f]{8,}|F-[0-9a-f]{4,}/, with: ".")
    case .unpublished:
      // A page has a link to the night before only if that night is published.
      text.replacing(#/<a [^>]*rel="prev">[^<]*</a> /#, with: "")
    case .refresh:
      text.replacing(/-[0-9]{6}[.]/, with: ".").replacing(/"received_at":"[^"]*"/, with: "")
    default: text
    }
  }
}

extension CrashScene {
  /// The state after the last run.
  func state() throws -> CrashState {
    try waitUntilAlone()
    var state = CrashState(tables: try digests.read(observer))
    for folder in kind.folders {
      let place = command.night.folder.appending(path: folder).path
      for path in (try? FileManager.default.subpathsOfDirectory(atPath: place)) ?? [] {
        let parts = path.split(separator: "/")
        if parts.contains(where: { $0.hasPrefix(".") }) {
          // The files of a hidden folder are part of that folder. The deeper hidden files about a
          // fetched catalogue may stay.
          if parts.count == 1 || parts.last?.hasSuffix(".tmp") == true { state.hidden.append(path) }
          continue
        }
        let name = try "\(folder)/\(kind.settled(path))"
        let whole = "\(place)/\(path)"
        if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: whole) {
          state.files[name] = "link to \(target)"
        } else if kind.isAnother(String(parts.last ?? "")) {
          state.files[name] = "there"
        } else if let data = FileManager.default.contents(atPath: whole) {
          state.files[name] = try kind.settled(
            String(data: data, encoding: path.hasSuffix(".xlsx") ? .isoLatin1 : .utf8) ?? "no text")
        }
      }
    }
    // A temporary file of the metrics file.
    state.hidden += try FileManager.default.contentsOfDirectory(atPath: command.night.folder.path)
      .filter { $0.hasPrefix(".tieout.") }
    return state
  }

  /// What `tieout verify` says about the reports, if something is wrong.
  func faults() -> [String] {
    do {
      _ = try FolderProof(command.night.reports.path).check()
      return []
    } catch {
      // Without any edition there is nothing to verify.
      return error is ProofFault ? ["\(error)"] : []
    }
  }

  /// The leftovers that no run may have: hidden files, locks, and runs without an end.
  func remains(_ state: CrashState) throws -> [String] {
    let ends =
      try observer.run(
        """
        select
            (
                select count(*) from pg_locks
                where locktype = 'advisory'
                    and database = (select oid from pg_database where datname = current_database())
            ),
            count(*)
        from tieout.run
        where outcome = 'running' or outcome = 'done' and not (is_published and is_reported)
        """, step: "look"
      ).values.first ?? []
    return state.hidden + faults() + (ends.first == "0" ? [] : ["a lock"])
      + (ends.last == "0" ? [] : ["a run without an end"])
  }
}
