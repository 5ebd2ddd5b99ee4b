package import Configuration
import FileSystem
import Glibc
import Intake
import Runs
import SignatureVerification

/// Reads files as a run does, and reports their content and rejections; nothing is loaded.
package struct FileCheck {
  /// The folders of the inbox that a file can be meant for.
  package static var folders: [String] { Folder.allCases.map(\.rawValue) }

  private let paths: CheckedPaths
  private let intake: IntakeSettings
  private let folder: Folder?

  /// Prepares to check files.
  ///
  /// - Parameters:
  ///   - settings: The settings of a run: limits, apps, columns and roots decide what is accepted.
  ///   - folder: The folder that all files are meant for; nil: the path or the content decides.
  /// - Throws: ``ReconciliationError`` with `unknown` for a folder that the inbox does not have,
  ///   with `configuration` for a setting that cannot be used.
  package init(settings: Settings, folder: String?) throws {
    self.folder = try folder.map { name in
      guard let folder = Folder(rawValue: name) else {
        let names = Self.folders.joined(separator: ", ")
        throw ReconciliationError(
          .unknown, "The inbox has no folder \(name); name one of \(names).")
      }
      return folder
    }
    intake = IntakeSettings(
      settings, trusting: try settings.roots(),
      naming: settings.privacy == .hash ? .hashing : .none)
    paths = CheckedPaths(inbox: settings.inbox)
  }

  /// Refuses a path that does not exist, such as one with a typing error.
  ///
  /// - Throws: ``ReconciliationError`` with `unknown`.
  package func require(_ path: String) throws {
    do throws(FileSystemError) { _ = try FilePlace(anywhere: path).status() } catch {
      guard error.code == ENOENT else { return }
      throw ReconciliationError(
        .unknown, "There is no file \(path). Name existing files, or folders with files.")
    }
  }

  /// Checks a file, or every file below a folder.
  ///
  /// - Parameter each: Called with each file after its check.
  /// - Throws: the errors of `each`.
  package func check(_ path: String, each: (CheckedFile) throws -> Void) rethrows {
    let memory = ReadingMemory(intake)
    for file in paths.files(at: path) {
      try each(checked(file, memory))
    }
  }

  private func checked(_ file: CheckedPaths.File, _ memory: ReadingMemory) -> CheckedFile {
    if let folder { return read(file, for: folder, from: .option, memory) }
    if file.isOnlyNoted {
      return CheckedFile(
        path: file.path, folder: nil, folderFrom: nil, format: nil, compression: nil,
        bytes: (try? file.place.status())?.bytes ?? 0, records: [], rejections: [],
        note: file.note)
    }
    if let folder = file.folder { return read(file, for: folder, from: .path, memory) }
    return checkedByContent(file, memory)
  }

  /// Reads a file for the first folder that can use at least one of its records.
  private func checkedByContent(
    _ file: CheckedPaths.File, _ memory: ReadingMemory
  ) -> CheckedFile {
    var beginnings: [(folder: Folder, file: CheckedFile)] = []
    for folder in Folder.allCases {
      let beginning = read(file, for: folder, from: .content, memory, isBeginningEnough: true)
      if beginning.records.contains(where: { $0.read > $0.rejected }) {
        return read(file, for: folder, from: .content, memory)
      }
      beginnings.append((folder, beginning))
    }
    let fitting = beginnings.first { !$0.file.records.isEmpty }
    if let fitting { return read(file, for: fitting.folder, from: .content, memory) }
    return Self.unfitting(beginnings.map(\.file))
  }

  /// The result for a file that no folder can use, from the readings for all folders.
  private static func unfitting(_ readings: [CheckedFile]) -> CheckedFile {
    // A file without a record and without a rejection is empty. Only the folder of Apple's reports
    // rejects it, and nothing says that the file is a report.
    let empty = readings.first { $0.rejections.isEmpty }
    let first = empty ?? readings[0]
    // An unreadable file has the same result for every folder.
    let isSame =
      empty != nil
      || readings.allSatisfy { $0.rejections.map(\.reason) == first.rejections.map(\.reason) }
    let detail = """
      It fits none of the folders \(folders.joined(separator: ", ")). Name the one that it is meant for with \
      --folder, to see what is wrong with it.
      """
    let unknown = CheckedFile.Rejections(
      kind: "file", reason: RejectionReason.unknownFormat.rawValue, records: 1,
      examples: [CheckedFile.Rejections.Example(line: nil, detail: detail)])
    return CheckedFile(
      path: first.path, folder: nil, folderFrom: nil, format: isSame ? first.format : nil,
      compression: first.compression, bytes: first.bytes, records: [],
      rejections: isSame ? first.rejections : [unknown], note: first.note)
  }

  private func read(
    _ file: CheckedPaths.File, for folder: Folder, from source: CheckedFile.FolderSource,
    _ memory: ReadingMemory, isBeginningEnough: Bool = false
  ) -> CheckedFile {
    let reader = FileReader(
      file.place, refusal: file.refusal, folder: folder, fileID: 1, settings: intake,
      memory: memory)
    let parser = RecordParser()
    var rows = StagedRows()
    rows.noted = []
    var counts = FileCounts()
    var rejections: [CheckedFile.Rejections] = []
    while let block = reader.next() {
      block.parse(with: parser, into: &rows)
      for count in rows.counts.values { counts += count }
      for noted in rows.noted ?? [] { rejections.note(noted) }
      rows.removeAll()
      if isBeginningEnough, counts != FileCounts() { break }
    }
    return CheckedFile(
      path: file.path, folder: folder.rawValue, folderFrom: source, format: reader.format,
      compression: reader.compression?.rawValue, bytes: reader.byteCount,
      records: CheckedFile.Count.all(counts), rejections: rejections, note: file.note)
  }
}
