import Crypto
import Foundation

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
  private let inbox: String

  init(address: String, inbox: String) {
    self.inbox = inbox
    let parts = URLComponents(string: address)
    let host = parts?.host ?? ""
    let port = parts?.port.map { ":\($0)" } ?? ""
    let path = parts?.percentEncodedPath ?? ""
    shownAddress = "\(parts?.scheme ?? "http")://\(host)\(port)\(path)"
    let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
    var name = String("\(host)\(path)".map { allowed.contains($0) ? $0 : "-" }.suffix(60))
    // A leading dot would hide the folder, a trailing ending might say that it is unfinished.
    name = name.drop { $0 == "." || $0 == "-" }.description
    folder = "catalog/fetched/\(name)-\(Self.sha256(Array(address.utf8)).prefix(8))"
  }

  /// The note, if the file that it tells of is there as it was fetched.
  var note: Note? {
    guard let data = FileManager.default.contents(atPath: notePath),
      let note = try? Self.decoder.decode(Note.self, from: data),
      !note.file.contains("/"), !note.file.hasPrefix("."),
      let bytes = FileManager.default.contents(atPath: "\(inbox)/\(folder)/\(note.file)"),
      Self.sha256([UInt8](bytes)) == note.sha256
    else { return nil }
    return note
  }

  /// Keeps a new content; the file appears whole.
  func keep(
    _ bytes: [UInt8], entityTag: String?, lastModified: String?, at now: Date,
    check: (_ hidden: String) throws -> Void
  ) throws {
    let hash = Self.sha256(bytes)
    let known = (try? FileManager.default.contentsOfDirectory(atPath: "\(inbox)/\(folder)")) ?? []
    let name =
      known.first { $0.hasSuffix("-\(hash.prefix(16))") && !$0.hasPrefix(".") }
      ?? "\(now.ISO8601Format().prefix(10))-\(hash.prefix(16))"
    try DurableFile.write(bytes, to: "\(inbox)/\(folder)/\(name)", check: check)
    try write(
      Note(
        file: name, sha256: hash, entityTag: entityTag, lastModified: lastModified,
        confirmedAt: now))
  }

  /// Removes what a killed run left beside the contents.
  func removeRemains() {
    DurableFile.removeRemains(in: "\(inbox)/\(folder)")
  }

  /// Notes that the server still has the same content.
  func confirm(_ note: Note, at now: Date) throws {
    var note = note
    note.confirmedAt = now
    try write(note)
  }

  private func write(_ note: Note) throws {
    try DurableFile.write([UInt8](try Self.encoder.encode(note)), to: notePath)
  }

  private var notePath: String { "\(inbox)/\(folder)/.newest.json" }

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
    Array(SHA256.hash(data: bytes)).hexadecimal
  }
}
