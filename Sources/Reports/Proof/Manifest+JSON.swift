import CanonicalJSON
import LibCrypto
import Runs

extension Manifest {
  /// The manifest as canonical JSON (RFC 8785): the same content always has the same bytes.
  func text() throws(CanonicalJSONError) -> [UInt8] {
    func member(_ name: String, _ value: CanonicalJSON) -> CanonicalJSON.Member {
      CanonicalJSON.Member(name, value)
    }
    return try CanonicalJSON.object([
      member("format", .integer(Self.format)),
      member("day", .string(edition.day)),
      member("edition", .integer(edition.number)),
      member("as_of", .string(asOf)),
      member("publication", .integer(publication)),
      member("previous", previous?.json ?? .null),
      member("removed", .array(removed.map(\.json))),
      member(
        "program",
        .object([
          member("name", .string("tieout")), member("version", .string(program.version)),
          member("schema", .integer(program.schema)),
        ])),
      member("settings", settings),
      member(
        "inputs",
        .object([
          member("files", .integer(inputs.files)), member("bytes", .integer(inputs.bytes)),
          member("sha256", .string(inputs.sha256)),
        ])),
      member(
        "files",
        .array(
          files.map { file in
            .object(
              [
                member("name", .string(file.name)), member("bytes", .integer(file.bytes)),
                member("sha256", .string(file.sha256)),
              ] + (file.rows.map { [member("rows", .integer($0))] } ?? []))
          })),
      member("totals", totals.json),
      member("closed", .array(closed.map(\.json))),
    ]).text()
  }

  /// Reads a manifest.
  ///
  /// - Throws: ``CanonicalJSONError`` if the text is no canonical JSON; ``ManifestError`` if it is
  ///   no manifest.
  init(reading text: [UInt8]) throws {
    let json = try CanonicalJSON(reading: text)
    guard try json.text() == text else { throw ManifestError("it is not in the form of RFC 8785") }
    guard let format = json["format"]?.integer else { throw ManifestError("it has no format") }
    guard format == Self.format else {
      throw ManifestError(
        "its format is \(format), and this program reads \(Self.format): use a newer program")
    }
    func value<Value>(
      _ name: String, _ read: (CanonicalJSON) -> Value?
    ) throws(ManifestError) -> Value {
      guard let value = json[name].flatMap(read) else {
        throw ManifestError("its member \(name) is missing or has another form")
      }
      return value
    }
    let day = try value("day") { $0.string.flatMap { Edition(folder: $0) } }
    let number = try value("edition") { $0.integer.flatMap { $0 > 0 ? $0 : nil } }
    guard day.number == 1 else { throw ManifestError("its member day is not a day") }
    edition = Edition(day: day.day, number: number)
    asOf = try value("as_of", \.string)
    publication = try value("publication") { $0.integer.flatMap { $0 > 0 ? $0 : nil } }
    previous = json["previous"] == .null ? nil : try value("previous") { Reference($0) }
    removed = try value("removed") { $0.elements.flatMap { Self.all($0) { Reference($0) } } }
    program = try value("program") { Program($0) }
    settings = try value("settings") { $0.members == nil ? nil : $0 }
    inputs = try value("inputs") { Inputs($0) }
    files = try value("files") { $0.elements.flatMap { Self.all($0) { File($0) } } }
    totals = try value("totals") { ControlTotals($0) }
    closed = try value("closed") { $0.elements.flatMap { Self.all($0) { ClosedFile($0) } } }
    guard Set(files.map(\.name)).count == files.count,
      previous == nil || publication > 1
    else { throw ManifestError("its members contradict each other") }
  }

  /// All values, if each of them can be read.
  private static func all<Value>(
    _ elements: [CanonicalJSON], _ read: (CanonicalJSON) -> Value?
  ) -> [Value]? {
    let values = elements.compactMap(read)
    return values.count == elements.count ? values : nil
  }

  /// The SHA-256 in a text, if it is one.
  static func sha256(_ text: String?) -> String? {
    guard let text, text.utf8.count == 64, text.utf8.allSatisfy(\.isHexadecimal) else { return nil }
    return text
  }
}

/// The reason why a file is no manifest.
struct ManifestError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}

extension Manifest.Reference {
  fileprivate var json: CanonicalJSON {
    .object([
      CanonicalJSON.Member("edition", .string(edition.folder)),
      CanonicalJSON.Member("sha256", .string(sha256)),
    ])
  }

  fileprivate init?(_ json: CanonicalJSON) {
    guard let edition = json["edition"]?.string.flatMap({ Edition(folder: $0) }),
      let sha256 = Manifest.sha256(json["sha256"]?.string)
    else { return nil }
    self.init(edition: edition, sha256: sha256)
  }
}

extension Manifest.Program {
  fileprivate init?(_ json: CanonicalJSON) {
    guard json["name"]?.string == "tieout", let version = json["version"]?.string,
      let schema = json["schema"]?.integer
    else { return nil }
    self.init(version: version, schema: schema)
  }
}

extension Manifest.Inputs {
  fileprivate init?(_ json: CanonicalJSON) {
    guard let files = json["files"]?.integer, let bytes = json["bytes"]?.integer,
      let sha256 = Manifest.sha256(json["sha256"]?.string)
    else { return nil }
    self.init(files: files, bytes: bytes, sha256: sha256)
  }
}

extension ClosedFile {
  fileprivate var json: CanonicalJSON {
    .object([
      CanonicalJSON.Member("name", .string(name)), CanonicalJSON.Member("sha256", .string(sha256)),
    ])
  }

  fileprivate init?(_ json: CanonicalJSON) {
    guard let name = json["name"]?.string, Manifest.File.isName(name),
      let sha256 = Manifest.sha256(json["sha256"]?.string)
    else { return nil }
    self.init(name: name, sha256: sha256)
  }
}

extension Manifest.File {
  fileprivate init?(_ json: CanonicalJSON) {
    guard let name = json["name"]?.string, Self.isName(name),
      let bytes = json["bytes"]?.integer, bytes >= 0,
      let sha256 = Manifest.sha256(json["sha256"]?.string)
    else { return nil }
    self.init(name: name, bytes: bytes, sha256: sha256, rows: json["rows"]?.integer)
  }

  /// Whether a name is one that the program gives: no folder, nothing hidden, no escapes.
  fileprivate static func isName(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".")
      && name.utf8.allSatisfy {
        (48...57).contains($0) || (97...122).contains($0 | 0x20) || [45, 46, 95].contains($0)
      }
  }
}
