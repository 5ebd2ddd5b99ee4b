/// An entry of a payment queue up to as-of, in the environment that it belongs to.
struct Claim {
  let environment: ByteText
  let state: QueueEntry.State
  let transaction: StoreID?
  let original: StoreID?
  let product: ByteText
  let date: Int
  let account: ByteText?
  let device: ByteText?
  let appVersion: ByteText?

  /// Makes a claim of an entry; `known` gives the environments in which evidence contains an id.
  init(_ entry: QueueEntry, known: [StoreID: Set<ByteText>]) {
    state = entry.state
    transaction = StoreID(entry.transactionID)
    original = StoreID(entry.originalTransactionID)
    product = ByteText(entry.productID)
    date = entry.date.seconds
    account = ByteText(entry.accountID)
    device = ByteText(entry.deviceID)
    appVersion = ByteText(entry.appVersion)
    guard let told = ByteText(entry.environment) else {
      // The id by which the App Store knows the entry.
      let id = entry.state == .restored ? original : transaction
      let isSandbox = id.flatMap { known[$0] } == [ByteText("Sandbox")]
      environment = ByteText(isSandbox ? "Sandbox" : "Production")
      return
    }
    // Some of Apple's own documents abbreviate `Production`.
    environment = told == ByteText("PROD") ? ByteText("Production") : told
  }

  /// The original transaction of a restore, according to the claim.
  var originalKey: TransactionKey? {
    guard state == .restored, let original else { return nil }
    return TransactionKey(environment: environment, id: original)
  }

  /// Whether the left claim counts before the right claim for the same transaction.
  static func stands(_ left: Claim, _ right: Claim) -> Bool {
    if left.date != right.date { return left.date < right.date }
    if let one = left.original, let other = right.original, one != other { return one < other }
    return left.product < right.product
  }
}

/// Restores that only apps report, of original transactions that evidence contains.
///
/// Each comes with the original transaction whose family it joins.
func claimedRestores(
  _ claims: [Claim], among known: [TransactionKey: MergedTransaction]
) -> [(original: TransactionKey, restore: MergedTransaction)] {
  var byTransaction: [TransactionKey: [Claim]] = [:]
  for claim in claims {
    guard let originalKey = claim.originalKey, let original = known[originalKey],
      original.product == claim.product, let id = claim.transaction
    else { continue }
    let key = TransactionKey(environment: claim.environment, id: id)
    if known[key] == nil { byTransaction[key, default: []].append(claim) }
  }
  return byTransaction.compactMap { key, claims in
    guard let standing = claims.min(by: Claim.stands), let originalKey = standing.originalKey,
      let original = known[originalKey]
    else { return nil }
    let restore = MergedTransaction(
      key, restoring: original, at: standing.date, accounts: Set(claims.compactMap(\.account)),
      devices: Set(claims.compactMap(\.device)))
    return (originalKey, restore)
  }
}

extension Ledger {
  func purchasesWithoutReceipt() -> [Finding] {
    struct Second: Hashable {
      let environment: ByteText
      let original: StoreID
      let product: ByteText
      let date: Int
    }
    let evidence = transactions.values.filter { !$0.isClaimed }
    var receipted = Set(evidence.map(\.key))
    for transaction in evidence {
      receipted.insert(
        TransactionKey(environment: transaction.key.environment, id: transaction.original))
    }
    let seconds = Set(
      evidence.map {
        Second(
          environment: $0.key.environment, original: $0.original, product: $0.product,
          date: $0.purchaseDate)
      })
    var claimed: [TransactionKey: [Claim]] = [:]
    for claim in claims where claim.state == .purchased && isConfigured(claim.environment) {
      guard let id = claim.transaction else { continue }
      claimed[TransactionKey(environment: claim.environment, id: id), default: []].append(claim)
    }
    return claimed.compactMap { key, claims in
      guard !receipted.contains(key) else { return nil }
      let isSeen = claims.contains { claim in
        seconds.contains(
          Second(
            environment: key.environment, original: claim.original ?? key.id,
            product: claim.product, date: claim.date))
      }
      guard !isSeen, claims.contains(where: { $0.date + grace(of: $0.product) <= asOf }) else {
        return nil
      }
      return Finding("purchase_without_receipt", "warning", key.environment, key.id.text)
    }
  }

  func automaticRestores() -> [Finding] {
    var days: [ByteText: [ByteText: Set<String>]] = [:]
    for claim in claims where claim.state == .restored && isConfigured(claim.environment) {
      let window = settings.restoreWindowDays * 86400
      guard let device = claim.device, window == 0 || claim.date + window >= asOf else { continue }
      let version = claim.appVersion ?? ByteText("unknown")
      days[version, default: [:]][device, default: []].insert(civilTime(claim.date).day)
    }
    return days.filter { $0.value.values.contains { $0.count >= 3 } }.map {
      Finding("automatic_restore", "warning", nil, $0.key.text)
    }
  }
}
