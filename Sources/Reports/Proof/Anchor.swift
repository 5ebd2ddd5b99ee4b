import FileSystem
import Glibc
import Runs

/// A file outside of the reports folder to which runs append the lines of its list of editions.
///
/// A person with access to the reports folder can write a whole chain of manifests again. The lines
/// in a file on another machine show that.
package struct Anchor {
  private let path: String

  /// Prepares to use the file at a path.
  package init(_ path: String) {
    self.path = path
  }

  /// Appends the lines of a reports folder's list of editions that the file does not have.
  ///
  /// - Throws: ``ReconciliationError`` with `reports`; the next run then appends the missing lines.
  package func append(listOf reports: String) throws {
    func failure(_ words: String) -> ReconciliationError {
      ReconciliationError(
        .reports, "The night is done and its reports are published, but anchor: \(words)")
    }
    do {
      let list = try EditionList(in: OpenFolder(reports))
      let bytes = try contents() ?? []
      let anchored = EditionList(bytes)
      if let line = list.contradiction(to: anchored) {
        throw failure(
          """
          \(path) has another SHA-256 for publication \(line.publication) than \(reports). Nothing was appended. \
          Either the chain of these reports was written again (tieout verify --anchor says more). Or the reports \
          folder was empty or older than before: put its newest copy in its place or, if there is none, keep this file \
          as evidence and name a new one. Or the file belongs to another reports folder: name another file.
          """)
      }
      let known = Set(anchored.lines.map(\.line.text))
      let missing = list.lines.map(\.line.text).filter { !known.contains($0) }
      guard !missing.isEmpty else { return }
      // If a run was killed while it wrote, its incomplete line stays, and the whole line follows.
      let isCut = bytes.last.map { $0 != UInt8(ascii: "\n") } ?? false
      let file = try AppendedFile(path, mode: 0o640)
      try file.append(Array(((isCut ? "\n" : "") + missing.joined()).utf8))
      try file.synchronize()
    } catch let error as FileSystemError {
      let advice = adviceOnWriting(
        error.code, elsewhere: "name another file",
        otherwise: "Name a regular file or a new one, in a folder where this user may write.")
      throw failure("\(error). The next run appends what is missing. \(advice)")
    }
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
  /// - Throws: ``ProofFault`` for a line that the program does not write; ``ReconciliationError``
  ///   if the file cannot be read.
  func lines() throws -> [(number: Int, line: EditionList.Line)] {
    let found: [UInt8]?
    do { found = try contents() } catch {
      throw ReconciliationError(.reports, "--anchor: \(error). \(error.remedy)")
    }
    guard let bytes = found else {
      throw ReconciliationError(
        .unknown, "--anchor: there is no file \(path). Name the file of the setting anchor.")
    }
    let list = EditionList(bytes)
    let texts = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    for number in list.damaged {
      // The incomplete line of a run that was killed is followed by the whole line.
      let isCut = number < texts.count && texts[number].hasPrefix(texts[number - 1])
      guard isCut || number == texts.count else {
        throw ProofFault("\(path):\(number)", "is not a line that the program writes")
      }
    }
    return list.lines
  }
}
