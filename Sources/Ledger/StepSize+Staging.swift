import Inbox
import Intake
package import Runs

extension StepSize {
  /// The size of a step that reads files.
  package init(of results: [Staging.Result]) {
    let read = results.reduce(Int64(0)) { sum, file in
      sum + file.counts.records + file.counts.transactions.read
    }
    self.init(rows: Int(read), bytes: results.lazy.map(\.file.bytes).clampedSum)
  }
}
