import Foundation
import NightRun
import PostgreSQL
import Runs

extension Ending {
  /// One line for people: what happened, and what to do.
  static func words(of error: any Error) -> String {
    switch error {
    case let error as UnfinishedForgetting:
      "\(words(of: error.cause)) \(oneLine(error.remains))"
    case let error as PostgreSQLError where isStopped:
      "\(adviceAfterStop(error)) \(oneLine(error.description))"
    case let error as PostgreSQLError where error.code == .noThread:
      oneLine(error.message)
    case let error as PostgreSQLError:
      "\(error.advice) \(oneLine(error.description))"
    case let error as ReconciliationError where error.code == .totals:
      "\(oneLine("\(error)")) This is an error of the program. Keep the log and the inbox, and report this message."
    default:
      oneLine("\(error)")
    }
  }

  private static func adviceAfterStop(_ error: PostgreSQLError) -> String {
    error.step == "commit" && error.hasNoAnswer
      ? """
      Stopped while the server committed, so it may have done so. Start the command again: it finds out what is done, \
      and does the rest.
      """
      : "Stopped before the command was done. Start it again."
  }

  private static func oneLine(_ text: String) -> String {
    // libpq adds a question in a line that is indented.
    text.replacing("\n\t", with: ". ").split(whereSeparator: \.isNewline).map {
      $0.trimmingCharacters(in: .whitespaces)
    }
    .joined(separator: " ")
  }
}
