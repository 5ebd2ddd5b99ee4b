import Inbox
import Intake
import Runs

extension Array: StepResult where Element == Staging.Result {
  var stepRows: Int? {
    let read = reduce(Int64(0)) { sum, file in
      let counts = file.counts
      return sum + counts.documents.read + counts.transactions.read + counts.deliveries.read
        + counts.catalogueEntries.read + counts.clientRecords.read + counts.acknowledgements.read
        + counts.appleRows.read
    }
    return Int(read)
  }

  var stepBytes: Int64? { lazy.map(\.file.bytes).clampedSum }
}
