import ArgumentParser
import Configuration
import Foundation
import Reconciliation

/// `tieout withdraw`: a file that is never to count again.
struct WithdrawCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "withdraw",
    abstract: "Marks a wrong file as never to count again, or lists what was withdrawn.",
    discussion: """
      FILE is a path as reports name it, a path on disk, or at least eight digits of a SHA-256. A file is \
      known by its bytes: the same under another name stays out too, and what it was before it grew is \
      withdrawn with it (given by SHA-256, it alone is). A file can be withdrawn before it arrives.

      What was loaded of it counts until `tieout rebuild` has built the tables again; what it acknowledged is \
      open again at once. Without FILE: who withdrew what, when and why.

      Exit status: 0 done · 64 no such file, or several · 69 no database · 75 a run is under way: try \
      again · 78 configuration.
      """)

  @OptionGroup var places: PlaceOptions

  @Option(help: ArgumentHelp("Folder of the night's files. Default: inbox.", valueName: "dir"))
  var inbox: String?

  @Option(help: ArgumentHelp("Why, for those who come after.", valueName: "text"))
  var because: String?

  @Flag(help: "Let the file count again.")
  var undo = false

  @Argument(help: ArgumentHelp("The file.", valueName: "file"))
  var file: String?

  func validate() throws {
    let reason = because?.trimmingCharacters(in: .whitespacesAndNewlines)
    if because != nil, reason?.isEmpty != false {
      throw ValidationError("--because needs a reason.")
    }
    guard file != nil else {
      if undo || because != nil { throw ValidationError("Which file?") }
      return
    }
    if !undo, because == nil {
      throw ValidationError("Say why: --because TEXT.")
    }
  }

  func run() throws {
    try Ending.explained {
      let settings = try places.settings([("inbox", inbox, "--inbox")])
      try Database.use(settings, logger: Log(settings).logger) { database in
        let withdrawal = Withdrawal(settings: settings, database: database)
        guard let file else { return Self.list(try withdrawal.entries()) }
        let files =
          try undo
          ? withdrawal.undo(file, because: because)
          : withdrawal.withdraw(file, because: because ?? "")
        print(WithdrawalText(files, isUndone: undo).text, terminator: "")
      }
    }
  }

  private static func list(_ entries: [Withdrawal.Entry]) {
    guard !entries.isEmpty else { return print("Nothing was ever withdrawn.") }
    let rows = entries.map {
      [
        Visible.text($0.path), String($0.sha256.prefix(16)), $0.withdrawnAt, $0.withdrawnBy,
        Visible.text($0.because), Visible.text($0.state),
      ]
    }
    let header = ["file", "sha256", "withdrawn", "by", "because", "now"]
    print(TextTable(header: header, rows: rows).text, terminator: "")
  }
}
