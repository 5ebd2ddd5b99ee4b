/// What is known of one name: of a transaction, delivery, account, web order line item or finding.
///
/// As JSON its members are written in snake case; what is missing is left out. Instants are RFC 3339 in UTC.
public struct Explanation: Encodable, Sendable {
  /// What was asked about.
  public let name: String
  /// The as-of of the night that it speaks about.
  public let asOf: String
  /// The number of that night's run.
  public let run: Int
  /// What the name names, in the order of environments.
  public let things: [Thing]
  /// The rejected records that hold the name, the newest first; twenty at most.
  public let rejections: [Rejection]

  /// Whether nothing at all is known of the name.
  public var isEmpty: Bool { things.isEmpty && rejections.isEmpty }

  /// A purchase with all that belongs to it, or a delivery, claim, transaction or finding by itself.
  public struct Thing: Encodable, Sendable {
    /// The environment; empty for a finding that belongs to none.
    public let environment: String
    /// `purchase`, `delivery`, `later delivery`, `claim`, `transaction` or `finding`.
    public let kind: String
    /// What the name is in it: `transaction`, `account, delivery` and so on.
    public let namedAs: String
    /// The cause in one word.
    public let cause: String
    /// The cause in one sentence.
    public let sentence: String
    /// What it owes; nil where nothing is owed.
    public let owes: Obligation?
    /// The members of the family, or of the whole chain.
    public let members: [Member]
    /// What happened, in the order of time.
    public let timeline: [Event]
    /// What each rule says.
    public let verdicts: [Verdict]
    /// The deliveries that nearly served it, the best first; five at most.
    public let nearMisses: [NearMiss]
  }

  /// What has to be delivered.
  public struct Obligation: Encodable, Sendable {
    /// The completed purchase that is owed a delivery.
    public let transactionId: String
    /// What is owed.
    public let productId: String
    /// `server` or `on_demand`.
    public let delivery: String
    /// By when.
    public let dueAt: String
    /// How many deliveries were tried for it.
    public let attempts: Int
  }

  /// One transaction.
  public struct Member: Encodable, Sendable {
    /// Its id.
    public let transactionId: String
    /// The transaction that it names as its original.
    public let originalTransactionId: String
    /// What was bought.
    public let productId: String
    /// The subscription's period, if it has one.
    public let webOrderLineItemId: String?
    /// When it was bought or restored.
    public let purchasedAt: String
    /// When the money went back.
    public let refundedAt: String?
    /// What it counts as.
    public let disposition: String
    /// Why it counts as that.
    public let because: String
    /// How it is known: `signed`, `apple_response` or `claimed`.
    public let trust: String
  }

  /// One thing that happened.
  public struct Event: Encodable, Sendable {
    /// When.
    public let at: String
    /// `bought`, `restored`, `seen`, `claimed`, `attempted`, `failed`, `delivered`, `due`, `refunded`, `found`,
    /// `resolved`, or `later` for what is dated after as-of.
    public let event: String
    /// The same in words.
    public let words: String
    /// The path, inside the inbox, of the file that tells of it.
    public let file: String?
    /// The line there, or the entry's place.
    public let line: Int?
    /// The JSON pointer (RFC 6901) of the document in the record of that line; nil if the record is the document.
    public let pointer: String?
  }

  /// What one rule says.
  public struct Verdict: Encodable, Sendable {
    /// The rule.
    public let rule: String
    /// `found` or `not found`.
    public let verdict: String
    /// The finding's level.
    public let level: String?
    /// The finding's reason, of rules that have reasons.
    public let reason: String?
    /// What was found, in the rule's own words, or why nothing was.
    public let words: String
    /// The finding's name.
    public let finding: String?
    /// The finding's status.
    public let status: String?
  }

  /// A delivery that differs in one thing from what was owed.
  public struct NearMiss: Encodable, Sendable {
    /// Its place, from 1.
    public let place: Int
    /// The delivery.
    public let deliveryId: String
    /// What differs: `product_id`, `environment`, `transaction_id` or `other_purchase`.
    public let differs: String
    /// The same in words.
    public let words: String
    /// The transaction that it was for.
    public let transactionId: String
    /// What was handed over.
    public let productId: String
    /// The account, if the log names one.
    public let accountId: String?
    /// The server, if the log names one.
    public let server: String?
    /// When it occurred.
    public let occurredAt: String
    /// The path, inside the inbox, of the file that tells of it.
    public let file: String?
    /// The line there.
    public let line: Int?
  }

  /// A record that could not be used.
  public struct Rejection: Encodable, Sendable {
    /// The path inside the inbox.
    public let file: String
    /// The line; nil for a whole file.
    public let line: Int?
    /// What was rejected.
    public let kind: String
    /// One of the reasons of rejected_records.csv.
    public let reason: String
    /// What is wrong and what to do.
    public let detail: String
    /// The first 200 characters of the record.
    public let excerpt: String
    /// The as-of of the run that rejected it.
    public let asOf: String
  }
}
