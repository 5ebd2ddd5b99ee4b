import Configuration
import FileSystem
import Foundation
package import Runs

/// One edition as it was published: its files, checked against its manifest.
package struct PublishedEdition {
  /// One file.
  package struct File: Sendable {
    /// Its name.
    package let name: String
    /// Its size.
    package let bytes: Int64
    /// Its SHA-256 in hexadecimal digits; nil if nothing says what it should be.
    package let sha256: String?
  }

  /// The edition.
  package let edition: Edition
  /// The instant that it is about.
  package let asOf: String
  /// Its number in the order of publication.
  package let publication: Int
  /// Its files, by name.
  package let files: [File]
  private let folder: OpenFolder

  /// Finds an edition and checks it.
  ///
  /// - Parameters:
  ///   - reports: The reports folder.
  ///   - name: A day or an edition, as ``EditionDiff`` takes them; or a month, which stands for its
  ///     last day.
  ///   - number: The edition of the day; nil: the newest one.
  /// - Throws: ``ProofFault``; ``ReconciliationError`` with `unknown` if there is none, with
  ///   `reports` if something cannot be opened or read.
  package init(reports: String, _ name: String, number: Int?) throws {
    let place = try OpenFolder.reports(reports)
    let lastDay = CalendarDay("\(name)-01".utf8)?.endOfMonth.text
    let day = lastDay ?? name
    guard number == nil || !day.contains(".") else {
      throw ReconciliationError(
        .unknown, "\(name) is an edition itself. With --edition, name a day or a month.")
    }
    do {
      edition = try PublishedEditions(in: place).edition(
        number.map { "\(day).\($0)" } ?? day, in: place, takesMonths: true)
    } catch let error as ReconciliationError where lastDay != nil {
      throw ReconciliationError(
        error.code,
        """
        \(error.message) A month stands for its last day; tieout explain \(name) says which edition published it.
        """)
    }
    let proof = try EditionProof(edition, in: place)
    folder = proof.folder
    let proven = try proof.check()
    asOf = proven.manifest.asOf
    publication = proven.manifest.publication
    let sums = EditionSums.read(edition, in: place)
    files = try folder.entries().filter { $0.isText && $0.status.kind == .file }.map { entry in
      File(name: entry.name, bytes: entry.status.bytes, sha256: sums[entry.name])
    }.sorted { $0.name < $1.name }
  }

  /// Gives the bytes of a file in pieces.
  ///
  /// - Throws: ``ReconciliationError`` with `unknown` if the edition has no such file.
  package func bytes(of name: String, _ body: ([UInt8]) throws -> Void) throws {
    guard files.contains(where: { $0.name == name }) else {
      throw ReconciliationError(
        .unknown,
        """
        The edition \(edition.folder) has no file \(name). It has \
        \(files.map(\.name).joined(separator: ", ")).
        """)
    }
    do {
      let handle = FileHandle(
        fileDescriptor: try FilePlace(name, in: folder).openForReading(), closeOnDealloc: true)
      while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty {
        try body([UInt8](piece))
      }
    } catch let error as ReconciliationError {
      throw error
    } catch {
      throw ReconciliationError(
        .reports,
        """
        \(folder.path)/\(name) cannot be read: \(FileSystemError.words(of: error)). Correct this and try again.
        """)
    }
  }
}
