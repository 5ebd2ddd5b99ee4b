/// All facts about one name: a transaction, delivery, account, web order line item or finding; or a
/// product, server, input file or error text.
///
/// As JSON its members are written in snake case, and missing values are left out. Instants are RFC
/// 3339 in UTC.
public struct Explanation: Encodable, Sendable {
  /// The requested name.
  public let name: String
  /// The as-of of the night that the explanation is about.
  public let asOf: String
  /// The number of that night's run.
  public let run: Int
  /// The things with this name, in the order of environments.
  public let things: [Thing]
  /// The rejected records that contain the name, the newest first; at most twenty.
  public let rejections: [Rejection]
  /// The facts about a product, server, input file or error text; nil if the name is a record's.
  public let overview: Overview?
  /// The other kinds of the name, which are not explained here.
  public let alsoKnownAs: [NameKind]

  /// Whether nothing is known about the name.
  public var isEmpty: Bool { things.isEmpty && rejections.isEmpty && overview == nil }

  /// A purchase with all that belongs to it, or a single delivery, claim, transaction or finding.
  public struct Thing: Encodable, Sendable {
    /// The environment; empty for a finding that belongs to none.
    public let environment: String
    /// `purchase`, `delivery`, `later delivery`, `claim`, `transaction` or `finding`.
    public let kind: String
    /// The role of the name in the thing: `transaction`, `account, delivery` and so on.
    public let namedAs: String
    /// The cause in one word.
    public let cause: String
    /// The cause in one sentence.
    public let sentence: String
    /// The delivery that is owed; nil if none is owed.
    public let owes: Obligation?
    /// The members of the family, or of the whole chain.
    public let members: [Member]
    /// The events, in the order of time.
    public let timeline: [Event]
    /// The result of each rule.
    public let verdicts: [Verdict]
    /// The possible matches, the best first; at most five.
    public let nearMisses: [NearMiss]
  }

  /// A delivery that is owed.
  public struct Obligation: Encodable, Sendable {
    /// The completed purchase that is owed a delivery.
    public let transactionId: String
    /// The product that is owed.
    public let productId: String
    /// `server` or `on_demand`.
    public let delivery: String
    /// The due date.
    public let dueAt: String
    /// The number of attempts to deliver it.
    public let attempts: Int
  }

  /// One transaction.
  public struct Member: Encodable, Sendable {
    /// Its id.
    public let transactionId: String
    /// The transaction that it names as its original.
    public let originalTransactionId: String
    /// The product that was bought.
    public let productId: String
    /// The subscription's period, if it has one.
    public let webOrderLineItemId: String?
    /// When it was bought or restored.
    public let purchasedAt: String
    /// When it was refunded.
    public let refundedAt: String?
    /// Its disposition.
    public let disposition: String
    /// The reason for the disposition.
    public let because: String
    /// The kind of its evidence: `signed`, `apple_response` or `claimed`.
    public let trust: String
  }

  /// One event.
  public struct Event: Encodable, Sendable {
    /// When it occurred.
    public let at: String
    /// `bought`, `restored`, `seen`, `claimed`, `attempted`, `failed`, `delivered`, `due`,
    /// `refunded`, `found`, `resolved`, or `later` for an event that is dated after as-of.
    public let event: String
    /// The event in words.
    public let words: String
    /// The path, inside the inbox, of the file that contains the event.
    public let file: String?
    /// The line in that file, or the place of the entry.
    public let line: Int?
    /// The JSON pointer (RFC 6901) of the document in the record of that line; nil if the record is the document.
    public let pointer: String?
  }

  /// The result of one rule.
  public struct Verdict: Encodable, Sendable {
    /// The name of the rule.
    public let rule: String
    /// `found` or `not found`.
    public let verdict: String
    /// The finding's level.
    public let level: String?
    /// The finding's reason, if the rule has reasons.
    public let reason: String?
    /// The finding in the rule's own words, or the reason why there is no finding.
    public let words: String
    /// The finding's name.
    public let finding: String?
    /// The finding's status.
    public let status: String?
    /// The finding's subject; empty if nothing was found.
    public let subject: String
  }

  /// A possible match: a delivery that differs in one thing from a missing delivery.
  public struct NearMiss: Encodable, Sendable {
    /// Its rank, from 1.
    public let place: Int
    /// The identifier of the delivery attempt.
    public let deliveryId: String
    /// The difference: `product_id`, `environment`, `transaction_id` or `other_purchase`.
    public let differs: String
    /// The difference in words.
    public let words: String
    /// The transaction that the delivery was for.
    public let transactionId: String
    /// The product that was delivered.
    public let productId: String
    /// The account, if the log names one.
    public let accountId: String?
    /// The server, if the log names one.
    public let server: String?
    /// When it occurred.
    public let occurredAt: String
    /// The path, inside the inbox, of the file that contains the record.
    public let file: String?
    /// The line in that file.
    public let line: Int?
  }

  /// A record that could not be used.
  public struct Rejection: Encodable, Sendable {
    /// The path inside the inbox.
    public let file: String
    /// The line; nil for a whole file.
    public let line: Int?
    /// The kind of the rejected record.
    public let kind: String
    /// One of the reasons of rejected_records.csv.
    public let reason: String
    /// The problem and what to do about it.
    public let detail: String
    /// The first 200 characters of the record.
    public let excerpt: String
    /// The as-of of the run that rejected it.
    public let asOf: String
  }
}
