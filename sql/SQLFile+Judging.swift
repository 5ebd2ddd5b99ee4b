// The files that decide what a night carries forward.
extension SQLFile {
  /// The files of cluster/.
  static let cluster = [
    clusterDistribute,
    clusterFunction,
    clusterTakeBack,
    clusterLedger,
    clusterWorker,
    clusterNode,
    clusterTable,
    clusterLocal,
    clusterUnsettled,
    clusterBound,
    clusterBoundAffected,
    clusterGrown,
    clusterLargeChain,
  ]

  /// The files of affected/.
  static let affected = [
    affectedStart,
    affectedSeed,
    affectedRound,
    affectedLedger,
    affectedSize,
    affectedAll,
    affectedLogHour,
    affectedSourceProduct,
    affectedSilentHour,
    affectedChangedHour,
    affectedTouched,
    affectedUnheard,
    affectedSilence,
    affectedPossibleMatch,
  ]

  /// The files of match/ that decide which chains match.
  static let match = [matchWorthwhile] + matchExceptions + [matchFew, matchLedger]

  /// The queries that compute the carried data from what was judged and found.
  package static let carried = [
    carriedMissingDelivery,
    carriedSurplusRestore,
    carriedInvalidSighting,
    carriedSharedFamily,
    carriedClientRestore,
    carriedRevenue,
    carriedMonth,
    carriedEntry,
    carriedTerm,
    carriedPacific,
    carriedOwed,
    carriedTotal,
    carriedDue,
    carriedServed,
  ]

  /// The files of night/.
  static let night = [
    nightNewest,
    nightLast,
    nightFirstDay,
    nightPremises,
    nightFound,
    nightRule,
    nightAppliedRule,
    nightPrice,
    nightBefore,
    nightOpen,
    nightPast,
    nightBalance,
    nightJudged,
    nightUnjudged,
  ]

  /// All of these files.
  ///
  /// Their order is a part of the fingerprint with which a night recognizes what the same program
  /// carried forward.
  package static let judging =
    schema + cluster + affected + views + match + carried
    + [
      carriedClosest, carriedNearDelivery, carriedPlacedRecord, carriedPossibleMatch,
      carriedNearest,
    ] + night + rules
}
