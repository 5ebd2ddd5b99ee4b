import ArgumentParser
import Reports

/// `tieout verify`: checks that published reports are what was published.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Checks that published reports are complete and unchanged.",
    discussion: """
      DIR is a reports folder, the folder of one edition, or the pack of one closed period. The command \
      checks every file against the manifest of its folder, adds up the sums of the CSV files of editions \
      again and, in a reports folder, follows the chain of manifests, and checks the list of editions and \
      the link latest. It reads only these folders and uses no database and no network. It stops at the \
      first thing that is wrong, and says which file it is, what was expected, what is there, and what to do.

      A person who owns the machine can write all editions and their chain of manifests again. Only a head \
      that is kept elsewhere shows that: --anchor compares the chain with the file to which runs append.

      Exit status: 0 everything is as published · 1 something is not · 64 there is nothing to verify · \
      73 a file or a folder cannot be read · 75 stopped, or runs published meanwhile; try again.
      """)

  @Argument(
    help: ArgumentHelp(
      "Reports folders, folders of editions, or packs of closed periods.", valueName: "dir"),
    completion: .directory)
  var folders: [String]

  @Option(
    help: ArgumentHelp(
      "Compare the chain of manifests with the heads in this file, which runs wrote with --anchor.",
      valueName: "file"))
  var anchor: String?

  @Flag(help: "Print nothing if everything is as published.")
  var quiet = false

  func validate() throws {
    if anchor != nil, folders.count > 1 {
      throw ValidationError("--anchor belongs to one reports folder. Give one.")
    }
  }

  func run() throws {
    try Ending.explained {
      for folder in folders {
        let result = try FolderProof(folder, anchor: anchor).check()
        if !quiet { try StandardOutput.write(VerificationText.of(result, in: folder)) }
      }
    }
  }
}
