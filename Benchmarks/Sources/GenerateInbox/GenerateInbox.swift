import ArgumentParser
import Foundation

/// Writes an inbox of any size, similar to real ones.
///
/// The same options give the same inbox, except for the signatures in it.
@main
struct GenerateInbox: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write an inbox of any size: receipts, deliveries and a catalogue.",
    discussion: """
      Without --night, it writes the history: a year that ends at 2026-11-20T03:00:00Z. With --night, \
      it writes the day after that history: new purchases and deliveries, and receipts of old accounts \
      that come again in full with one to three more purchases. For two new transactions, these \
      receipts repeat one old transaction. A night of the same number has the same size after any \
      history.
      """)

  @Option(help: "The inbox; it is created if it does not exist.")
  var inbox: String

  @Option(help: "Transactions of the history.")
  var transactions = 1_000_000

  @Option(
    help: """
      The same seed gives the same bytes, except for the keys, certificates and signatures of \
      --signed.
      """)
  var seed: UInt64 = 1

  @Option(help: "Files of receipts, the same bytes in all. Of deliveries: a tenth, rounded up.")
  var files = 1

  @Option(
    help: """
      The number of undelivered purchases per thousand; failed, pending and repeated attempts and \
      unknown transactions are in proportion.
      """)
  var missingPerMille = 4

  @Option(
    help: """
      Only the night after the history, with this number of new transactions: 50000, or 1% of the \
      history.
      """)
  var night: String?

  @Flag(
    help: """
      Signed transactions and notifications instead of answers with receipts. Their root certificate \
      is written beside the inbox, as <inbox>.pem.
      """)
  var signed = false

  func validate() throws {
    guard transactions > 0, files > 0 else {
      throw ValidationError("--transactions and --files are at least 1.")
    }
    guard (0...500).contains(missingPerMille) else {
      throw ValidationError("--missing-per-mille is from 0 to 500.")
    }
    if night != nil, newTransactions == nil {
      throw ValidationError("--night takes a number, or a share of the history such as 1%.")
    }
  }

  /// The number of the night's new transactions; nil without a valid `--night`.
  private var newTransactions: Int? {
    guard let night else { return nil }
    guard night.hasSuffix("%") else { return Int(night).flatMap { $0 > 0 ? $0 : nil } }
    return Double(night.dropLast()).flatMap { share in
      share > 0 && share <= 100 ? max(1, Int(Double(transactions) * share / 100)) : nil
    }
  }

  func run() throws {
    let wanted = newTransactions ?? transactions
    let receipts = try OutputFiles(
      folder: "\(inbox)/receipts", suffix: ".ndjson", files: files, total: wanted)
    let deliveries = try OutputFiles(
      folder: "\(inbox)/deliveries", suffix: ".csv", header: DeliveryText.header,
      files: (files + 9) / 10, total: wanted)
    var tally = Tally()
    let signing = signed ? try SignedText() : nil
    try signing?.rootCertificate.write(toFile: "\(inbox).pem", atomically: true, encoding: .utf8)
    let evidence = EvidenceText(signing: signing)
    if night == nil {
      let catalogue = try OutputFiles(
        folder: "\(inbox)/catalog", suffix: ".json", files: 1, total: 1)
      try catalogue.advance(done: 0)
      CatalogueText.write(to: &catalogue.text)
      try catalogue.close()
      try history(
        wanted, evidence, receipts: receipts, deliveries: deliveries, tally: &tally)
    } else {
      try tonight(
        wanted, evidence, receipts: receipts, deliveries: deliveries, tally: &tally)
    }
    try receipts.close()
    try deliveries.close()
    print(
      """
      \(tally.transactions) transactions in \(tally.documents) documents \
      (\(tally.repeated) repeated transactions), \(receipts.byteCount) bytes of receipts; \
      \(tally.deliveries) deliveries, \(deliveries.byteCount) bytes
      """)
  }
}
