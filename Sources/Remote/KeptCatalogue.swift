import Configuration
import ExactText
import FileSystem
import Foundation
import LibCrypto
import Runs

/// The stored contents of one catalogue address, in their own folder below `catalog/fetched/`.
///
/// Each different content stays as its own file, because an identifier is never forgotten and the
/// files are the source of all data. A hidden note in the same folder records which content is the
/// newest of the address, and the server's identifiers for that content.
struct KeptCatalogue {
  /// Facts about the newest content.
  struct Note: Codable {
    /// The name of the content's file in the folder of the note.
    var file: String
    /// The SHA-256 of the file, in hexadecimal digits; a file that was changed by hand is fetched
    /// again.
    var sha256: String
    /// The header `ETag` of the answer, unchanged; nil if it cannot be sent back.
    var entityTag: String?
    /// The header `Last-Modified` of the answer, unchanged; nil if it cannot be sent back.
    var lastModified: String?
    /// When the server last confirmed that this content is the newest.
    var confirmedAt: Date
  }

  /// The path of the folder below the inbox.
  let folder: String
  private let inbox: OpenFolder

  init(address: String, inbox: OpenFolder) {
    self.inbox = inbox
    folder = Self.folder(of: address)
  }

  /// The folder of an address, below the inbox.
  static func folder(of address: String) -> String {
    let parts = URLComponents(string: address)
    let host = parts?.host ?? ""
    let path = parts?.percentEncodedPath ?? ""
    let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
    var name = String("\(host)\(path)".map { allowed.contains($0) ? $0 : "-" }.suffix(60))
    // A dot at the beginning would hide the folder. The digits at the end prevent an ending such as
    // `.tmp`, which would mark the folder as unfinished.
    name = name.drop { $0 == "." || $0 == "-" }.description
    return "catalog/fetched/\(name)-\(ShownAddress.digits(of: address))"
  }

  /// The note, if the file that it names exists and is unchanged since it was fetched.
  ///
  /// Every user who may write into the inbox can have written it, so its values are checked like
  /// those of an answer.
  ///
  /// - Parameter limit: The maximum size of a content, in bytes.
  func note(limit: Int) -> Note? {
    guard
      let data = try? FilePlace("\(folder)/\(Self.noteName)", in: inbox).contents(atMost: 64 << 10),
      var note = try? Self.decoder.decode(Note.self, from: Data(data)),
      !note.file.unicodeScalars.contains("/"), !note.file.begins(withBytesOf: "."),
      let bytes = try? FilePlace("\(folder)/\(note.file)", in: inbox).contents(atMost: limit),
      Self.sha256(bytes) == note.sha256
    else { return nil }
    note.entityTag = Self.plain(note.entityTag)
    note.lastModified = Self.plain(note.lastModified)
    return note
  }

  /// Stores a new content; its file appears only when it is complete.
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
        file: name, sha256: hash, entityTag: Self.plain(entityTag),
        lastModified: Self.plain(lastModified), confirmedAt: now), into: place)
  }

  /// Removes unfinished files that a killed run left in the folder.
  func removeRemains() {
    try? inbox.folder(folder).removeRemains()
  }

  /// Records that the server still has the same content.
  func confirm(_ note: Note, at now: Date) throws {
    var note = note
    note.confirmedAt = now
    try write(note, into: inbox.folder(folder))
  }

  private func write(_ note: Note, into folder: OpenFolder) throws {
    try folder.write([UInt8](try Self.encoder.encode(note)), as: Self.noteName, mode: 0o640)
  }

  /// A header value that can be sent back: one line of at most 500 bytes.
  private static func plain(_ header: String?) -> String? {
    guard let header, !header.isEmpty, header.utf8.count <= 500,
      header.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7f })
    else { return nil }
    return header
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
