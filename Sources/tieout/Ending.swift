import ArgumentParser
import Configuration
import Foundation
import PostgreSQL
import PrivateServer
import Reconciliation

/// How the program ends: one line for people on standard error, and the exit status.
enum Ending {
  /// Runs a command's body; what it throws is said in one line and becomes the exit status.
  static func explained(_ body: () throws -> Void) throws {
    do { try body() } catch let code as ExitCode {
      throw code
    } catch {
      FileHandle.standardError.write(Data("tieout: \(Visible.text(words(of: error)))\n".utf8))
      throw ExitCode(status(of: error))
    }
  }

  /// The exit status, as the contract lists them.
  static func status(of error: any Error) -> Int32 {
    switch error {
    case is ConfigurationError: 78
    case is PrivateServerError, is MissingProgram: 69
    case let error as PostgreSQLError:
      switch error.code {
      case .connectionFailed: 69
      case .cancelled: 75
      case .statementFailed: unavailable.contains(error.sqlState ?? "") ? 69 : 70
      }
    case let error as ReconciliationError:
      switch error.code {
      case .finding: 64
      case .tooMuchRejected: 65
      case .schema: 69
      case .totals: 70
      case .reports: 73
      case .locked, .stopped: 75
      case .configuration: 78
      }
    default: 70
    }
  }

  /// SQLSTATEs of a server that cannot take the work now, whoever asks: too many connections, disk
  /// full, out of memory, read-only, no privilege.
  private static let unavailable: Set = ["53100", "53200", "53300", "25006", "42501", "3D000"]

  private static func words(of error: any Error) -> String {
    switch error {
    case let error as PostgreSQLError where error.code == .connectionFailed:
      "The database cannot be reached. \(oneLine(error.description))"
    case let error as PostgreSQLError where error.code == .cancelled:
      "A statement was cancelled from outside; nothing has changed. \(oneLine(error.description))"
    case let error as PostgreSQLError:
      "The database refused a statement; nothing has changed. \(oneLine(error.description))"
    default:
      oneLine("\(error)")
    }
  }

  private static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
      .joined(separator: " ")
  }
}
