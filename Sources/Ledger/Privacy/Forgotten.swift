package import Runs

/// The result of forgetting an account; it does not contain the name.
package struct Forgotten: Sendable {
  /// The number of devices and tokens that only the account used; they were forgotten with it.
  package var companions: Int { companionNames.count }
  /// The kinds of record, each with the number of records that named the account or a companion.
  package internal(set) var records: [(kind: String, count: Int)] = []
  /// The files, below the inbox, that still contain the name.
  ///
  /// They are the first files of these records, and the files with rejected records that contain
  /// the name.
  package internal(set) var files: [String] = []
  /// The published editions that contain the name.
  package var editions: [HoldingEdition] = []
  /// The published editions that contained the name and were removed.
  package var removedEditions: [Edition] = []
  /// The names of the companions, for the search through the editions; no message shows them.
  package internal(set) var companionNames: [String] = []

  /// An edition that contains a forgotten name.
  package struct HoldingEdition: Sendable, Equatable {
    /// The edition.
    package let edition: Edition
    /// The files that contain the name.
    package let files: [String]

    /// Names the files of an edition.
    package init(edition: Edition, files: [String]) {
      self.edition = edition
      self.files = files
    }
  }
}
