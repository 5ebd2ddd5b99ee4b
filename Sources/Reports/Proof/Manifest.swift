import CanonicalJSON
package import Runs

/// `manifest.json`: what an edition was made from, what it consists of, and the edition that was
/// published before it.
package struct Manifest: Sendable {
  /// The file's name in the folder of an edition.
  package static let fileName = "manifest.json"
  /// The version of the form.
  static let format = 1
  /// The maximum size of a manifest that is read.
  static let mostBytes = 4 << 20

  /// An edition, and the SHA-256 of its manifest in hexadecimal digits.
  package struct Reference: Sendable, Equatable {
    /// The edition.
    package let edition: Edition
    /// The SHA-256 of its manifest, in hexadecimal digits.
    package let sha256: String
  }

  /// A file of the edition.
  struct File: Sendable, Equatable {
    let name: String
    let bytes: Int
    let sha256: String
    /// The number of its rows; nil if it is no CSV file.
    let rows: Int?
  }

  /// All input files that counted, in numbers.
  struct Inputs: Sendable, Equatable {
    let files: Int
    let bytes: Int
    /// The SHA-256 of the sorted list of their checksums and folders.
    let sha256: String
  }

  /// The program that wrote the edition.
  struct Program: Sendable, Equatable {
    let version: String
    let schema: Int
  }

  /// The edition that it is about.
  let edition: Edition
  let asOf: String
  /// Its place in the order of publication in its reports folder, from 1.
  let publication: Int
  /// The edition that was published before it; nil for the first one.
  let previous: Reference?
  /// The editions that were removed on request since then.
  let removed: [Reference]
  let program: Program
  /// The settings that the numbers depend on; nothing secret is among them.
  let settings: CanonicalJSON
  let inputs: Inputs
  /// All other files of the edition, except the list of checksums, which covers this file.
  let files: [File]
  /// What `control_totals.csv` says.
  let totals: ControlTotals
  /// The packs and certificates of closed periods that were beside the edition, ordered by name.
  let closed: [ClosedFile]
}
