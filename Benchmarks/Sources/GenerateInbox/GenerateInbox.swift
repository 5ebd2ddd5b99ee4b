import ArgumentParser
import Foundation

/// Writes an inbox of any size, shaped like real ones and the same for the same options.
@main
struct GenerateInbox: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write an inbox of any size: receipts, deliveries and a catalogue.",
    discussion: """
      Without --night the history: a year that ends at 2026-11-20T03:00:00Z. With it the day after \
      that history: new purchases and deliveries, half of them by accounts whose receipts come again.
      """)

  @Option(help: "The inbox, made if it is not there.")
  var inbox: String

  @Option(help: "Transactions of the history.")
  var transactions = 1_000_000

  @Option(help: "The same seed gives the same bytes.")
  var seed: UInt64 = 1

  @Option(help: "Files of receipts; of deliveries a tenth of it, rounded up.")
  var files = 1

  @Option(help: "Only the night after the history, with so many per cent new transactions: 1%.")
  var night: String?

  func validate() throws {
    guard transactions > 0, files > 0 else {
      throw ValidationError("--transactions and --files count from 1.")
    }
    if night != nil, share == nil {
      throw ValidationError("--night takes a share of the history, for instance 1%.")
    }
  }

  private var share: Double? {
    night.flatMap { Double($0.hasSuffix("%") ? String($0.dropLast()) : $0) }.map { $0 / 100 }
  }

  func run() throws {
    let wanted = share.map { max(1, Int(Double(transactions) * $0)) } ?? transactions
    let receipts = try OutputFiles(
      folder: "\(inbox)/receipts", suffix: ".ndjson", files: files, total: wanted)
    let deliveries = try OutputFiles(
      folder: "\(inbox)/deliveries", suffix: ".csv", header: DeliveryText.header,
      files: (files + 9) / 10, total: wanted)
    var tally = Tally()
    if share == nil {
      let catalogue = try OutputFiles(
        folder: "\(inbox)/catalog", suffix: ".json", files: 1, total: 1)
      try catalogue.advance(done: 0)
      CatalogueText.write(to: &catalogue.text)
      try catalogue.close()
      try history(wanted, receipts: receipts, deliveries: deliveries, tally: &tally)
    } else {
      try tonight(wanted, receipts: receipts, deliveries: deliveries, tally: &tally)
    }
    try receipts.close()
    try deliveries.close()
    print(
      """
      \(tally.transactions) transactions in \(tally.documents) documents \
      (\(tally.repeated) transactions told again), \(receipts.byteCount) bytes of receipts; \
      \(tally.deliveries) deliveries, \(deliveries.byteCount) bytes
      """)
  }
}
