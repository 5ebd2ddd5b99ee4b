import CanonicalJSON
import FileSystem
import LibCrypto
import Runs

/// Checks the packs of closed periods and their certificates: `closed/` in a reports folder.
struct PackProof {
  /// `closed/`, held open.
  let folder: OpenFolder

  /// The packs and certificates of a folder, which do not contradict each other.
  struct Proven {
    fileprivate(set) var packs = 0
    /// The number of all their files.
    fileprivate(set) var files = 0
    /// The SHA-256 of the manifest of each pack, and that of each certificate, by their names.
    fileprivate(set) var sums: [String: String] = [:]
    private var named: Set<String> = []

    init() {}

    fileprivate init(packs: Int, files: Int, sums: [String: String]) {
      (self.packs, self.files, self.sums) = (packs, files, sums)
    }

    /// Checks that the packs and certificates that an edition's manifest names are here, unchanged.
    ///
    /// - Parameter reports: The path of the reports folder.
    /// - Throws: ``ProofFault``.
    mutating func compare(with manifest: Manifest, in reports: String) throws {
      let witness = "\(reports)/\(manifest.edition.folder)/\(Manifest.fileName)"
      for file in manifest.closed {
        named.insert(file.name)
        let isPack = !file.name.hasSuffix(".json")
        let path =
          "\(reports)/\(ClosingPack.folderName)/\(file.name)"
          + (isPack ? "/\(Manifest.fileName)" : "")
        guard let sum = sums[file.name] else {
          throw ProofFault(path, "is missing: \(witness) names it")
        }
        guard sum == file.sha256 else {
          throw ProofFault(
            path, "should have the SHA-256 \(file.sha256) as \(witness) says, and has \(sum)")
        }
      }
    }

    /// What was closed or approved since the newest edition; nil if nothing was.
    ///
    /// A closing that a restored database does not know stays here, so each name is given.
    var note: String? {
      let others = sums.keys.filter { !named.contains($0) }.sorted()
      let names = others.joined(separator: ", ")
      return switch others.count {
      case 0: nil
      case 1: "1 pack or certificate of a closed period is in no manifest yet: \(names)"
      case let count:
        "\(count) packs and certificates of closed periods are in no manifest yet: \(names)"
      }
    }
  }

  /// Checks every pack, in the order of the names, then every certificate.
  ///
  /// - Throws: ``ProofFault`` for the first thing that is wrong; ``ReconciliationError`` if
  ///   something cannot be read.
  func check() throws -> Proven {
    var manifests: [String: String] = [:]
    var certificates: [String] = []
    var files = 0
    for entry in try verifying({ try folder.entries() }).sorted(by: { $0.name < $1.name })
    where !entry.name.hasPrefix(".") {
      let isCertificate = entry.name.wholeMatch(of: /.+\.certificate-[0-9]+\.json/) != nil
      switch entry.status.kind {
      case .folder where entry.isText && !isCertificate:
        let pack = try check(pack: verifying { try folder.folder(entry.name) })
        manifests[entry.name] = pack.manifest
        files += pack.files
      case .file where entry.isText && isCertificate: certificates.append(entry.name)
      default:
        throw ProofFault(
          path(entry.name), "is neither the folder of a closed period nor a certificate",
          "Remove it, and find out who can write there.")
      }
    }
    var proven = Proven(packs: manifests.count, files: files, sums: manifests)
    for name in certificates {
      proven.sums[name] = try check(certificate: name, of: manifests)
      proven.files += 1
    }
    return proven
  }

  /// Checks one pack, without its certificates.
  ///
  /// - Returns: the SHA-256 of its manifest, and the number of its files.
  /// - Throws: The same errors as ``check()``.
  func check(pack: OpenFolder) throws -> (manifest: String, files: Int) {
    func path(_ file: String) -> String { "\(pack.path)/\(file)" }
    let entries = try verifying { try pack.entries() }
    for entry in entries where entry.status.kind != .file {
      throw ProofFault(path(entry.name), "is not a file")
    }
    let found = Set(entries.map(\.name))
    for needed in [Manifest.fileName, EditionSums.fileName] where !found.contains(needed) {
      throw ProofFault(path(needed), "is missing")
    }
    let (json, manifest) = try document(
      FilePlace(Manifest.fileName, in: pack), at: path(Manifest.fileName))
    var sums = [Manifest.fileName: manifest]
    for file in json["files"]?.elements ?? [] {
      guard let name = file["name"]?.string, let expected = file["sha256"]?.string else {
        throw ProofFault(path(Manifest.fileName), "does not name its files")
      }
      guard found.contains(name) else { throw ProofFault(path(name), "is missing") }
      let sum = try self.sum(of: name, in: pack)
      guard sum.sha256 == expected else {
        throw ProofFault(path(name), "should have the SHA-256 \(expected), and has \(sum.sha256)")
      }
      sums[name] = expected
    }
    if let other = found.subtracting(sums.keys).subtracting([EditionSums.fileName]).min() {
      throw ProofFault(
        path(other), "is not part of the closed period: its manifest does not name it",
        "Remove it, and find out who can write there.")
    }
    let listed = try verifying {
      try FilePlace(EditionSums.fileName, in: pack).contents(atMost: Manifest.mostBytes)
    }
    guard listed == EditionSums.text(sums) else {
      throw ProofFault(
        path(EditionSums.fileName), "does not have the checksums that \(Manifest.fileName) has")
    }
    return (manifest, sums.count + 1)
  }

  /// - Returns: the SHA-256 of the certificate.
  private func check(certificate name: String, of manifests: [String: String]) throws -> String {
    let (json, sum) = try document(FilePlace(name, in: folder), at: path(name))
    guard let pack = json["pack"]?.string, name.hasPrefix("\(pack).certificate-") else {
      throw ProofFault(path(name), "is not the certificate that its name says")
    }
    guard let manifest = manifests[pack] else { throw ProofFault(path(pack), "is missing") }
    guard json["pack_sha256"]?.string == manifest else {
      throw ProofFault(
        path("\(pack)/\(Manifest.fileName)"),
        "has the SHA-256 \(manifest), but its certificate \(name) names another one")
    }
    return sum
  }

  /// A document in the form of RFC 8785, and its SHA-256.
  private func document(
    _ place: FilePlace, at path: String
  ) throws -> (json: CanonicalJSON, sha256: String) {
    let text = try verifying { try place.contents(atMost: Manifest.mostBytes) }
    do {
      let json = try CanonicalJSON(reading: text)
      if try json.text() == text {
        return (json, HashFunction.sha256.digest(of: text).hexadecimal)
      }
    } catch {
      throw ProofFault(path, "is not a document that the program writes: \(error)")
    }
    throw ProofFault(path, "is not in the form of RFC 8785")
  }

  private func sum(of name: String, in pack: OpenFolder) throws -> FileSum {
    try verifying { try ReportFile.sum(of: FilePlace(name, in: pack)) }
  }

  private func path(_ name: String) -> String { "\(folder.path)/\(name)" }
}
