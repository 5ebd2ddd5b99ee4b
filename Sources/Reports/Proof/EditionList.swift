import CanonicalJSON
import FileSystem
import Glibc
import LibCrypto
package import Runs

/// `editions.txt`: the editions of a reports folder in the order of their publication, and those
/// that were removed on request.
///
/// The manifests themselves form the chain. The list names the newest manifest, so not all of them
/// have to be read. The list also keeps the checksum of an edition that is removed.
package struct EditionList: Sendable {
  /// The file in the reports folder.
  static let fileName = "editions.txt"
  /// The maximum size of a list that is read.
  static let mostBytes = 64 << 20

  /// One line: what happened to which edition.
  package struct Line: Sendable, Hashable {
    enum Event: String { case published, removed }

    let event: Event
    /// The place of the edition in the order of publication.
    package let publication: Int
    /// The edition.
    package let edition: Edition
    let asOf: String
    /// The SHA-256 of its manifest.
    package let sha256: String

    init(_ event: Event, _ publication: Int, _ edition: Edition, asOf: String, sha256: String) {
      self.event = event
      self.publication = publication
      self.edition = edition
      self.asOf = asOf
      self.sha256 = sha256
    }

    /// Reads a line without its line end; nil if the program does not write such a line.
    init?(_ text: Substring) {
      let parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 5, let event = Event(rawValue: parts[0]), let number = Int(parts[1]),
        (1...CanonicalJSON.largestInteger).contains(number), "\(number)" == parts[1],
        let edition = Edition(folder: parts[2]),
        let sha256 = Manifest.sha256(parts[4])
      else { return nil }
      self.init(event, number, edition, asOf: parts[3], sha256: sha256)
    }

    /// The line with its line end.
    var text: String {
      "\(event.rawValue) \(publication) \(edition.folder) \(asOf) \(sha256)\n"
    }
  }

  /// The bytes of the file, including lines that cannot be read; bytes are only ever added.
  private(set) var bytes: [UInt8]
  /// The lines that can be read, each with its number.
  private(set) var lines: [(number: Int, line: Line)] = []
  /// The numbers of the lines that cannot be read.
  private(set) var damaged: [Int] = []
  /// The newest line of each edition that was published.
  private var published: [Edition: Line] = [:]
  private var removals: Set<Line> = []

  /// The lines of a file.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    let parts = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    for (place, part) in parts.enumerated() where place < parts.count - 1 || !part.isEmpty {
      let isWhole = place < parts.count - 1
      if isWhole, let line = Line(part) {
        take(line, place + 1)
      } else {
        damaged.append(place + 1)
      }
    }
  }

  /// Reads the list of a reports folder; it is empty if there is none.
  init(in place: OpenFolder) throws(FileSystemError) {
    do {
      self.init(try FilePlace(Self.fileName, in: place).contents(atMost: Self.mostBytes))
    } catch {
      guard error.code == ENOENT else { throw error }
      self.init([])
    }
  }

  /// The newest edition that was published.
  package var head: Line? {
    lines.lazy.map(\.line).filter { $0.event == .published }.max { $0.publication < $1.publication }
  }

  /// The editions that were removed since the newest one was published.
  var removedSinceHead: [Line] {
    let last = lines.lastIndex { $0.line.event == .published } ?? -1
    return lines[(last + 1)...].map(\.line)
  }

  /// The line of an edition's publication.
  func publication(of edition: Edition) -> Line? {
    published[edition]
  }

  /// Whether an edition was removed on request.
  func hasRemoved(_ edition: Edition) -> Bool { removals.contains { $0.edition == edition } }

  /// The first publication for which another list has another edition.
  func contradiction(to other: EditionList) -> Line? {
    let published = Dictionary(
      lines.lazy.map(\.line).filter { $0.event == .published }.map { ($0.publication, $0) },
      uniquingKeysWith: { first, _ in first })
    return other.lines.lazy.map(\.line).first { line in
      line.event == .published && published[line.publication].map { $0 != line } == true
    }
  }

  mutating func append(_ line: Line) {
    let end = UInt8(ascii: "\n")
    if bytes.last.map({ $0 != end }) == true { bytes.append(end) }
    bytes += line.text.utf8
    // Each line of the file is in one of the two.
    take(line, lines.count + damaged.count + 1)
  }

  private mutating func take(_ line: Line, _ number: Int) {
    lines.append((number, line))
    switch line.event {
    case .published: published[line.edition] = line
    case .removed: removals.insert(line)
    }
  }

  /// Notes the editions that are published but not in the list, because a run was killed before it
  /// could note its own, or because the list is lost.
  ///
  /// - Parameter new: An edition that has just been published. A lost folder may have had its name.
  mutating func noteUnlisted(_ editions: [Edition], new: Edition? = nil, in place: OpenFolder) {
    let missing = editions.filter { published[$0] == nil && $0 != new } + (new.map { [$0] } ?? [])
    let unlisted = missing.compactMap { edition -> (line: Line, removed: [Manifest.Reference])? in
      let path = "\(edition.folder)/\(Manifest.fileName)"
      // An edition that somebody has damaged may have no manifest.
      guard place.status(of: path)?.kind == .file,
        let bytes = try? FilePlace(path, in: place).contents(atMost: Manifest.mostBytes),
        let manifest = try? Manifest(reading: bytes), manifest.edition == edition
      else { return nil }
      let line = Line(
        .published, manifest.publication, edition, asOf: manifest.asOf,
        sha256: HashFunction.sha256.digest(of: bytes).hexadecimal)
      return (line, manifest.removed)
    }
    for (line, removed) in unlisted.sorted(by: {
      ($0.line.publication, $0.line.edition) < ($1.line.publication, $1.line.edition)
    }) where publication(of: line.edition) != line {
      // Their lines may be lost, too.
      noteRemoval(
        of: removed.filter { publication(of: $0.edition)?.sha256 == $0.sha256 }.map(\.edition))
      append(line)
    }
  }

  /// Notes that editions are removed on request, except those that have no line.
  mutating func noteRemoval(of editions: [Edition]) {
    for edition in editions {
      guard let line = publication(of: edition) else { continue }
      let removal = Line(
        .removed, line.publication, edition, asOf: line.asOf, sha256: line.sha256)
      if !removals.contains(removal) { append(removal) }
    }
  }

  /// Replaces the file in one step.
  func write(in place: OpenFolder) throws {
    try ReportFile.replace(Self.fileName, with: bytes, in: place)
  }
}
