/// The queries of `tieout explain` and `tieout delivery-status`.
extension SQLFile {
  /// The kinds of names that the explained name can be.
  public static let explainKind = SQLFile("explain_kind", PackageResources.explain_kind_sql)

  /// The kinds that no index knows.
  public static let explainOtherKind = SQLFile(
    "explain_other_kind", PackageResources.explain_other_kind_sql)

  /// The names that an unknown name may stand for.
  public static let explainSimilar = SQLFile(
    "explain_similar", PackageResources.explain_similar_sql)

  /// The records whose name differs from an unknown name in one digit.
  public static let explainMisspelt = SQLFile(
    "explain_misspelt", PackageResources.explain_misspelt_sql)

  /// The facts about a product, a server or an error.
  public static let explainGroup = SQLFile("explain_group", PackageResources.explain_group_sql)

  /// The uncertain deliveries of a product, or of the products that a server serves.
  public static let explainGroupUncertain = SQLFile(
    "explain_group_uncertain", PackageResources.explain_group_uncertain_sql)

  /// What changed about a product or a server.
  public static let explainGroupChange = SQLFile(
    "explain_group_change", PackageResources.explain_group_change_sql)

  /// The attempts of a server, or with an error, that did not end in a delivery.
  public static let explainGroupAttempt = SQLFile(
    "explain_group_attempt", PackageResources.explain_group_attempt_sql)

  /// The facts of an overview, with each list cut at its length.
  public static let explainCut = SQLFile("explain_cut", PackageResources.explain_cut_sql)

  /// The facts about an input file.
  public static let explainFile = SQLFile("explain_file", PackageResources.explain_file_sql)

  /// What is known from one line of an input file.
  public static let explainFileLine = SQLFile(
    "explain_file_line", PackageResources.explain_file_line_sql)

  /// The files beside an input file.
  public static let explainFileNeighbour = SQLFile(
    "explain_file_neighbour", PackageResources.explain_file_neighbour_sql)

  /// A file of the inbox that could not be read.
  public static let explainUnreadFile = SQLFile(
    "explain_unread_file", PackageResources.explain_unread_file_sql)

  /// The facts about a published month: what changed since it was published.
  public static let explainMonth = SQLFile(
    "explain_month", PackageResources.explain_month_sql)

  /// When a month is published that was not published yet.
  public static let explainMonthOpen = SQLFile(
    "explain_month_open", PackageResources.explain_month_open_sql)

  /// What is known now about a month.
  public static let explainMonthSum = SQLFile(
    "explain_month_sum", PackageResources.explain_month_sum_sql)

  /// The rows of tie_out.csv about the product and the period of a row of it.
  public static let explainCellRow = SQLFile(
    "explain_cell_row", PackageResources.explain_cell_row_sql)

  /// The transactions that can be behind such a row.
  public static let explainCellTransaction = SQLFile(
    "explain_cell_transaction", PackageResources.explain_cell_transaction_sql)

  /// The facts about such a row: ours, Apple's, and what explains the difference.
  public static let explainCell = SQLFile("explain_cell", PackageResources.explain_cell_sql)

  /// Finds the names from which an explanation starts.
  public static let explainSeed = SQLFile(
    "explain_seed", PackageResources.explain_seed_sql)

  /// How many transactions and deliveries of an account or device are shown, if not all of them.
  public static let explainShown = SQLFile(
    "explain_shown", PackageResources.explain_shown_sql)

  /// The entries of payment queues of an account or device that name no transaction.
  public static let explainQueueEntry = SQLFile(
    "explain_queue_entry", PackageResources.explain_queue_entry_sql)

  /// The servers that were silent while a delivery was owed.
  public static let explainSilentServer = SQLFile(
    "explain_silent_server", PackageResources.explain_silent_server_sql)

  /// The withdrawn files whose records still count.
  public static let explainWithdrawnSource = SQLFile(
    "explain_withdrawn_source", PackageResources.explain_withdrawn_source_sql)

  /// The rules, as their headers declare them.
  public static let explainRule = SQLFile("explain_rule", PackageResources.explain_rule_sql)

  /// The rules that apply to each affected thing, and the subject of each rule.
  public static let explainLookedAt = SQLFile(
    "explain_looked_at", PackageResources.explain_looked_at_sql)

  /// The deliveries that are dated after as-of, and what they belong to.
  public static let explainLaterDelivery = SQLFile(
    "explain_later_delivery", PackageResources.explain_later_delivery_sql)

  /// The purchases, deliveries, claims, transactions and findings that the name names.
  public static let explainThing = SQLFile(
    "explain_thing", PackageResources.explain_thing_sql)

  /// The members of each purchase, with the disposition and its reason.
  public static let explainMember = SQLFile(
    "explain_member", PackageResources.explain_member_sql)

  /// The possible matches of each missing delivery, ranked.
  public static let explainPossibleMatch = SQLFile(
    "explain_possible_match", PackageResources.explain_possible_match_sql)

  /// The cause of each purchase in one word, and the facts for the sentence about it.
  public static let explainPurchase = SQLFile(
    "explain_purchase", PackageResources.explain_purchase_sql)

  /// The cause of each purchase, in one sentence.
  public static let explainCause = SQLFile(
    "explain_cause", PackageResources.explain_cause_sql)

  /// The cause of each transaction that only an app reports, in one sentence.
  public static let explainClaim = SQLFile("explain_claim", PackageResources.explain_claim_sql)

