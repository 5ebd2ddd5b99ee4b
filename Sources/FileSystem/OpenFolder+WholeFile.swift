import Effects
import Glibc

/// Files that appear under their names only when they are complete.
extension OpenFolder {
  /// Writes a file first under a hidden name, and makes its bytes and its name durable.
  ///
  /// - Parameters:
  ///   - name: A file or a link with this name is replaced; a reader that has the old file open can
  ///     read it to its end.
  ///   - mode: The mode of the file, with any umask.
  ///   - check: Called with the finished file before it gets its name; its error is passed on.
  /// - Throws: ``FileSystemError``, and the error of `check`.
  package func write(
    _ bytes: [UInt8], as name: String, mode: UInt32, check: (FilePlace) throws -> Void = { _ in }
  ) throws {
    try replace(name, by: Self.hiddenName()) { hidden in
      let file = try create(hidden, mode: 0o600)
      defer { close(file) }
      // Before the bytes are made durable, so that the file never has its name with another mode.
      guard fchmod(file, mode) == 0 else {
        throw FileSystemError("\(path)/\(name)", "written", code: errno)
      }
      try put(bytes, into: file, "\(path)/\(name)")
      try check(FilePlace(hidden, in: self))
    }
    try synchronize()
  }

  /// Replaces a file by one that is first written under a hidden name.
  ///
  /// - Parameter write: Writes the file, and makes its bytes durable; after an error the file is
  ///   removed.
  /// - Throws: ``FileSystemError``, and the error of `write`.
  package func replace(
    _ name: String, by hidden: String, _ write: (_ hidden: String) throws -> Void
  ) throws {
    do {
      try write(hidden)
      try rename(hidden, to: name)
    } catch {
      unlinkat(descriptor, hidden, 0)
      throw error
    }
  }

  private func put(_ bytes: [UInt8], into file: Int32, _ place: String) throws(FileSystemError) {
    if let code = Effect.write.systemError(place) {
      throw FileSystemError(place, "written", code: code)
    }
    try writeAll(bytes, to: file, place)
    let code = Effect.synchronize.systemError(place)
    guard code == nil, fsync(file) == 0 else {
      throw FileSystemError(place, "written", code: code ?? errno)
    }
  }

  /// A name that nobody can guess and that contains the number of this process.
  ///
  /// The name is hidden, because the inbox and collectors ignore hidden files.
  private static func hiddenName() -> String {
    let random = UInt64.random(in: 0...UInt64.max)
    return "\(hiddenStart)\(getpid()).\(String(random, radix: 16))\(hiddenEnd)"
  }

  private static let hiddenStart = ".tieout."
  private static let hiddenEnd = ".tmp"
  /// The longest time for which a process writes a file, in seconds.
  private static let mostSecondsOfWriting: Int64 = 3600

  /// Removes the hidden files that killed processes left here.
  ///
  /// Another machine, or another container, can be writing in the same folder. Its processes are not
  /// known here, so a file stays until it is an hour old.
  package func removeRemains() {
    let newest = (Int64(time(nil)) - Self.mostSecondsOfWriting) * 1_000_000_000
    for entry in (try? entries()) ?? []
    where entry.name.hasPrefix(Self.hiddenStart) && entry.name.hasSuffix(Self.hiddenEnd)
      && entry.status.modifiedNanoseconds < newest
    {
      let number = entry.name.dropFirst(Self.hiddenStart.utf8.count).prefix { $0 != "." }
      guard let process = pid_t(number), process > 0, kill(process, 0) != 0, errno == ESRCH
      else { continue }
      try? remove(entry.name)
    }
  }
}
