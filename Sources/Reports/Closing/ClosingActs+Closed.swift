import Configuration
import PostgreSQL
import Runs

extension ClosingActs {
  /// Approves a closed period, as another person than the one who closed it.
  ///
  /// - Throws: ``ReconciliationError`` with `unknown` if the period is not closed, or if the person
  ///   closed it and `single_signer` is not set.
  package func approve(_ period: Period) throws -> Approved {
    let pack = try ClosingPack(reports: settings.reports)
    defer { showState() }
    let (preparer, certificate) = try database.inTransaction {
      let closing = try self.closing(of: period)
      try pack.require(closing.folder, sha256: closing.packSHA256)
      do {
        try database.run(
          """
          insert into period_approval (closing_id, run_id, is_single_signer, approved_by, approved_at)
          select $1::integer, night.run_id, $2::boolean, '', now()
          from night
          """, [closing.id, settings.singleSigner ? "true" : "false"], step: "approve")
      } catch let error as PostgreSQLError {
        guard error.sqlState == "42501", error.description.contains("who prepared a period") else {
          throw error
        }
        throw ReconciliationError(
          .unknown,
          """
          \(closing.preparer) closed \(period.name), so another person must approve it: another role of the \
          database, or another user of this machine with the private server (PostgreSQL 16 or newer). If one \
          person alone may close, set single_signer; the certificate says so.
          """)
      }
      // The lock of a run keeps others from approving, so the newest approval is this one.
      guard let certificate = try Certificate.all(in: database).last,
        certificate.pack == closing.folder
      else { throw ReconciliationError(.totals, "The approval was not recorded.") }
      return (closing.preparer, certificate)
    }
    // There is never a certificate without an approval. If the program ends here, the person approves
    // again.
    let path = try pack.write(
      certificate,
      otherwise: """
        \(period.name) is approved, but its certificate is not written. Correct this, and repeat tieout approve \
        \(period.name): it records another approval and writes the certificate of that one.
        """)
    return Approved(preparer: preparer, approver: certificate.approver, certificate: path)
  }

  /// Opens a closed period again; later periods that hold adjustments of it must be open already.
  ///
  /// - Throws: ``ReconciliationError`` with `unknown`.
  package func reopen(_ period: Period, because: String) throws {
    guard because.contains(where: { !$0.isWhitespace }), because.utf8.count <= 64 << 10,
      !because.utf8.contains(0)
    else { throw ReconciliationError(.unknown, "--because is empty, or longer than 64 KiB.") }
    defer { showState() }
    try database.inTransaction {
      let closing = try self.closing(of: period)
      let later = try database.run(
        """
        select string_agg(later.period, ', ' order by later.closing_id desc)
        from period_closing as later
        where later.closing_id > $1::integer and later.reopened_at is null
        """, [closing.id], step: "reopen")
      if let later = later.first {
        throw ReconciliationError(
          .unknown,
          """
          Periods that were closed after \(period.name) hold what has changed in it since then. Reopen them \
          first, in this order: \(later).
          """)
      }
      try database.run(
        "update period_closing set reopened_because = $2 where closing_id = $1::integer",
        [closing.id, because], step: "reopen")
    }
  }

  private struct Closing {
    let id: String
    let folder: String
    let preparer: String
    let packSHA256: String
  }

  private func closing(of period: Period) throws -> Closing {
    let rows = try database.run(
      """
      select closing_id, edition, prepared_by, pack_sha256
      from period_closing
      where period = $1 and reopened_at is null
      """, [period.name], step: "period")
    let row = rows.values.first?.compactMap { $0 } ?? []
    guard row.count == 4 else {
      throw ReconciliationError(
        .unknown, "\(period.name) is not closed. tieout periods lists the closed periods.")
    }
    return Closing(
      id: row[0], folder: ClosingPack.name(of: period.name, edition: Int(row[1]) ?? 1),
      preparer: row[2], packSHA256: row[3])
  }
}
