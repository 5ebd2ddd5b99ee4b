import Reports
import Runs

/// What `tieout close` and `tieout approve` print.
enum ClosingText {
  static func of(
    _ closed: ClosingActs.Closed, _ period: Period, isSingleSigner: Bool
  ) -> String {
    var text = """
      \(period.name), \(closed.days.first) to \(closed.days.last), is closed by \(Visible.text(closed.person)) \
      with the amounts as of \(closed.asOf).

      """
    if let previous = closed.previous {
      text += """
        It was closed before, \(words(of: previous.closing)).
        Difference from that pack, closed/\(previous.closing.pack), net of refunds: \
        \(previous.difference ?? "none").

        """
    }
    for earlier in closed.overlapping {
      text += """
        Days of it were closed before in closed/\(earlier.closing.pack), \(earlier.days.first) to \
        \(earlier.days.last), \(words(of: earlier.closing)).

        """
    }
    if closed.totals.rows.isEmpty {
      text += "\nIt has no sales and no refunds.\n"
    } else {
      text += "\n" + table(of: closed.totals).text
      if closed.totals.rows.contains(where: { $0.contains("catalogue") }) {
        text += "The amounts of catalogue are list prices, an estimate.\n"
      }
    }
    if !closed.open.rows.isEmpty {
      text += "\nFindings of that night, of all periods:\n" + TextTable(closed.open).text
    }
    return text + doubts(closed.doubts) + "\nIts pack is in \(Visible.text(closed.folder))\n"
      + "Next: tieout approve \(period.name)\(isSingleSigner ? "" : ", by another person").\n"
  }

  static func of(_ approved: ClosingActs.Approved, _ period: Period) -> String {
    let approver = Visible.text(approved.approver)
    let preparer = Visible.text(approved.preparer)
    let persons =
      approver == preparer
      ? "by \(approver), who closed it alone (single_signer)"
      : "by \(approver); \(preparer) closed it"
    let difference = approved.difference.map {
      "Approved with it: changed since it was closed, \($0).\n"
    }
    guard approved.isNew else {
      let done =
        approved.certificateWasMissing
        ? "Only the certificate was written, because it was missing." : "Nothing was done."
      return "\(period.name) is approved already, since \(approved.approvedAt), \(persons).\n"
        + "It has not changed since then. \(done) "
        + "The certificate is \(Visible.text(approved.certificate))\n"
    }
    return "\(period.name) is approved \(persons).\n\(difference ?? "")\(doubts(approved.doubts))"
      + "The certificate is \(Visible.text(approved.certificate))\n"
  }

  /// The totals, with upgrades only if there are any: the column makes the lines longer than 80
  /// characters.
  private static func table(of totals: QueryTable) -> TextTable {
    let table = TextTable(totals)
    guard table.rows.allSatisfy({ $0.last == "0" }) else { return table }
    return TextTable(
      header: Array(table.header.dropLast()), rows: table.rows.map { Array($0.dropLast()) })
  }

  private static func words(of closing: ReopenedClosing) -> String {
    """
    by \(Visible.text(closing.preparer)) at \(closing.preparedAt), and reopened by \
    \(Visible.text(closing.reopener)) at \(closing.reopenedAt): “\(Visible.text(closing.because))”
    """
  }

  /// One line for each reason to doubt the amounts.
  private static func doubts(_ doubts: [String]) -> String {
    let lines = doubts.map { "Warning: \(Visible.text($0))\n" }.joined()
    return lines.isEmpty ? "" : "\n\(lines)"
  }
}