  /// The same for things that are no purchase.
  public static let explainOtherCause = SQLFile(
    "explain_other_cause", PackageResources.explain_other_cause_sql)

  /// The events of each thing in words, with file and line.
  public static let explainTimeline = SQLFile(
    "explain_timeline", PackageResources.explain_timeline_sql)

  /// The refunds that Apple has reversed, in words.
  public static let explainRefundReversal = SQLFile(
    "explain_refund_reversal", PackageResources.explain_refund_reversal_sql)

  /// The findings asked about that are about no single purchase.
  public static let explainLoneFinding = SQLFile(
    "explain_lone_finding", PackageResources.explain_lone_finding_sql)

  /// The records behind each of these findings, in words.
  public static let explainFindingEvidence = SQLFile(
    "explain_finding_evidence", PackageResources.explain_finding_evidence_sql)

  /// What came last before a server or a feed became silent, in words.
  public static let explainFindingAbsence = SQLFile(
    "explain_finding_absence", PackageResources.explain_finding_absence_sql)

  /// The changes of the findings about each thing, in words.
  public static let explainFindingChange = SQLFile(
    "explain_finding_change", PackageResources.explain_finding_change_sql)

  /// The result of each rule for each thing.
  public static let explainVerdict = SQLFile(
    "explain_verdict", PackageResources.explain_verdict_sql)

  /// The rejected last lines of files that a later night read whole.
  public static let explainReadLater = SQLFile(
    "explain_read_later", PackageResources.explain_read_later_sql)

  /// The rejected records that contain the name.
  public static let explainRejection = SQLFile(
    "explain_rejection", PackageResources.explain_rejection_sql)

  /// The latest attempt to deliver each transaction.
  public static let explainLatestAttempt = SQLFile(
    "explain_latest_attempt", PackageResources.explain_latest_attempt_sql)

  /// The transactions whose server failed for several accounts.
  public static let explainOutage = SQLFile(
    "explain_outage", PackageResources.explain_outage_sql)
  /// The products of explained purchases that were delivered to other accounts only.
  public static let explainDeliveredElsewhere = SQLFile(
    "explain_delivered_elsewhere", PackageResources.explain_delivered_elsewhere_sql)

  /// The ids whose rejected delivery records can be why no attempt is known.
  public static let explainRejectedName = SQLFile(
    "explain_rejected_name", PackageResources.explain_rejected_name_sql)

  /// The same ids for `tieout delivery-status`.
  public static let explainStatusName = SQLFile(
    "explain_status_name", PackageResources.explain_status_name_sql)

  /// The rejected delivery records that contain such an id.
  public static let explainRejectedDelivery = SQLFile(
    "explain_rejected_delivery", PackageResources.explain_rejected_delivery_sql)

  /// The rejected catalogue entries of products that the catalogue does not list.
  public static let explainRejectedEntry = SQLFile(
    "explain_rejected_entry", PackageResources.explain_rejected_entry_sql)

  /// The records that said delivered for a purchase, and in whose place another record applies.
  public static let explainSuperseded = SQLFile(
    "explain_superseded", PackageResources.explain_superseded_sql)

  /// The obligations of these transactions.
  public static let explainStatusThing = SQLFile(
    "explain_status_thing", PackageResources.explain_status_thing_sql)

  /// Why each transaction has its `deliveryStatus`, in one word.
  public static let explainStatusCause = SQLFile(
    "explain_status_cause", PackageResources.explain_status_cause_sql)

  /// The first delivery after as-of of each thing.
  public static let explainStatusLater = SQLFile(
    "explain_status_later", PackageResources.explain_status_later_sql)

  /// What is known of transactions that no evidence contains.
  public static let explainStatusOther = SQLFile(
    "explain_status_other", PackageResources.explain_status_other_sql)

  /// The `deliveryStatus` that the evidence supports for each transaction.
  public static let explainDeliveryStatus = SQLFile(
    "explain_delivery_status", PackageResources.explain_delivery_status_sql)

  /// The deliveries on which that status depends.
  public static let explainDeliveryEvidence = SQLFile(
    "explain_delivery_evidence", PackageResources.explain_delivery_evidence_sql)

  /// All of these files.
  public static let explain = [
    explainKind, explainOtherKind, explainSimilar, explainMisspelt, explainGroup,
    explainGroupUncertain,
    explainGroupChange, explainGroupAttempt,
    explainCut, explainFile, explainFileLine, explainFileNeighbour, explainUnreadFile,
    explainMonth, explainMonthOpen, explainMonthSum,
    explainCellRow,
    explainCellTransaction, explainCell,
    explainSeed, explainShown, explainQueueEntry, explainSilentServer, explainWithdrawnSource,
    explainRule, explainLookedAt, explainLaterDelivery, explainThing,
    explainMember, explainPossibleMatch, explainPurchase, explainCause, explainClaim,
    explainOtherCause,
    explainTimeline, explainRefundReversal, explainLoneFinding, explainFindingEvidence,
    explainFindingAbsence, explainFindingChange, explainVerdict, explainReadLater,
    explainRejection,
    explainLatestAttempt, explainOutage, explainDeliveredElsewhere, explainRejectedName,
    explainStatusName, explainRejectedDelivery, explainRejectedEntry, explainSuperseded,
    explainStatusThing, explainStatusCause, explainStatusLater, explainStatusOther,
    explainDeliveryStatus,
    explainDeliveryEvidence,
  ]
}
