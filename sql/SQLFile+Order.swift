// Lists of files in the order in which the program uses them.
extension SQLFile {
  /// Create tables, functions and views, in this order.
  package static let schema = [
    schemaVersion,
    schemaPolicy,
    schemaOrder,
    schemaRun,
    schemaFile,
    schemaFunction,
    schemaDistance,
    schemaIdentifier,
    schemaProduct,
    schemaUsual,
    schemaEvidence,
    schemaTransaction,
    schemaDelivery,
    schemaClient,
    schemaCatalogue,
    schemaAppleReport,
    schemaApplePeriod,
    schemaQuestion,
    schemaRejection,
    schemaFinding,
    schemaAcknowledgement,
    schemaRollForward,
    schemaRestated,
    schemaPeriodChange,
    schemaPeriod,
    schemaStandingMonth,
    schemaOpenRecord,
    schemaStaging,
    schemaSpelling,
    schemaCarried,
    schemaPeriodDifference,
    schemaPacific,
    schemaTieOut,
    schemaTieOutSplit,
    schemaTieOutBridge,
    schemaSource,
    schemaWithdrawal,
    schemaPrivacy,
    schemaJournal,
    schemaView,
  ]

  /// Load tonight's rows into the ledger, in this order.
  package static let load = [
    loadDropKey,
    loadDocument,
    loadEvidence,
    loadMerge,
    loadGrown,
    loadOpen,
    loadDelivery,
    loadKey,
    loadCatalogue,
    loadClient,
    loadAppleReport,
    loadRejection,
  ]

  /// Find the exceptions, in this order: pairs transactions with deliveries, and lists the chains
  /// in which a rule may find something.
  package static let matchExceptions = [
    matchPair,
    matchException,
    matchFamily,
    matchService,
  ]

  /// The relations that a night judges by; each may read those before it.
  package static let judgedRelations = [
    judgeNight,
    judgeProduct,
    judgePrice,
    judgeRefund,
    judgeConsideredTransaction,
    judgeLineItemPrice,
    judgeClaim,
    judgeRestoring,
    judgeMember,
    judgeInvalidReport,
    judgeFamily,
    judgeDelivery,
    judgeAttempt,
    judgeLogHour,
    judgeSourceHour,
    judgeSourceProduct,
    judgeSilentHour,
    judgeSilence,
    judgeBooks,
    judgeObligation,
    judgeUnheard,
    judgeUnrecorded,
    judgeUndelivered,
    judgeRestoredFamily,
    judgeSale,
  ]

  /// The views of judge/; each may read those before it.
  package static let views =
    [judgeMatched] + judgedRelations
    + [judgeFound, judgeCause, judgeUnreadFile, judgeCompared, judgeTieOutRow]

  /// The queries of the rules.
  ///
  /// A rule may read the findings of the rules before it.
  package static let rules = [
    ruleInvalidProductId,
    ruleMissingDelivery,
    ruleUnfinishedDelivery,
    ruleDuplicateRestore,
    ruleMissingOriginal,
    ruleUnrestorableRestore,
    ruleDeliveryWithoutPurchase,
    ruleDuplicateDelivery,
    ruleSharedPurchase,
    ruleConflictingTransaction,
    ruleConflictingDelivery,
    ruleConflictingCatalogue,
    rulePurchaseWithoutReceipt,
    ruleAutomaticRestore,
    ruleSuspiciousReceipt,
    ruleCatalogueDisagreement,
    ruleSilentSource,
    ruleUnpricedProduct,
    ruleStaleFeed,
    ruleCertificateWithdrawn,
    ruleUnexplainedDifference,
  ]

  /// The files that decide what a night carries forward.
  ///
  /// Their order is a part of the fingerprint with which a night recognizes what the same program
  /// carried forward. So the files whose order matters come first, in that order.
  package static let judging: [SQLFile] = {
    let ordered = schema + views + matchExceptions + rules
    let layers: Set = [
      "schema", "cluster", "affected", "match", "judge", "carried", "night", "rule",
    ]
    // The sample only checks.
    let others = all.filter { file in
      layers.contains(file.layer) && !ordered.contains(file) && file != matchSample
    }
    return ordered + others
  }()

  /// The queries of the reports: the statements first, then the night papers.
  package static let reports = [
    reportMissingDeliveries,
    reportInvalidProductIds,
    reportDuplicateRestores,
    reportRevenue,
    reportMonths,
    reportLiabilities,
    reportProceeds,
    reportTieOut,
    reportFindings,
    reportCauses,
    reportControlTotals,
    reportRejectedRecords,
    reportChanges,
    reportRollForward,
    reportRestatement,
    reportInputs,
  ]
}
