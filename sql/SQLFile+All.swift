extension SQLFile {
  /// Every file of this folder.
  public static let all =
    schema + [rolesCreate, rolesGrant] + [loadFile, loadNumber, loadTrust, loadCount] + load
    + [rebuildEmpty, rebuildClose, rebuildPrivacy, forgetCompanion, forgetMerge, forgetTrace]
    + [affectedStart, affectedSeed, affectedRound, affectedLedger, affectedLogHour]
    + [affectedSourceProduct, affectedSilentHour, affectedSilence, affectedNearMiss] + judge + [
      judgeFound, judgeCause, judgeUnreadFile, judgeCompared, judgeMatched,
    ] + matchExceptions + [matchLedger, matchSample] + carried + [
      carriedClosest
    ]
    + [
      findingsLive, findingsRecords, findingsInputs, findingsResolved, findingsReturned,
      findingsTold, findingsList, findingsCount, findingsRolled,
    ]
    + [restatedChange, restatedSilence, restatedBalance, restatedPublished]
    + [
      periodAmount, periodBalance, periodStatement, periodTotal, periodOpen, periodCertificate,
      periodList,
    ]
    + [retentionDrop] + rules + reports + page + [workbookHead, workbookObligation, workbookMonth]
    + explain + clusterDistribute
    + [clusterLedger, clusterWorker, clusterNode, clusterTable, clusterLocal, clusterUnsettled]
}
