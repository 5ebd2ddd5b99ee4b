import FileSystem
import Glibc
import Runs

/// A file outside of the reports folder with lines of its list of editions.
///
/// The person who owns the host of the reports can write a whole chain again, but not what is
/// elsewhere.
struct Anchor {
  private let path: String

  init(_ path: String) {
    self.path = path
  }

  /// The bytes of the file; nil if there is none.
  private func contents() throws(FileSystemError) -> [UInt8]? {
    do { return try FilePlace(anywhere: path).contents(atMost: EditionList.mostBytes) } catch {
      guard error.code == ENOENT else { throw error }
      return nil
    }
  }

  /// The lines of the file, each with its number.
  ///
  /// - Throws: ``ProofFault`` for a line that is none.
  func lines() throws -> [(number: Int, line: EditionList.Line)] {
    let found: [UInt8]?
    do { found = try contents() } catch {
      throw ReconciliationError(.reports, "--anchor: \(error).")
    }
    guard let bytes = found else {
      throw ReconciliationError(.unknown, "--anchor: there is no file \(path).")
    }
    let list = EditionList(bytes)
    let texts = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    for number in list.damaged {
      // The line of a run that was killed is followed by the whole line.
      let isCut = number < texts.count && texts[number].hasPrefix(texts[number - 1])
      guard isCut || number == texts.count else {
        throw ProofFault("\(path):\(number)", "is no line that the program writes")
      }
    }
    return list.lines
  }
}
