import Ledger
import Runs

/// An error of `forget` after a commit that is done or may be, with the list of what contains the
/// account besides the tables.
///
/// The ledger does not know the forgotten names any more, so no later command finds all of it.
package struct UnfinishedForgetting: Error, CustomStringConvertible {
  /// What went wrong.
  package let cause: any Error
  /// The input files and the published editions that contain the account, in one line.
  package let remains: String

  /// The error and the list.
  package var description: String { "\(cause) \(remains)" }

  /// Makes an error; nil if no account is forgotten, or if nothing else contains it.
  init?(_ cause: any Error, _ forgotten: Forgotten?) {
    guard let forgotten else { return nil }
    let editions = (forgotten.removedEditions + forgotten.editions.map(\.edition)).sorted()
    var sentences: [String] = []
    if !forgotten.files.isEmpty {
      sentences.append(
        "Input files with the account: \(forgotten.files.joined(separator: ", ")).")
    }
    if !editions.isEmpty {
      let folders = editions.map(\.folder).joined(separator: ", ")
      sentences.append("Published editions with it, unless they are gone: \(folders).")
    }
    guard !sentences.isEmpty else { return nil }
    self.cause = cause
    remains =
      "Keep this list, because no later command finds all of it. "
      + sentences.joined(separator: " ")
  }
}
