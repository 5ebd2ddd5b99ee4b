// Lists of files from several folders. Each file is named in one list, and the longer lists are made from the shorter.
extension SQLFile {
  /// The views of judge/; each may read those before it.
  public static let views =
    [judgeMatched] + judge + [judgeFound, judgeCause, judgeUnreadFile, judgeCompared]

  /// Find and judge the part of the ledger that tonight touches.
  public static let affected = [
    affectedStart, affectedSeed, affectedRound, affectedLedger, affectedLogHour,
    affectedSourceProduct, affectedSilentHour, affectedSilence, affectedNearMiss,
  ]

  /// The files that decide what a night carries forward.
  public static let judging =
    schema + affected + views + matchExceptions + [matchLedger] + carried + [carriedClosest] + rules

  /// Every file of this folder.
  public static let all =
    judging + [matchSample, rolesCreate, rolesGrant]
    + [loadFile, loadNumber, loadTrust, loadCount] + load
    + [rebuildEmpty, rebuildClose, rebuildPrivacy, forgetCompanion, forgetMerge, forgetTrace]
    + [
      findingsLive, findingsRecords, findingsInputs, findingsResolved, findingsReturned,
      findingsTold, findingsList, findingsCount, findingsRolled,
    ]
    + [restatedChange, restatedSilence, restatedBalance, restatedPublished]
    + [
      periodAmount, periodBalance, periodStatement, periodTotal, periodOpen, periodCertificate,
      periodList,
    ]
    + [retentionDrop] + reports + page + [workbookHead, workbookObligation, workbookMonth]
    + explain
}
