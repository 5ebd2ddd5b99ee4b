import ArgumentParser
import Configuration
import Explain
import Foundation
import Inbox
import Ledger
import Runs

/// `tieout explain`: why a finding exists, or does not.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explains one case: what happened, what is owed, what each rule found.",
    discussion: """
      ID is a transaction (of any environment), a delivery, a web order line item, an account, or the \
      name of a finding (F-907b3f91ac94, or its beginning). Everything with this ID is explained. For an \
      account, the missing deliveries and the newest hundred transactions and deliveries are shown. The \
      answer is about the newest night and is computed with the night's own SQL. The command takes no lock \
      and changes nothing; it can run beside a night.

      ID can also be a product identifier, a server, the path of an input file or an error text. Then the \
      answer says how many deliveries are missing, since when, of whom, what changed, and what was healthy \
      at the same time. 2026-10, "2026-10 PRODUCT" and "2026-10 PRODUCT CURRENCY" name a month: the \
      answer has its amounts, whether it is closed, and the transactions that changed it since it was published. The \
      name of a closed period, such as 2026-10-01..2026-10-15, can stand in place of the month. \
      "PRODUCT sales_summary 2026-11-16 US USD" names a row of tie_out.csv (a cell), and so does the finding \
      about it: the answer lists what explains the difference, Apple's rows and our transactions. The whole \
      subject of a finding, as reports print it, explains the finding. A name of several kinds is explained as the first of cell, \
      record, product, server, file, month, period, error, finding; the answer names the others, and --as selects \
      one. --as device explains the missing deliveries and the newest hundred transactions and \
      deliveries of a device; it reads all evidence and deliveries. If an ID is the name of an account and \
      that of a transaction or delivery, --as account, --as transaction and --as delivery explain one of them.

      tieout explain ID --sql | tieout psql    prints the same rows in psql

      Exit status: 0 the ID is known · 1 the ID is unknown · 64 the ID is empty · \
      69 no database · 78 configuration, or no night was done yet.
      """)

  @OptionGroup var common: CommonOptions

  @Argument(
    help: ArgumentHelp(
      """
      ID of a transaction, delivery, web order line item or account; name or subject of a finding; name of a \
      product or server; path of a file; month or closed period; row of tie_out.csv; error text.
      """,
      valueName: "id"))
  var name: String

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp(
      """
      Explain it as this kind of name: cell, record, product, server, file, month, period, error, finding; \
      device; or only as account, transaction or delivery.
      """,
      valueName: "kind"))
  var kind: String?

  @Flag(help: "Print JSON, with every value unchanged.")
  var json = false

  @Flag(help: "Print the SQL statements of the answer, for psql.")
  var sql = false

  func validate() throws {
    guard name.contains(where: { !$0.isWhitespace }) else {
      throw ValidationError("The ID is empty. Give the ID that you want to have explained.")
    }
    if json, sql { throw ValidationError("Give either --json or --sql.") }
    if let kind, Explanation.NameKind(rawValue: kind) == nil {
      let kinds = Explanation.NameKind.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("--as: “\(kind)” is none of: \(kinds).")
    }
  }

  func run() throws {
    try Ending.explained {
      let settings = try common.settings()
      let asKind = kind.flatMap { Explanation.NameKind(rawValue: $0) }
      let hashes = Result {
        try ([name] + NameSpelling.others(of: name)).compactMap {
          try NameKeeping.hashed($0, settings)
        }
      }
      let log = Log(settings).logger
      let (inquiry, unjudged) = try Database.use(settings, logger: log) { database in
        let inquiry = try Inquiry(
          about: name, as: asKind, or: spellings(settings, hashes: (try? hashes.get()) ?? []),
          database: database)
        return (inquiry, try RunHistory(database: database).wordsIfUnjudged())
      }
      let remark = inquiry.explanation.isKnown ? nil : leftOut(hashes, as: asKind)
      for words in [remark, unjudged].compactMap({ $0 }) where sql || json {
        StandardError.writeLine("tieout: \(Visible.text(words))")
      }
      if sql {
        try StandardOutput.write(inquiry.script)
      } else if json {
        try StandardOutput.writeLine(
          JSONDocument.text(of: inquiry.explanation, keys: .convertToSnakeCase))
      } else {
        try StandardOutput.write(
          ExplanationText.of(
            inquiry.explanation, as: asKind, isHashed: settings.privacy == .hash,
            remark: remark, unjudged: unjudged, width: Terminal.width))
      }
      if inquiry.explanation.isEmpty { throw ExitCode(1) }
    }
  }

  /// The path below the inbox if the name is a path on disk, and the hashes of an account.
  private func spellings(_ settings: Settings, hashes: [String]) -> [String] {
    let line = name.firstMatch(of: /(?::|, entry )[0-9]+$/).map { String($0.output) } ?? ""
    let path = Inbox.path(below: settings.inbox, of: String(name.dropLast(line.count)))
    return ([path.map { $0 + line }].compactMap { $0 } + hashes).filter { $0 != name }
  }

  /// What was not searched because the name could not be hashed; nil if nothing was left out.
  private func leftOut(
    _ hashes: Result<[String], any Error>, as kind: Explanation.NameKind?
  ) -> String? {
    guard case .failure(let error) = hashes, !name.hasPrefix("h:"),
      kind == nil || kind == .record || kind == .device || kind == .account
    else { return nil }
    let reason =
      (error as? ConfigurationError).map { "\($0.place): \($0.problem)" } ?? Ending.words(of: error)
    return "The key of privacy: hash cannot be read (\(reason)), so this name was not searched as "
      + (kind == .device ? "a device" : "an account")
      + ". Run as the user of the nights, or give the hashed name (h:…)."
  }
}
