import Configuration
import PostgreSQL
import ReconciliationSQL
import Runs

extension ClosingActs {
  /// Approves a closed period, as another person than the one who closed it.
  ///
  /// If the file of the newest certificate is missing, it is written first. If the period is
  /// approved and has not changed since, nothing else is done, unless one person closed and approved
  /// it and another person approves it now.
  ///
  /// - Throws: ``ReconciliationError`` with `unknown` if the period is not closed, if the person
  ///   closed it and `single_signer` is not set, if a withdrawn file still counts, if a run of a
  ///   past day has loaded new files that no night has judged, or if a certificate is there that
  ///   the database does not know; with `unbalanced` if its numbers are wrong.
  package func approve(_ period: Period) throws -> Approved {
    // A period that is not closed is refused before anything is written into the reports folder.
    _ = try database.inTransaction { try closing(of: period) }
    guard let pack = try ClosingPack(existingIn: settings.reports) else {
      throw ReconciliationError(
        .reports,
        """
        \(settings.reports) has no folder \(ClosingPack.folderName), so the pack of \(period.name) is not there. \
        \(ClosingPack.notHere)
        """)
    }
    let isWritten = try database.inTransaction {
      try pack.writeMissingCertificate(
        of: closing(of: period), among: ApprovalCertificate.all(in: database))
    }
    let existing = try database.inTransaction {
      try existingApproval(of: period, in: pack, writingCertificate: isWritten)
    }
    if let existing { return existing }
    let days = try period.days(in: database)
    let (preparer, certificate, doubts) = try database.inTransaction {
      let closing = try self.closing(of: period)
      try requireCurrent(period)
      try pack.require(closing)
      try requireRight(period)
      do {
        try database.run(
          SQLFile.periodApprove, [closing.id, settings.singleSigner ? "true" : "false"])
      } catch let error as PostgreSQLError {
        guard error.sqlState == "42501", error.description.contains("who prepared a period") else {
          throw error
        }
        throw ReconciliationError(
          .unknown,
          """
          \(closing.preparer) closed \(period.name), so another person must approve it. A person is a role of the \
          database. The private server knows at most two persons, its own user and root, and before PostgreSQL 16 \
          only one; for other persons use a server of your own. If one person alone may close, set single_signer; \
          the certificate says so.
          """)
      }
      // The lock of a run keeps others from approving, so the newest approval is this one.
      guard let certificate = try ApprovalCertificate.all(in: database).last,
        certificate.pack == closing.folder
      else { throw ReconciliationError(.totals, "The approval was not recorded.") }
      // A manifest can name the file that is there.
      guard !pack.hasFile(certificate.fileName) else {
        throw ReconciliationError(
          .unknown,
          """
          \(pack.path(of: certificate)) is there already, although this database does not know this approval; \
          perhaps the database was restored from an older backup. So nothing was approved. Reopen the period, close it \
          again, and approve that: tieout reopen-period \(period.name) --because TEXT.
          """)
      }
      let doubts = try reasonsToDoubt(days, of: closing.id)
      try lock.requireHeld()
      return (closing.preparer, certificate, doubts)
    }
    // The approval is committed first, so there is never a certificate without an approval. If the
    // program is killed here, the command or the next run writes the certificate.
    let path = try pack.write(
      certificate,
      otherwise: """
        \(period.name) is approved, but its certificate is not written. Correct this, and repeat tieout approve \
        \(period.name): it writes the certificate.
        """)
    return Approved(
      preparer: preparer, approver: certificate.approver, approvedAt: certificate.approvedAt,
      isNew: true, certificate: path, certificateWasMissing: false,
      difference: certificate.difference, doubts: doubts)
  }

  /// The newest approval of a period, if this person does not have to approve it again.
  private func existingApproval(
    of period: Period, in pack: ClosingPack, writingCertificate isWritten: Bool
  ) throws -> Approved? {
    let closing = try closing(of: period)
    guard try !database.run(SQLFile.periodApproved, [closing.id]).records.isEmpty,
      let certificate = try ApprovalCertificate.all(in: database).last(where: {
        $0.pack == closing.folder
      })
    else { return nil }
    try requireCurrent(period)
    try pack.require(closing)
    return Approved(
      preparer: closing.preparer, approver: certificate.approver,
      approvedAt: certificate.approvedAt, isNew: false,
      certificate: pack.path(of: certificate), certificateWasMissing: isWritten,
      difference: certificate.difference, doubts: [])
  }

  /// Refuses to approve numbers that lack loaded files, or that contain a withdrawn one.
  private func requireCurrent(_ period: Period) throws {
    let days = try period.days(in: database)
    for night in try database.run(SQLFile.periodNight, [days.last]).records {
      try requireJudged(night)
    }
    try requireNothingWithdrawn()
  }

  /// Refuses to approve numbers that are known to be wrong.
  private func requireRight(_ period: Period) throws {
    guard
      try database.run(SQLFile.periodWrong).records.contains(where: {
        $0.text("period") == period.name
      })
    else { return }
    throw ReconciliationError(
      .unbalanced,
      """
      \(period.name) was closed with wrong numbers, so it cannot be approved. Nothing was approved. Run tieout \
      recompute. If that changes nothing, reopen the period and those that were closed after it, and close them again.
      """)
  }

  /// Opens a closed period again; later periods that hold adjustments of it must be open already.
  ///
  /// - Throws: ``ReconciliationError`` with `unknown`; with `reports` if a killed command left the
  ///   pack hidden or the certificate unwritten, and this fails again, or if the folder of the
  ///   packs cannot be opened.
  package func reopen(_ period: Period, because: String) throws {
    let because = try GivenText.checked(because, of: "--because")
    try database.inTransaction {
      let closing = try self.closing(of: period)
      let later = try database.run(SQLFile.periodLater, [closing.id])
      if let later = later.records.first?["periods"] {
        throw ReconciliationError(
          .unknown,
          """
          Periods that were closed after \(period.name) contain what has changed in it since then. Reopen them \
          first, in this order: \(later).
          """)
      }
      try finish(closing)
      try database.run(SQLFile.periodReopen, [closing.id, because])
    }
  }

  /// Shows the pack of a closing and writes its certificate, if a killed command did neither: no
  /// later command looks at a closing that was reopened.
  ///
  /// A pack that is missing or damaged gets no certificate, and does not keep the period closed.
  private func finish(_ closing: Closing) throws {
    guard let pack = try ClosingPack(existingIn: settings.reports) else { return }
    _ = try pack.showHidden(closing)
    guard (try? pack.require(closing)) != nil else { return }
    _ = try pack.writeMissingCertificate(
      of: closing, among: ApprovalCertificate.all(in: database))
  }

  /// A closing that was not reopened.
  struct Closing {
    let id: String
    let period: String
    /// The name of the folder of its pack.
    let folder: String
    let preparer: String
    let packSHA256: String

    /// The closings of one period, at most one, or of all.
    static func all(of period: String? = nil, in database: Connection) throws -> [Closing] {
      try database.run(SQLFile.periodClosing, [period]).records.map { row in
        Closing(
          id: row.text("closing_id"), period: row.text("period"),
          folder: ClosingPack.name(of: row.text("period"), closing: try row.count("closing")),
          preparer: row.text("prepared_by"), packSHA256: row.text("pack_sha256"))
      }
    }
  }

  /// The closing of a period that was not reopened.
  func closing(of period: Period) throws -> Closing {
    guard let closing = try Closing.all(of: period.name, in: database).first else {
      throw ReconciliationError(
        .unknown, "\(period.name) is not closed. tieout periods lists the closed periods.")
    }
    return closing
  }
}
