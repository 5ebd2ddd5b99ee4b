import ArgumentParser
import Configuration
import Foundation
import Reconciliation

/// `tieout delivery-status`: what to tell Apple about refunds.
struct DeliveryStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delivery-status",
    abstract: "Tells the deliveryStatus that the evidence supports when Apple asks about a refund.",
    discussion: """
      Prints a JSON array with an object for each transaction; its consumptionRequest has the members of \
      Apple's request body, and is missing where it cannot be known what to say. It speaks of the newest \
      night.

      Apple also requires customerConsented and sampleContentProvided, which no evidence tells: say them with \
      the options, or add them before you send it.

      Exit status: 0 evidence knows all transactions · 1 of some it knows nothing · 69 no database · \
      78 configuration, or no night was done yet.
      """)

  @OptionGroup var places: PlaceOptions

  @Argument(help: ArgumentHelp("Transactions.", valueName: "id"))
  var transactions: [String] = []

  @Option(
    help: ArgumentHelp(
      "A file with transactions, one a line; - for standard input.", valueName: "file"))
  var file: String?

  @Flag(help: "The customers consented that Apple is told.")
  var customerConsented = false

  @Option(
    help: ArgumentHelp(
      "Whether there was a free sample before the purchase.", valueName: "true|false"))
  var sampleContentProvided: Bool?

  func validate() throws {
    if transactions.isEmpty, file == nil {
      throw ValidationError("Name transactions, or a file of them with --file.")
    }
  }

  func run() throws {
    try Ending.explained {
      let settings = try places.settings()
      let named = try transactions + readFile()
      let inquiry = try Database.use(settings, logger: Log(settings).logger) { database in
        try DeliveryStatusInquiry(
          about: named, hasConsent: customerConsented ? true : nil,
          hasSample: sampleContentProvided, database: database)
      }
      print(try JSONDocument.text(of: inquiry.answers, keys: .useDefaultKeys))
      guard inquiry.answers.allSatisfy(\.isKnown) else { throw ExitCode(1) }
    }
  }

  private func readFile() throws -> [String] {
    guard let file else { return [] }
    do {
      let data =
        file == "-"
        ? try FileHandle.standardInput.readToEnd() ?? Data()
        : try Data(contentsOf: URL(filePath: file))
      return String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
        .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    } catch {
      throw ReconciliationError(
        .configuration, "--file: \(file) cannot be read: \(error.localizedDescription)")
    }
  }
}
