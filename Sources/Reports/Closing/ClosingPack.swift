import CanonicalJSON
import FileSystem
import Foundation
import LibCrypto
import PostgreSQL
import ReconciliationSQL
import Runs

/// The folder of a closed period, `closed/2026-10/` in the reports folder: its statement, its
/// liabilities, what was open, and a manifest.
///
/// It is written under a hidden name, and never changes once it is shown. A certificate is a file
/// beside it.
struct ClosingPack {
  /// What the manifest says about the closing.
  struct Head {
    let period: String
    let days: (first: String, last: String)
    /// The number of the closing of this period, from 1.
    let closing: Int
    let asOf: String
    /// The folder of the edition with the same numbers.
    let edition: String
    let person: String
    let at: String
    let version: String
    /// The closing before the period was reopened.
    let previous: PreviousClosing?
    /// The reopened closings of other periods that share a day with this one.
    let overlapping: [OverlappingClosing]
  }

  /// The folder of all packs, in the reports folder.
  static let folderName = "closed"

  private let place: OpenFolder

  /// Opens `closed/`, and creates it if it does not exist.
  ///
  /// - Throws: ``ReconciliationError`` with `reports`.
  init(reports: String) throws {
    place = try explainingFileErrors(otherwise: Self.nothingHappened) {
      let all = try OpenFolder(reports, making: 0o777)
      guard all.status(of: Self.folderName) == nil else { return try all.folder(Self.folderName) }
      try all.makeFolder(Self.folderName, mode: 0o750)
      let closed = try all.folder(Self.folderName)
      // The person who approves can be another user of the system.
      try closed.shareWithGroup(like: all)
      // Its name must be durable before a closing is committed.
      try all.synchronize()
      return closed
    }
  }

  /// Checks that a reports folder has an edition.
  ///
  /// Without one it is most likely the wrong folder, and nobody would find the pack.
  ///
  /// - Throws: ``ReconciliationError`` with `unknown`; with `reports` if the folder is there and
  ///   cannot be opened.
  static func requireEditions(in reports: String) throws {
    let path = URL(filePath: reports).path
    let editions = try ifThere { () throws(FileSystemError) in
      try PublishedEditions(in: OpenFolder(path)).all
    }
    guard (editions ?? []).isEmpty else { return }
    throw ReconciliationError(
      .unknown,
      """
      \(path) has no reports of a night, so it is not the folder of the nights. Set --reports to that folder, or \
      run the command where the nights run.
      """)
  }

  /// Opens `closed/`, if it exists.
  ///
  /// - Throws: ``ReconciliationError`` with `reports` if it exists or may exist.
  init?(existingIn reports: String) throws {
    let found = try Self.ifThere { () throws(FileSystemError) in
      try OpenFolder(reports).folder(Self.folderName)
    }
    guard let found else { return nil }
    place = found
  }

  /// What `open` opens; nil if it is not there.
  ///
  /// A folder that this user may not open is not a missing one: the advice for a missing folder
  /// would undo a correct closing.
  private static func ifThere<Opened>(
    _ open: () throws(FileSystemError) -> Opened
  ) throws(ReconciliationError) -> Opened? {
    do throws(FileSystemError) { return try open() } catch {
      guard !error.isNotThere else { return nil }
      throw ReconciliationError(.reports, "\(error). \(error.remedy)")
    }
  }

  /// The name of a pack: that of the period, with the number of the closing from the second on.
  static func name(of period: String, closing: Int) -> String {
    closing == 1 ? period : "\(period).\(closing)"
  }

  /// The first number of a closing, from `number` on, that no pack and no certificate has here.
  ///
  /// A database that was restored from an older backup does not know its later closings. Manifests
  /// can name their files, so no other pack gets their names.
  func freeNumber(of period: String, from number: Int) -> Int {
    func isTaken(_ name: String) -> Bool {
      has("\(name)/\(Manifest.fileName)") || has("\(name).certificate-1.json")
    }
    var number = number
    while isTaken(Self.name(of: period, closing: number)) { number += 1 }
    return number
  }

  func name(of head: Head) -> String { Self.name(of: head.period, closing: head.closing) }

  func path(of head: Head) -> String { "\(place.path)/\(name(of: head))" }

  /// Writes the pack under its hidden name.
  ///
  /// - Returns: the SHA-256 of its manifest.
  func write(_ head: Head, from database: Connection) throws -> String {
    let hidden = Publication.nameWhileWritten(name(of: head))
    return try explainingFileErrors(otherwise: Self.nothingHappened) {
      if place.status(of: hidden) != nil { try place.remove(hidden) }
      try place.makeFolder(hidden, mode: 0o750)
      let folder = try place.folder(hidden)
      var files: [CanonicalJSON] = []
      var sums: [String: String] = [:]
      for (name, file) in [
        ("liabilities.csv", SQLFile.reportLiabilities), ("open.csv", .periodOpen),
        ("period.csv", .periodStatement),
      ] {
        let report = try ReportFile(name, in: folder)
        let rows = try database.copyCSV(file.text, step: file.name) { try report.write($0) }
        let written = try report.close()
        sums[name] = written.sha256
        files.append(
          .object([
            .init("name", .string(name)), .init("bytes", .integer(written.bytes)),
            .init("sha256", .string(written.sha256)), .init("rows", .integer(rows)),
          ]))
      }
      let manifest = try CanonicalJSON.object([
        .init("format", .integer(1)), .init("period", .string(head.period)),
        .init("first_day", .string(head.days.first)), .init("last_day", .string(head.days.last)),
        .init("closing", .integer(head.closing)), .init("as_of", .string(head.asOf)),
        .init("edition", .string(head.edition)), .init("prepared_by", .string(head.person)),
        .init("prepared_at", .string(head.at)), .init("previous", head.previous?.json ?? .null),
        .init("overlapping", .array(head.overlapping.map(\.json))),
        .init(
          "program",
          .object([
            .init("name", .string("tieout")), .init("version", .string(head.version)),
            .init("schema", .integer(Schema.version)),
          ])), .init("files", .array(files)),
      ]).text()
      let sum = try ReportFile.write(manifest, as: Manifest.fileName, in: folder).sha256
      sums[Manifest.fileName] = sum
      try ReportFile.write(EditionSums.text(sums), as: EditionSums.fileName, in: folder)
      try folder.synchronize()
      // The pack must be found even if the power fails right after the closing is committed.
      try place.synchronize()
      return sum
    }
  }

