// Lists of files from several folders. Each file is named in one list, and the longer lists are
// made from the shorter.
extension SQLFile {
  /// The views of judge/; each may read those before it.
  public static let views =
    [judgeMatched] + judge + [judgeFound, judgeCause, judgeUnreadFile, judgeCompared, judgeTied]

  /// The files that decide what a night carries forward.
  public static let judging =
    schema + cluster + affected + views + match + carried
    + [carriedClosest, carriedNearDelivery, carriedPossibleMatch, carriedNearest] + night + rules

  /// Every file of this folder.
  public static let all =
    judging + [matchSample, rolesCreate, rolesGrant]
    + [loadNextFile, loadFile, loadNumber, loadTrust, loadCount, loadAnswer] + load
    + [rebuildEmpty, rebuildClose, rebuildPrivacy, forgetCompanion, forgetMerge, forgetTrace]
    + findings
    + [
      restatedMissing, restatedRow, restatedChange, restatedSilence, restatedBalance,
      restatedPublished, restatedHasPublished,
    ]
    + [
      periodAmount, periodBalance, periodStatement, periodTotal, periodDoubt, periodOpen,
      periodCertificate, periodList,
    ]
    + [retentionDrop] + reports + page + [workbookHead, workbookObligation, workbookMonth]
    + summary + recover + explain + beside

  /// The files of the acts around a night: its record, its files, closings.
  private static let beside = [
    run, metrics, publish, inbox, withdraw, privacy, forget, refresh, aroundLoad, aroundRebuild,
    periodActs,
  ].flatMap { $0 }
}
