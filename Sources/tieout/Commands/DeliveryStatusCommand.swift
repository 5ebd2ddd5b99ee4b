import ArgumentParser
import Configuration
import Explain
import FileSystem
import Foundation
import Runs

/// `tieout delivery-status`: the deliveryStatus for Apple's refund requests.
struct DeliveryStatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delivery-status",
    abstract: "Prints the deliveryStatus that the evidence supports, for Apple's refund requests.",
    discussion: """
      Prints a JSON array with one object for each transaction. Its member consumptionRequest has the \
      members of Apple's request body; it is missing if the evidence does not support any status. The \
      answer is about the newest night.

      Apple also requires customerConsented and sampleContentProvided. No evidence contains them: give \
      the options, or add the members before you send the request.

      Exit status: 0 all IDs are known · 1 at least one ID is unknown · 64 the file of --file names no ID or \
      cannot be read · 69 no database · 78 configuration, or no night was done yet.
      """)

  @OptionGroup var common: CommonOptions

  @Argument(help: ArgumentHelp("Transaction IDs.", valueName: "id"))
  var transactions: [String] = []

  @Option(
    help: ArgumentHelp(
      "File with one transaction ID per line; - for standard input.", valueName: "file"))
  var file: String?

  @Flag(help: "The customers consented to send this data to Apple.")
  var customerConsented = false

  @Option(
    help: ArgumentHelp(
      "Whether a free sample was provided before the purchase.", valueName: "true|false"))
  var sampleContentProvided: Bool?

  @Flag(help: "Print all deliveries, not only the first and the last hundred of a transaction.")
  var allDeliveries = false

  func validate() throws {
    if transactions.isEmpty, file == nil {
      throw ValidationError("Give transaction IDs, or a file with --file.")
    }
  }

  func run() throws {
    try Ending.explained {
      let settings = try common.settings()
      let named = try transactions + readFile()
      guard !named.isEmpty else {
        throw ReconciliationError(
          .unknown, "--file: \(file ?? "") names no transaction. Name one transaction on each line."
        )
      }
      let inquiry = try Database.use(settings, logger: Log(settings).logger) { database in
        let inquiry = try DeliveryStatusInquiry(
          about: named, hasConsent: customerConsented ? true : nil,
          hasSample: sampleContentProvided, database: database)
        if let words = try RunHistory(database: database).wordsIfUnjudged() {
          StandardError.writeLine("tieout: \(words)")
        }
        return inquiry
      }
      let answers = allDeliveries ? inquiry.answers : inquiry.answers.map(\.shortened)
      try StandardOutput.writeLine(JSONDocument.text(of: answers, keys: .useDefaultKeys))
      guard inquiry.answers.allSatisfy(\.isKnown) else { throw ExitCode(1) }
    }
  }

  private func readFile() throws -> [String] {
    guard let file else { return [] }
    do {
      let data =
        file == "-"
        ? try FileHandle.standardInput.readToEnd() ?? Data()
        : try Data(FilePlace(anywhere: file).contents(atMost: .max))
      guard !data.contains(0) else {
        throw ReconciliationError(
          .unknown,
          "--file: \(file) is binary or UTF-16. Save it as UTF-8, one transaction a line.")
      }
      // Some editors and spreadsheets begin a file with a byte order mark.
      let mark = Data([0xef, 0xbb, 0xbf])
      let text = data.starts(with: mark) ? data.dropFirst(mark.count) : data
      return String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
        .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    } catch let error as ReconciliationError {
      throw error
    } catch {
      throw ReconciliationError(
        .unknown,
        """
        --file: \(file) cannot be read: \(FileSystemError.words(of: error)). Name a file, or - for standard input.
        """)
    }
  }
}
