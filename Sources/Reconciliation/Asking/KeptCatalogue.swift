import FileSystem
import Foundation
import LibCrypto

/// What is kept of a catalogue that comes from an address, in a folder of its own below
/// `catalog/fetched/`.
///
/// Each different content stays as a file of its own, because an identifier is never forgotten and the
/// files are the truth. The hidden note beside them, which goes wherever the inbox goes, says which
/// content is the address's newest and what the server called it.
struct KeptCatalogue {
  /// What is known of the newest content.
  struct Note: Codable {
    /// The file's name beside the note.
    var file: String
    /// The SHA-256 of the file, in hexadecimal digits: what was changed by hand is fetched anew.
    var sha256: String
    var entityTag: String?
    var lastModified: String?
    /// When the server last said that this is the newest.
    var confirmedAt: Date
  }

  /// The address without its query, which may be a secret; for messages.
  let shownAddress: String
  /// The folder below the inbox.
  let folder: String
  private let inbox: OpenFolder

  init(address: String, inbox: OpenFolder) {
    self.inbox = inbox
    folder = Self.folder(of: address)
    let parts = URLComponents(string: address)
    let host = parts?.host ?? ""
    let port = parts?.port.map { ":\($0)" } ?? ""
    let path = parts?.percentEncodedPath ?? ""
    shownAddress = "\(parts?.scheme ?? "http")://\(host)\(port)\(path)"
  }

  /// The folder of an address, below the inbox.
  static func folder(of address: String) -> String {
    let parts = URLComponents(string: address)
    let host = parts?.host ?? ""
    let path = parts?.percentEncodedPath ?? ""
    let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
    var name = String("\(host)\(path)".map { allowed.contains($0) ? $0 : "-" }.suffix(60))
    // A leading dot would hide the folder, a trailing ending might say that it is unfinished.
    name = name.drop { $0 == "." || $0 == "-" }.description
    return "catalog/fetched/\(name)-\(sha256(Array(address.utf8)).prefix(8))"
  }

  /// The note, if the file that it tells of is there as it was fetched.
  ///
  /// - Parameter limit: The most bytes that a content has.
  func note(limit: Int) -> Note? {
    guard
      let data = try? FilePlace("\(folder)/\(Self.noteName)", in: inbox).contents(atMost: 64 << 10),
      let note = try? Self.decoder.decode(Note.self, from: Data(data)),
      !note.file.contains("/"), !note.file.hasPrefix("."),
      let bytes = try? FilePlace("\(folder)/\(note.file)", in: inbox).contents(atMost: limit),
      Self.sha256(bytes) == note.sha256
    else { return nil }
    return note
  }

  /// Keeps a new content; the file appears whole.
  func keep(
    _ bytes: [UInt8], entityTag: String?, lastModified: String?, at now: Date,
    check: (_ hidden: FilePlace) throws -> Void
  ) throws {
    let hash = Self.sha256(bytes)
    let place = try inbox.folder(folder, making: 0o750)
    let known = try place.entries().map(\.name).sorted()
    let name =
      known.first { $0.hasSuffix("-\(hash.prefix(16))") && !$0.hasPrefix(".") }
      ?? "\(now.ISO8601Format().prefix(10))-\(hash.prefix(16))"
    try place.write(bytes, as: name, mode: 0o640, check: check)
    try write(
      Note(
        file: name, sha256: hash, entityTag: entityTag, lastModified: lastModified,
        confirmedAt: now), into: place)
  }

  /// Removes what a killed run left beside the contents.
  func removeRemains() {
    try? inbox.folder(folder).removeRemains()
  }

  /// Notes that the server still has the same content.
  func confirm(_ note: Note, at now: Date) throws {
    var note = note
    note.confirmedAt = now
    try write(note, into: inbox.folder(folder))
  }

  private func write(_ note: Note, into folder: OpenFolder) throws {
    try folder.write([UInt8](try Self.encoder.encode(note)), as: Self.noteName, mode: 0o640)
  }

  private static let noteName = ".newest.json"

  private static let encoder: JSONEncoder = {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    encoder.dateEncodingStrategy = .iso8601
    return encoder
  }()

  private static let decoder: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }()

  private static func sha256(_ bytes: [UInt8]) -> String {
    HashFunction.sha256.digest(of: bytes).hexadecimal
  }
}
