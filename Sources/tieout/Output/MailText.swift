import Configuration
import Foundation
import Ledger
import NightRun
import Page
import Reports
import Runs

/// The message of a quiet command that did not end with status 0.
///
/// Cron sends it by mail. It has at most ten lines: what happened, how many deliveries are missing,
/// what they cost, the worst findings with a command for each, and where the reports are.
enum MailText {
  /// The maximum number of lines.
  private static let mostLines = 10

  /// The lines about a night that is done, but needs a person.
  ///
  /// - Parameter besideLines: The number of lines that the command has already printed, so that
  ///   fewer lines fit.
  static func lines(
    of summary: Summary, status: Int32, command: String, settings: Settings,
    besideLines: Int = 0
  ) -> [String] {
    var lines = [
      "tieout \(command)\(summary.isDryRun ? " (dry run)" : "") as of \(summary.asOf): exit status \(status). "
        + reason(summary, status, settings.failOn),
      // Deliveries can be missing because a file was not read, or a feed has stopped.
      ([summary.comparison.headline] + summary.comparison.unreadSentences { $0 }
        + summary.comparison.feedSentences { $0 })
        .joined(separator: " "),
    ]
    if let money = MoneyText(summary.money).sentence { lines.append(money) }
    lines.append(counts(summary))
    if let rejection = summary.rejections.first {
      let most = Figure.grouped(rejection.records)
      let what =
        summary.purpose.isRebuild
        ? "New rejections: \(Figure.grouped(summary.rejectedForTheFirstTime))"
        : "Not used: \(summary.rejectedWords)"
      lines.append(
        "\(what), most often \(rejection.reason) (\(most)), first in \(rejection.location)")
    }
    if let cause = summary.cause { lines.append(cause.sentence) }
    if !summary.recoveredSentences.isEmpty {
      lines.append(summary.recoveredSentences.joined(separator: " "))
    }
    let head =
      summary.head.map { "   Head: publication \($0.publication), SHA-256 \($0.sha256)" } ?? ""
    let reports = summary.folder.map { "Reports: \($0)\(head)" }
    let end = [places(reports, settings)].compactMap { $0 }
    let room = mostLines - lines.count - end.count - besideLines
    return lines + summary.worst.prefix(max(0, room)).map(words) + end
  }

  /// The lines about a command that failed.
  ///
  /// - Parameters:
  ///   - missing: The files that the command needs and did not find.
  ///   - hasLog: Whether the log could be opened.
  ///   - latestBefore: The edition of the link `latest` when the command began.
  static func lines(
    of words: String, about missing: [MissingFiles.File], status: Int32, command: String,
    settings: Settings, hasLog: Bool, latestBefore: String?
  ) -> [String] {
    let reports = newest(settings, latestBefore: latestBefore)
    let end = [places(reports, settings, hasLog: hasLog)].compactMap { $0 }
    return ["tieout \(command) failed with exit status \(status).", words]
      + lines(about: missing, settings) + end
  }

  /// The edition of the link `latest` in the reports folder; nil if there is no such link.
  static func latest(of settings: Settings) -> String? {
    try? FileManager.default.destinationOfSymbolicLink(atPath: link(settings))
  }

  private static func link(_ settings: Settings) -> String {
    URL(filePath: settings.reports).appending(path: Publication.latest).path
  }

  /// Where the newest reports are after a command that failed.
  ///
  /// A command can fail after it has published, for example if it cannot write the calendar.
  private static func newest(_ settings: Settings, latestBefore: String?) -> String {
    if let edition = latest(of: settings) {
      let still = edition == latestBefore ? "still " : ""
      return "Reports: \(link(settings)), \(still)of \(edition)"
    }
    let names = try? FileManager.default.contentsOfDirectory(atPath: settings.reports)
    return names?.contains { Edition(folder: $0) != nil } == true
      ? "Reports: \(settings.reports), which has no link latest"
      : "Reports: none yet in \(settings.reports)"
  }

