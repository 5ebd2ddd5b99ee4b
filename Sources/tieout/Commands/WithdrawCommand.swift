import ArgumentParser
import Configuration
import Ledger
import Runs

/// `tieout withdraw`: excludes a file.
struct WithdrawCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "withdraw",
    abstract: "Excludes a wrong file permanently, or lists the withdrawn files.",
    discussion: """
      FILE is a path as reports name it, a path on disk, or at least eight digits of a SHA-256. A file is \
      identified by its content: the same content under another name is excluded too. If the file has \
      grown, its earlier versions are withdrawn with it, unless FILE is a SHA-256. A file can be withdrawn \
      before it arrives.

      Records of the file count until `tieout rebuild` has built the tables again. A file of which no record was \
      used, such as a rejected one, stops counting at once. Findings that the file acknowledged are open again at \
      once. Without FILE, the command lists who withdrew what, when and why.

      Exit status: 0 done · 64 the file is unknown, or several files match · 69 no database · \
      75 another run is at work; try again · 78 configuration.
      """)

  @OptionGroup var common: CommonOptions

  @Option(help: ArgumentHelp("Folder with the input files. Default: inbox.", valueName: "dir"))
  var inbox: String?

  @Option(help: ArgumentHelp("Reason.", valueName: "text"))
  var because: String?

  @Flag(help: "Include the file again.")
  var undo = false

  @Argument(help: ArgumentHelp("File to withdraw.", valueName: "file"))
  var file: String?

  func validate() throws {
    guard file != nil else {
      if undo || because != nil { throw ValidationError("Give the file.") }
      return
    }
    if !undo, because == nil {
      throw ValidationError("Give a reason: --because TEXT.")
    }
  }

  func run() throws {
    try Ending.explained {
      let settings = try common.settings([("inbox", inbox)])
      let text = try Database.useOfNights(settings, logger: Log(settings).logger) { database in
        let withdrawal = Withdrawal(settings: settings, database: database)
        guard let file else {
          let entries = try withdrawal.entries()
          let words =
            try entries.isEmpty ? RunHistory(database: database).wordsIfBeforeFirstNight() : nil
          return Self.list(entries, words)
        }
        let files =
          try undo
          ? withdrawal.undo(file, because: because)
          : withdrawal.withdraw(file, because: because ?? "")
        return WithdrawalText.of(files, isUndone: undo)
      }
      if file == nil {
        try StandardOutput.write(text)
      } else {
        try StandardOutput.writeResult(text)
      }
    }
  }

  /// The list of withdrawals; without any, also what to know about the database, if that is given.
  private static func list(_ entries: [Withdrawal.Entry], _ words: String?) -> String {
    guard !entries.isEmpty else {
      return "No file was withdrawn.\(words.map { " \($0)" } ?? "")\n"
    }
    let rows = entries.map {
      [
        Visible.text($0.path), String($0.sha256.prefix(16)), $0.withdrawnAt, $0.withdrawnBy,
        Visible.text($0.because), Visible.text($0.state),
      ]
    }
    let header = ["file", "sha256", "withdrawn", "by", "because", "now"]
    return TextTable(header: header, rows: rows).text
  }
}
