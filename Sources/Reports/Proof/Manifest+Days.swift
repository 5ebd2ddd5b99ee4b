import CanonicalJSON
import Configuration
import Runs

extension Manifest {
  /// The first day of `revenue.csv`, as judge_night.sql has it.
  var revenueSince: String {
    if let day = settings["revenue_since"]?.string { return day }
    return CalendarDay(edition.day.utf8)?.startOfMonthBefore?.text ?? edition.day
  }
}