  /// One line for each of the first missing files, and the number of the others.
  private static func lines(
    about missing: [MissingFiles.File], _ settings: Settings
  ) -> [String] {
    // A line about the metrics file and one about the log can be beside them.
    let most = 6 - (settings.metricsFile == nil ? 0 : 1) - (settings.logFile == nil ? 0 : 1)
    let lines = missing.prefix(most).map {
      "Missing: \($0.path), \($0.bytes) bytes, loaded at \($0.loadedAt), SHA-256 \($0.sha256)"
    }
    let others = missing.count - lines.count
    guard others > 0 else { return lines }
    return lines + [
      "\(Figure.counted(others, "more missing files")); without --quiet all are listed."
    ]
  }

  /// The reason for the exit status.
  private static func reason(_ summary: Summary, _ status: Int32, _ failOn: FailOn) -> String {
    let doubt = summary.correctionWords ?? summary.laterNight ?? summary.folderDoubt
    if let failure = summary.anchorFailure {
      // What would have ended the command with 1 can be the cause, and matters more.
      let fires = summary.purpose == .run && summary.fires(failOn)
      let first = doubt ?? (fires ? firing(summary, failOn) : nil)
      return [first, Ending.words(of: failure)].compactMap { $0 }.joined(separator: " ")
    }
    guard status == 1 else {
      let words =
        summary.purpose.isRebuild
        ? "\(Figure.counted(Int(clamping: summary.rejectedForTheFirstTime), "rejections")) \(summary.rejectedForTheFirstTime == 1 ? "is" : "are") new."
        : "\(summary.rejectedWithRecoveredWords) could not be used."
      return summary.isDryRun
        ? "Nothing was saved, and \(words)" : "The night is done, but \(words)"
    }
    return doubt ?? firing(summary, failOn)
  }

  /// How many findings make the exit status 1.
  private static func firing(_ summary: Summary, _ failOn: FailOn) -> String {
    let firing = summary.firing(failOn)
    let count = Figure.counted(firing, "findings")
    let hasRecovered = !summary.recoveredSentences.isEmpty
    let newIn =
      "this run" + (hasRecovered ? " or in an earlier run that could not report it" : "")
    return switch failOn {
    case .error: "\(count) of level error \(firing == 1 ? "is" : "are") open."
    case .newError: "\(count) of level error opened in \(newIn)."
    case .newWarning: "\(count) of level warning or error opened in \(newIn)."
    case .info, .warning, .never:
      "\(count) of level \(failOn.rawValue) or higher \(firing == 1 ? "is" : "are") open."
    }
  }

  /// The numbers of open findings by level, and of new ones.
  private static func counts(_ summary: Summary) -> String {
    let parts = Level.allCases.map(\.rawValue).map { level in
      let open = summary.findings.filter { $0.level == level }
        .reduce(0) { $0 + $1.open - $1.acknowledged }
      return Figure.counted(open, "\(level)s")
    }
    let new = summary.findings.reduce(0) { $0 + $1.new }
    let reopened = summary.findings.reduce(0) { $0 + $1.reopened }
    return "Open findings: \(parts.joined(separator: ", ")); "
      + "\(Figure.grouped(new)) of them new"
      + (reopened > 0 ? ", \(Figure.grouped(reopened)) open again." : ".")
  }

  /// One finding with the command that explains it.
  private static func words(_ finding: NightPage.Worst) -> String {
    let reason = finding.reason.map { " (\($0))" } ?? ""
    let subject = finding.subject.prefix(100) + (finding.subject.count > 100 ? "…" : "")
    let reopened = finding.status == "reopened" ? ", reopened" : ""
    return "\(finding.level) \(finding.rule) \(subject)\(reason), since \(finding.firstFlaggedOn)"
      + "\(reopened): \(NightPage.command(for: finding))"
  }

  /// The line that says where the reports and the log are; nil if there are none.
  private static func places(
    _ reports: String?, _ settings: Settings, hasLog: Bool = true
  ) -> String? {
    var places = reports.map { [$0] } ?? []
    if let file = settings.logFile, file != "-" {
      if !hasLog {
        places.append("No log, because log_file could not be opened")
      } else if FileManager.default.fileExists(atPath: file) {
        places.append("Log: \(URL(filePath: file).path)")
      }
    }
    return places.isEmpty ? nil : places.joined(separator: "   ")
  }
}
