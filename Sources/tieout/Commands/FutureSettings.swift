import Configuration
import Foundation
import Runs

/// Refuses instants after the clock, such as those with a wrong year.
enum FutureSettings {
  /// The difference between two clocks that is accepted, in seconds.
  private static let clockTolerance = 60.0

  /// Refuses an as-of after the clock.
  ///
  /// Until that instant, every other night would count as a past day and change no finding.
  static func refuseAsOf(_ settings: Settings) throws {
    guard let asOf = settings.asOf, !settings.allowFuture else { return }
    let now = Date.now
    // Both are UTC with four digits of the year, so their order is that of the text.
    guard asOf > (now + clockTolerance).ISO8601Format() else { return }
    let isOption = settings.onCommandLine.contains("as_of")
    throw ReconciliationError(
      isOption ? .unknown : .configuration,
      """
      \(isOption ? "--as-of" : "as_of"): \(asOf) is in the future: it is \(now.ISO8601Format()) by the clock of this machine. Nothing changed. \
      Until that instant, every other run would be one of a past day, which changes no finding. Give an earlier \
      instant or none. To run anyway, add --allow-future.
      """)
  }

  /// Refuses a `books_begin` or `revenue_since` after the clock.
  ///
  /// Nothing would be compared, and the findings that are open would be resolved.
  ///
  /// - Parameter file: The file that `--config` names.
  static func refuse(_ settings: Settings, file: String?) throws {
    guard !settings.allowFuture else { return }
    let now = Date.now
    let latest = now + clockTolerance
    let zone = TimeZone(identifier: settings.timeZone) ?? .gmt
    let today = latest.formatted(Date.ISO8601FormatStyle(timeZone: zone).year().month().day())
    // Texts with four digits of the year, so their order is that of the instants and days.
    for (key, value, end, effect) in [
      (
        "books_begin", settings.booksBegin, latest.ISO8601Format(),
        "no purchase would owe a delivery, and open findings would be resolved"
      ),
      ("revenue_since", settings.revenueSince, today, "no statement would have a day of revenue"),
    ] {
      guard let value, value > end else { continue }
      throw ReconciliationError(
        .configuration,
        """
        \(place(of: key, file)): \(value) is in the future: it is \(now.ISO8601Format()) by the clock of this \
        machine. Nothing changed. Until then, \(effect). Correct the year, or remove the setting.
        """)
    }
  }

  /// The place of a setting that no option gives.
  private static func place(of key: String, _ file: String?) -> String {
    let variables = ProgramEnvironment.variables
    if let variable = Setting.named(key)?.variable, variables[variable]?.isEmpty == false {
      return variable
    }
    let named = variables["TIEOUT_CONFIG"].flatMap { $0.isEmpty ? nil : $0 }
    return "\(file ?? named ?? Settings.defaultFile): \(key)"
  }
}
