import ArgumentParser
import Configuration
import FileSystem
import Ledger
import NightRun
import PostgreSQL
import PrivateServer
import Reports
import Runs
import Waiting

/// The end of the program: one line on standard error, and the exit status.
enum Ending {
  /// Runs a command's body; prints its error in one line and converts it to an exit status.
  static func explained(_ body: () throws -> Void) throws {
    do { try body() } catch let code as ExitCode {
      throw code
    } catch {
      tell(error)
      throw ExitCode(status(of: error))
    }
  }

  /// Prints an error in one line on standard error.
  static func tell(_ error: any Error) {
    StandardError.writeLine("tieout: \(Visible.text(words(of: error)))")
  }

  /// Whether the process got a stop request.
  ///
  /// An error after that can be a consequence of the request.
  static var isStopped: Bool { StopRequest.ofProcess.madeAt != nil }

  /// The exit status, as docs/operating.md lists them.
  static func status(of error: any Error) -> Int32 {
    switch error {
    case let code as ExitCode: code.rawValue
    case let error as UnfinishedForgetting: status(of: error.cause)
    case is PostgreSQLError where isStopped: 75
    case is ProofFault: 1
    case let error as ConfigurationError: error.isUsage ? 64 : 78
    case is MissingFiles: 78
    case let error as PrivateServerError:
      [.busy, .stopped, .inUse].contains(error.code) ? 75 : 69
    case is MissingProgram, is ThreadError: 69
    case is FileSystemError: 73
    case let error as PostgreSQLError:
      switch error.code {
      case .connectionFailed, .noThread: 69
      case .cancelled: 75
      case .statementFailed:
        if error.isPassing { 75 } else { unavailable.contains(error.sqlState ?? "") ? 69 : 70 }
      }
    case let error as ReconciliationError:
      switch error.code {
      case .unknown: 64
      case .tooMuchRejected: 65
      case .schema: 69
      case .totals, .unbalanced: 70
      case .reports: 73
      case .locked, .stopped: 75
      case .configuration: 78
      }
    default: 70
    }
  }

  /// SQLSTATEs of a server that cannot do the work.
  ///
  /// In this order: insufficient resources, disk full, out of memory, too many connections, a limit
  /// of its configuration, a disk error, a missing file of the server, read-only, no privilege, no
  /// such database, objects of others that depend on the program's.
  private static let unavailable: Set = [
    "53000", "53100", "53200", "53300", "53400", "58030", "58P01", "25006", "42501", "3D000",
    PostgreSQLError.dependentObjects,
  ]

  fileprivate static let passing: Set = ["40001", "40P01", LockHolders.timedOut]
}

extension PostgreSQLError {
  /// Whether another session caused it: a serialization failure, a deadlock or a lock that was not
  /// available.
  var isPassing: Bool { Ending.passing.contains(sqlState ?? "") }
}
