/// The data that is considered at as-of, combined for the rules and reports.
final class Ledger {
  let settings: OracleSettings
  let asOf: Int
  let environments: Set<ByteText>
  let catalogue: Catalogue
  /// The transactions purchased by as-of, in every environment.
  let transactions: [TransactionKey: MergedTransaction]
  let families: [Family]
  /// The claims of payment queues up to as-of.
  let claims: [Claim]
  private(set) var familyOf: [TransactionKey: Family] = [:]
  private(set) var chains: [ChainKey: [Family]] = [:]
  /// The deliveries up to as-of, in every environment.
  private(set) var deliveries: [Delivery] = []
  private(set) var reports: [InvalidReport] = []
  /// The ages of the evidence of the configured environments, up to as-of.
  let evidenceAges: [Int]
  /// The times at which the address of each catalogue answered, up to as-of.
  let catalogueAnswers: [String: [Int]]
  /// All records of each attempt up to as-of.
  private(set) var recordsByDelivery: [ByteText: [DeliveryRecord]] = [:]
  private var familyByKey: [FamilyKey: Family] = [:]

  init(_ input: NightInput) {
    let (asOf, catalogue) = (input.asOf, Catalogue(input.catalogues))
    settings = input.settings
    self.asOf = asOf
    self.catalogue = catalogue
    environments = Set(input.settings.environments.map { ByteText($0) })

    catalogueAnswers = input.catalogueAnswers.mapValues { $0.filter { $0 <= asOf } }
    let pieces = input.receipts.flatMap { Evidence.of($0) } + input.signed.map { Evidence($0) }
    let places = Set(input.settings.environments.map { ByteText($0) })
    evidenceAges = pieces.filter { places.contains($0.environment) }.map(\.age).filter {
      $0 <= asOf
    }
    let evidence = Dictionary(grouping: pieces) {
      TransactionKey(environment: $0.environment, id: StoreID($0.entry.transactionID))
    }
    let merged = evidence.compactMap {
      MergedTransaction($0, $1, catalogue: catalogue, asOf: asOf)
    }
    let considered = merged.filter { $0.purchaseDate <= asOf }
    let known = Dictionary(considered.map { ($0.key, $0) }) { first, _ in first }
    let knownPlaces = Dictionary(grouping: known.keys, by: \.id).mapValues {
      Set($0.map(\.environment))
    }
    claims = input.clientLog.entries.filter { $0.date.seconds <= asOf }
      .map { Claim($0, known: knownPlaces) }
    let restores = claimedRestores(claims, among: known)
    transactions = restores.reduce(into: known) { $0[$1.restore.key] = $1.restore }
    families = groupedIntoFamilies(considered, joinedBy: restores)

    for family in families {
      familyByKey[family.key] = family
      for member in family.members { familyOf[member.key] = family }
      if let chain = family.chain { chains[chain, default: []].append(family) }
    }
    for claim in claims {
      guard let key = claim.originalKey, known[key]?.product == claim.product else { continue }
      if let device = claim.device { familyOf[key]?.claimedDevices.insert(device) }
    }
    reports = input.clientLog.reports.filter { $0.reportedAt.seconds <= asOf }
    recordsByDelivery = Dictionary(
      grouping: input.deliveries.filter { $0.occurredAt.seconds <= asOf }
    ) {
      ByteText($0.deliveryID)
    }
    deliveries = standing(input.deliveries).map { record in
      Delivery(record, environment: environment(of: record))
    }
    for delivery in deliveries {
      delivery.family = family(of: delivery)
      delivery.family?.deliveries.append(delivery)
    }
  }

  /// The record of each attempt that counts at as-of.
  private func standing(_ records: [DeliveryRecord]) -> [DeliveryRecord] {
    var standing: [ByteText: DeliveryRecord] = [:]
    for record in records where record.occurredAt.seconds <= asOf {
      let id = ByteText(record.deliveryID)
      if let other = standing[id], !record.stands(against: other) { continue }
      standing[id] = record
    }
    return Array(standing.values)
  }

  private func environment(of record: DeliveryRecord) -> ByteText {
    if let told = ByteText(record.environment) { return told }
    let id = StoreID(record.transactionID)
    let known = knownEnvironments(of: id)
    return known == [ByteText("Sandbox")] ? ByteText("Sandbox") : ByteText("Production")
  }