  /// Gives a pack its final name; call it after the closing is committed.
  ///
  /// - Parameter otherwise: What has happened, and what to do, if this fails.
  func show(_ name: String, otherwise: String = nothingHappened) throws {
    try explainingFileErrors(otherwise: otherwise) {
      try place.rename(Publication.nameWhileWritten(name), to: name)
      try place.synchronize()
    }
  }

  /// Checks that the pack is there and unchanged.
  ///
  /// If the closing was committed but could not give the pack its final name, it gets it now.
  ///
  /// - Throws: ``ReconciliationError`` with `reports`.
  func require(_ closing: ClosingActs.Closing) throws {
    _ = try showHidden(closing)
    let name = closing.folder
    let found = try explainingFileErrors(otherwise: Self.staysClosed) {
      try Self.ifThere { () throws(FileSystemError) in try place.folder(name) }
    }
    guard let folder = found else {
      throw ReconciliationError(.reports, "\(place.path)/\(name) is not there. \(Self.notHere)")
    }
    try explainingFileErrors(otherwise: Self.staysClosed) {
      let manifest = try FilePlace(Manifest.fileName, in: folder)
        .contents(atMost: Manifest.mostBytes)
      let sum = HashFunction.sha256.digest(of: manifest).hexadecimal
      var fault = sum == closing.packSHA256 ? nil : Manifest.fileName
      if fault == nil {
        for file in try CanonicalJSON(reading: manifest)["files"]?.elements ?? [] {
          let name = file["name"]?.string ?? ""
          let sum = try ReportFile.sum(of: FilePlace(name, in: folder))
          if sum.sha256 != file["sha256"]?.string { fault = name }
        }
      }
      if let fault {
        throw ReconciliationError(
          .reports,
          """
          \(place.path)/\(name)/\(fault) is not what was written when the period was closed. \
          \(Self.staysClosed)
          """)
      }
    }
  }

  /// Whether a pack or the file of a certificate is there under its final name.
  func has(_ name: String) -> Bool { place.status(of: name) != nil }

  func hasFile(_ name: String) -> Bool { place.status(of: name)?.kind == .file }

  /// Gives the pack of a closing its final name if only its hidden folder is there.
  ///
  /// A hidden folder with another manifest was left by a command that was killed before its commit;
  /// the period was closed in another reports folder then.
  ///
  /// - Returns: whether it was hidden.
  func showHidden(_ closing: ClosingActs.Closing) throws -> Bool {
    let hidden = Publication.nameWhileWritten(closing.folder)
    guard !has(closing.folder), has("\(hidden)/\(Manifest.fileName)") else { return false }
    let sum = try explainingFileErrors(otherwise: Self.nothingHappened) {
      try ReportFile.sum(of: FilePlace(Manifest.fileName, in: place.folder(hidden)))
    }
    guard sum.sha256 == closing.packSHA256 else { return false }
    try show(closing.folder)
    return true
  }

  /// Writes a certificate beside its pack.
  ///
  /// - Parameter otherwise: What has happened, and what to do, if this fails.
  /// - Returns: its path.
  func write(
    _ certificate: ApprovalCertificate, otherwise: String = "Correct this and try again."
  ) throws -> String {
    try explainingFileErrors(otherwise: otherwise) {
      try ReportFile.replace(certificate.fileName, with: certificate.text(), in: place)
      try place.synchronize()
      return path(of: certificate)
    }
  }

  /// Writes the certificate of the newest approval of a closing if its file is not there, because
  /// the program was killed after the approval or could not write the file.
  ///
  /// - Parameter certificates: The certificates of all approvals.
  /// - Returns: whether it was written; false if the closing was not approved.
  func writeMissingCertificate(
    of closing: ClosingActs.Closing, among certificates: [ApprovalCertificate]
  ) throws -> Bool {
    guard let certificate = certificates.last(where: { $0.pack == closing.folder }),
      !has(certificate.fileName)
    else { return false }
    try require(closing)
    _ = try write(certificate)
    return true
  }

  /// The path of the file of a certificate.
  func path(of certificate: ApprovalCertificate) -> String {
    "\(place.path)/\(certificate.fileName)"
  }

  /// What to do if the pack of a closed period is not in the reports folder.
  static let notHere =
    """
    The period stays closed. Set --reports to the folder in which it was closed, or run the command where the \
    nights run. If the pack is lost, take it from a backup, or reopen the period and close it again.
    """
  private static let staysClosed =
    "The period stays closed. Take the folder from a backup, or reopen the period and close it again."
  private static let nothingHappened =
    "Nothing was closed or approved; correct this and try again."
}
