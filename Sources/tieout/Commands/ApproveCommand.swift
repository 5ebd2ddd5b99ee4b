import ArgumentParser
import Reports

/// `tieout approve`: approves a closed period.
struct ApproveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "approve",
    abstract: "Approves a closed period: writes its certificate.",
    discussion: """
      Only a person other than the one who closed the period can approve it. A person is a role of the database. The \
      private server knows at most two persons: its own user and root, before PostgreSQL 16 only one. With \
      single_signer: true one person is enough, and the certificate says so. If the period changes by \
      materiality or more afterwards, the finding certificate_withdrawn stays open until the period is \
      approved again or reopened, or until the change is undone. If the period is approved and has not changed \
      since, the command says so, and writes only a missing certificate. Only after an approval by the person \
      who closed it can another person approve it again.

      Exit status: 0 done · 64 the period is not closed, the same person closed it, a withdrawn file \
      still counts, a run of a past day has loaded new files that no night has judged, or the certificate of an \
      approval that the database does not know is there · 70 it was closed with wrong numbers · 73 the pack was \
      changed or cannot be opened, or the certificate cannot be written · 75 a run is at work.
      """)

  @OptionGroup var closing: ClosingOptions

  func run() throws {
    try Ending.explained {
      try closing.act { acts, period in
        try ClosingText.of(acts.approve(period), period)
      }
    }
  }
}
