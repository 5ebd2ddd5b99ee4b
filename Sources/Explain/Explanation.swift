/// All facts about one name; ``NameKind`` lists what a name can be.
///
/// As JSON its members are written in snake case, and missing values are left out. Instants are RFC
/// 3339 in UTC.
package struct Explanation: Encodable, Sendable {
  /// The requested name.
  package let name: String
  /// The as-of of the night that the explanation is about.
  package let asOf: String
  /// The number of that night's run.
  package let run: Int
  /// The things with this name: findings, things with a missing delivery, and the others; each in
  /// the order of environments.
  package let things: [Thing]
  /// How much of an account or device is shown; nil if everything is.
  package let shown: Shown?
  /// What became of the purchases of an account or device; nil for any other kind of name.
  package let account: Account?
  /// The rejected records that contain the name, at most twenty.
  ///
  /// Entries of catalogues come first, then the newest records. There are none for a file, a month
  /// and a row of `tie_out.csv`.
  package let rejections: [Rejection]
  /// The number of all rejected records that contain the name.
  package let rejectionCount: Int
  /// The facts about a row of `tie_out.csv`, a product, a server, an input file, a month or an
  /// error text; nil for any other kind of name.
  package let overview: Overview?
  /// The other kinds of the name, which are not explained here.
  package let alsoKnownAs: [NameKind]
  /// Names that contain the name or differ from it in a few characters, if nothing is known about
  /// it; at most three of each kind.
  package let similarNames: [SimilarName]

  /// Whether anything but rejected records is known under the name.
  package var isKnown: Bool { !things.isEmpty || overview != nil }

  /// Whether nothing is known about the name.
  package var isEmpty: Bool { !isKnown && rejections.isEmpty }

  /// A name that an unknown name may stand for.
  package struct SimilarName: Encodable, Equatable, Sendable {
    /// `transaction`, `web order line item`, `delivery`, `account`, `error`, `server`, `region`,
    /// `product` or `file`.
    package let kind: String
    /// The name; of an error without its numbers and ids, unless it is a single word.
    package let name: String
  }

  /// How many transactions and deliveries an account or device has, and how many of them are shown.
  package struct Shown: Encodable, Sendable {
    /// The number of its transactions.
    package let transactions: Int
    /// The number of them that are shown.
    package let shownTransactions: Int
    /// The number of its deliveries.
    package let deliveries: Int
    /// The number of them that are shown.
    package let shownDeliveries: Int
  }

  /// A purchase with all that belongs to it, or a single delivery, claim, transaction or finding.
  package struct Thing: Encodable, Sendable {
    /// The environment; empty for what belongs to none: some findings, and reports of invalid
    /// identifiers.
    package let environment: String
    /// `purchase`, `delivery`, `later delivery`, `claim`, `transaction`, `finding`, or `queue` for
    /// other records of apps: without a transaction, of invalid identifiers, or after as-of.
    package let kind: String
    /// The role of the name in the thing: `transaction`, `account, delivery` and so on.
    package let namedAs: String
    /// The cause in one word.
    package let cause: String
    /// Whether all its purchases were refunded; false for a thing that is no purchase.
    package let isRefunded: Bool
    /// The most important finding, the cause, and the number of the other findings, in words.
    package let sentence: String
    /// The sentence about the restore or renewal that was asked for, or the newest later one with
    /// the name, and what followed it; or about the transaction that was asked for, if only a
    /// delivery of the purchase names it; nil if ``sentence`` is about it, or there is none.
    package let laterSentence: String?
    /// The delivery that was asked for; nil if the name is not that of a delivery of a purchase.
    package let askedDelivery: AskedDelivery?
    /// The delivery that is owed; nil if none is owed, or it was made.
    package let owes: Obligation?
    /// The members of the family, or of the whole chain.
    package let members: [Member]
    /// The events, in the order of time.
    package let timeline: [Event]
    /// The number of records behind a finding, or of records of apps, that the timeline
    /// leaves out.
    package let timelineLeftOut: Int
    /// The result of each rule.
    package let verdicts: [Verdict]
    /// The possible matches, the best first; at most five.
    package let possibleMatches: [PossibleMatch]
  }

  /// A delivery that was asked for and belongs to a purchase.
  package struct AskedDelivery: Encodable, Sendable {
    /// Whether it is the only delivery of this purchase.
    package let isOnly: Bool
    /// The transactions whose missing deliveries it matches best; nil if there are none.
    package let missed: String?
  }

  /// A delivery that is owed.
  package struct Obligation: Encodable, Sendable {
    /// The completed purchase that is owed a delivery.
    package let transactionId: String
    /// The product that is owed.
    package let productId: String
    /// `server` or `on_demand`.
    package let delivery: String
    /// The due date.
    package let dueAt: String
    /// The number of attempts to deliver it.
    package let attempts: Int
  }

  /// One transaction.
  package struct Member: Encodable, Sendable {
    /// Its id.
    package let transactionId: String
    /// The transaction that it names as its original.
    package let originalTransactionId: String
    /// The product that was bought.
    package let productId: String
    /// The subscription's period, if it has one.
    package let webOrderLineItemId: String?
    /// When it was bought or restored.
    package let purchasedAt: String
    /// When it was refunded.
    package let refundedAt: String?
    /// Its disposition.
    package let disposition: String
    /// The reason for the disposition.
    package let because: String
    /// The kind of its evidence: `signed`, `apple_response` or `claimed`.
    package let trust: String
  }

  /// One event.
  package struct Event: Encodable, Sendable {
    /// When it occurred.
    package let at: String
    /// `bought`, `restored`, `seen`, `claimed`, `attempted`, `failed`, `delivered`, `due`, `ended`
    /// (the last known period), `refunded`, `reversed` (the refund), `found`, `resolved`, `acknowledged`, `reopened` (by a
    /// person), or `later` for an event that is dated after as-of; of a finding that is about no
    /// single purchase also `catalogue`, `loaded`, `restated` or `apple`.
    package let event: String
    /// The event in words.
    package let words: String
    /// The path, inside the inbox, of the file that contains the event.
    package let file: String?
    /// The line in that file, or the place of the entry.
    package let line: Int?
    /// The JSON pointer (RFC 6901) of the document in the record of that line; nil if the record
    /// is the document.
    package let pointer: String?
  }

  /// The result of one rule.
  package struct Verdict: Encodable, Sendable {
    /// The name of the rule.
    package let rule: String
    /// `found` or `not found`.
    package let verdict: String
    /// The finding's level.
    package let level: String?
    /// The finding's reason, if the rule has reasons.
    package let reason: String?
    /// The finding in the rule's own words, or the reason why there is no finding.
    package let words: String
    /// The finding's name.
    package let finding: String?
    /// The finding's status.
    package let status: String?
    /// The finding's subject; empty if nothing was found.
    package let subject: String
    /// The product identifier that the finding is about, if it is about one.
    package let productId: String?
    /// For `delivery_without_purchase`: when the purchase of the delivery was refunded.
    package let refundedAt: String?
    /// What that refund is called: `refunded`, `cancelled` if nobody paid for the purchase, or
    /// `no longer shared`.
    package let refundVerb: String?
    /// The device of an unfinished delivery, if the log names one.
    package let deviceId: String?
    /// The error of the latest attempt of an unfinished delivery, if the log contains one.
    package let error: String?
  }

  /// A possible match: a delivery that differs in one thing from a missing delivery.
  package struct PossibleMatch: Encodable, Sendable {
    /// Its rank, from 1.
    package let place: Int
    /// The identifier of the delivery attempt.
    package let deliveryId: String
    /// The difference: `product_id`, `environment`, `transaction_id` or `other_purchase`.
    package let differs: String
    /// The difference in words.
    package let words: String
    /// The transaction that the delivery was for.
    package let transactionId: String
    /// The product that was delivered.
    package let productId: String
    /// The account, if the log names one.
    package let accountId: String?
    /// The server, if the log names one.
    package let server: String?
    /// When it occurred.
    package let occurredAt: String
    /// The path, inside the inbox, of the file that contains the record.
    package let file: String?
    /// The line in that file.
    package let line: Int?
  }

  /// A record that could not be used.
  package struct Rejection: Encodable, Equatable, Sendable {
    /// The path inside the inbox.
    package let file: String
    /// The line; nil for a whole file.
    package let line: Int?
    /// The kind of the rejected record.
    package let kind: String
    /// One of the reasons of rejected_records.csv.
    package let reason: String
    /// The problem and what to do about it.
    package let detail: String
    /// The first 200 characters of the record.
    package let excerpt: String
    /// The as-of of the run that rejected it.
    package let asOf: String
    /// Whether only Base64 text in the record contains the name, such as the payload of a signed
    /// text.
    package let isEncoded: Bool
  }
}