  /// The environments in which a transaction with that id is known.
  func knownEnvironments(of id: StoreID) -> Set<ByteText> {
    environmentsByID[id] ?? []
  }

  private lazy var environmentsByID: [StoreID: Set<ByteText>] =
    Dictionary(grouping: transactions.keys, by: \.id).mapValues { Set($0.map(\.environment)) }

  /// The ids that any transaction, in any environment, names as its original.
  lazy var originals: Set<StoreID> = Set(transactions.values.map(\.original))

  private func family(of delivery: Delivery) -> Family? {
    let environment = delivery.environment
    if let family = familyOf[TransactionKey(environment: environment, id: delivery.transaction)] {
      return family
    }
    if let lineItem = delivery.lineItem,
      let family = familyByKey[.lineItem(environment: environment, lineItem: lineItem)]
    {
      return family
    }
    let original = delivery.originalTransaction ?? delivery.transaction
    let oneTime = familyByKey[
      .oneTime(environment: environment, original: original, product: delivery.product)]
    let chain = ChainKey(environment: environment, original: original, product: delivery.product)
    switch catalogue.products[delivery.product]?.type {
    case "auto_renewable": return latestFamily(of: chain, by: delivery.occurredAt)
    case nil: return oneTime ?? latestFamily(of: chain, by: delivery.occurredAt)
    default: return oneTime
    }
  }

  /// The family of a chain that was purchased last by an instant.
  ///
  /// Of several families of one second it is the one with the lowest id.
  private func latestFamily(of chain: ChainKey, by moment: Int) -> Family? {
    var latest: (family: Family, purchase: MergedTransaction)?
    for family in chains[chain] ?? [] {
      guard let purchase = family.completed, purchase.purchaseDate <= moment else { continue }
      if let standing = latest?.purchase {
        if purchase.purchaseDate < standing.purchaseDate { continue }
        if purchase.purchaseDate == standing.purchaseDate && standing.key.id < purchase.key.id {
          continue
        }
      }
      latest = (family, purchase)
    }
    return latest?.family
  }

  // MARK: - The configured environments

  func isConfigured(_ environment: ByteText) -> Bool {
    environments.contains(environment)
  }

  lazy var configuredTransactions: [MergedTransaction] =
    transactions.values.filter { isConfigured($0.key.environment) }

  lazy var configuredFamilies: [Family] = families.filter { isConfigured($0.environment) }

  /// The families that one delivery serves, by their chain.
  ///
  /// A product has one type. So if the catalogue does not give it, and only some of the
  /// transactions show that it is a subscription, the others belong to the subscription too.
  lazy var servedByChain: [ChainKey: [Family]] = Dictionary(
    grouping: configuredFamilies.filter { !isOwedAlone($0) }, by: \.chainKey)

  lazy var configuredDeliveries: [Delivery] = deliveries.filter { isConfigured($0.environment) }

  lazy var silences: [Silence] = silentStretches()

  /// Nil if the books never begin: the setting is missing and there is no delivery.
  ///
  /// If the setting is given, the books begin even without a delivery. A record that another record
  /// of its attempt has replaced does not count.
  lazy var booksBegin: Int? =
    settings.booksBegin ?? configuredDeliveries.map(\.occurredAt).min()

  func disposition(of transaction: MergedTransaction) -> Disposition {
    if !isConfigured(transaction.key.environment) { return .otherEnvironment }
    if transaction.isFamilyShared { return .familyShared }
    if familyOf[transaction.key]?.completed !== transaction { return .restored }
    if transaction.isTrial || transaction.ownAmount?.amount.isZero == true { return .free }
    if transaction.isSubscription && transaction.key.id != transaction.original { return .renewal }
    return .purchase
  }

  /// The grace period of a product, in seconds.
  func grace(of product: ByteText) -> Int {
    (catalogue.products[product]?.graceHours ?? settings.graceHours) * 3600
  }

  func hasGraceRunOut(_ delivery: Delivery) -> Bool {
    delivery.occurredAt + grace(of: delivery.product) <= asOf
  }
}
