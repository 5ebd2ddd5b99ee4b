import Configuration
import FileSystem
import Runs
import Synchronization

/// The place to which log lines go.
enum LogPlace: Sendable {
  case standardError
  case file(LogFile)
  case nowhere

  /// The place that the settings of an unattended command choose.
  ///
  /// - Throws: ``ReconciliationError`` with `reports` if the file cannot be opened.
  init(unattended settings: Settings) throws {
    switch settings.logFile {
    case "-": self = .standardError
    case .some(let path): self = .file(try LogFile(path))
    // With `quiet`, standard error is for the message that cron sends.
    case nil: self = settings.quiet ? .nowhere : .standardError
    }
  }

  /// Whether the lines that were written so far can be read there.
  var isReadable: Bool {
    switch self {
    case .standardError: true
    case .file(let file): !file.hasFailed
    case .nowhere: false
    }
  }

  /// The number of lines on standard error about the log itself.
  var ownLines: Int { if case .file(let file) = self, file.hasFailed { 1 } else { 0 } }

  /// Writes one line.
  func write(_ line: String) {
    switch self {
    // On a terminal the line replaces the progress bar.
    case .standardError:
      StandardError.writeLine("\(ProgressBar.lineStart)\(line)")
    case .file(let file): file.write("\(line)\n")
    case .nowhere: break
    }
  }
}

/// The file of a log.
///
/// It is opened once for each command. So logrotate can rename it between commands without a signal
/// to a process.
final class LogFile: Sendable {
  private let file: AppendedFile
  private let isBroken = Mutex(false)

  /// Whether a line could not be written.
  var hasFailed: Bool { isBroken.withLock { $0 } }

  init(_ path: String) throws {
    do { file = try AppendedFile(path, mode: 0o640) } catch {
      throw ReconciliationError(
        .reports,
        """
        log_file: \(error). Nothing changed. Create its folder, let this user write there, or name another \
        file with --log-file (- for standard error).
        """)
    }
  }

  /// Writes text; only the first failure is reported, as a line on standard error.
  func write(_ text: String) {
    do { try file.append(Array(text.utf8)) } catch {
      let isFirst = isBroken.withLock { isBroken in
        defer { isBroken = true }
        return !isBroken
      }
      guard isFirst else { return }
      let words = Visible.text(
        "tieout: log_file: \(error). The command continues; its log may be incomplete.")
      StandardError.writeLine("\(ProgressBar.lineStart)\(words)")
    }
  }
}
