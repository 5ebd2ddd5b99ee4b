import Configuration
import Foundation
import Runs

/// Refuses settings that begin after the clock, such as those with a wrong year.
///
/// Nothing would be compared, and the findings that are open would be resolved.
enum FutureSettings {
  /// The difference between two clocks that is accepted, in seconds.
  static let clockTolerance = 60.0

  /// Refuses a `books_begin` or `revenue_since` after the clock.
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
