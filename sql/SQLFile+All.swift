extension SQLFile {
  /// Every file of this folder.
  public static let all =
    schema + [rolesCreate, rolesGrant] + [
      loadNextFile, loadFile, loadNumber, loadTrust, loadCount, loadAnswer,
    ]
    + load
    + [rebuildEmpty, rebuildClose, rebuildPrivacy, forgetCompanion, forgetMerge, forgetTrace]
    + affected + judge + [
      judgeFound, judgeCause, judgeUnreadFile, judgeCompared, judgeMatched,
    ] + match + [matchSample] + carried + [
      carriedClosest
    ]
    + night + findings
    + [restatedChange, restatedSilence, restatedBalance, restatedPublished]
    + [
      periodAmount, periodBalance, periodStatement, periodTotal, periodOpen, periodCertificate,
      periodList,
    ]
    + [retentionDrop] + rules + reports + page + [workbookHead, workbookObligation, workbookMonth]
    + summary + recover + explain
}
