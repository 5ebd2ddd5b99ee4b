import DamageTestSupport

/// A random night that contains every fault that a rule finds.
///
/// The same seed and number of accounts give the same night on every machine.
public struct RandomNight: Sendable {
  /// The night.
  public let input: NightInput

  /// Makes a random night.
  public init(seed: UInt64, accounts: Int) {
    var builder = NightBuilder(seed: seed)
    for number in 0..<accounts { builder.addAccount(number) }
    input = builder.finished()
  }
}

/// Builds a random night.
struct NightBuilder {
  var random: Dice
  var settings = OracleSettings()
  let asOf: Int
  /// The instants at which something begins or ends to apply.
  ///
  /// Errors are most likely there.
  var boundaries: [Int]
  var stock: [StockProduct] = []
  var catalogues: [CatalogueDocument] = []
  var receipts: [ReceiptDocument] = []
  var signed: [SignedTransaction] = []
  var deliveries: [DeliveryRecord] = []
  var log = ClientLog()
  /// The true transactions with their customers, for the records of apps.
  var told: [(Fact, Customer)] = []
  /// The servers that deliveries name; if empty, no server gives its name.
  var servers: [String] = []
  private var usedIDs: Set<String> = []

  init(seed: UInt64) {
    random = Dice(seed)
    // An hour of 2026; in half of the nights not a whole hour.
    let hour = 1_767_225_600 + random.number(90...360) * 86400 + random.number(0...23) * 3600
    asOf = hour + (random.chance(50) ? 0 : random.number(1...3599))
    boundaries = [asOf]
    drawSettings()
    drawStock()
    drawCatalogues()
    drawServers(seed: seed)
  }

  private mutating func drawSettings() {
    settings.environments = random.weighted(
      [(80, ["Production"]), (12, ["Production", "Sandbox"]), (8, ["Sandbox"])],
      else: ["Production"])
    settings.graceHours = random.pick(24, 24, 24, 0, 1, 48)
    settings.restoresAllowed = random.pick(1, 1, 0, 2)
    settings.restoreWindowDays = random.pick(30, 30, 7, 0)
    settings.accountsAllowed = random.pick(1, 1, 2, 3)
    settings.assumeStorefront = random.pick(nil, nil, "USA", "JPN", "DEU")
    settings.timeZone = random.pick(
      "UTC", "UTC", "America/New_York", "Asia/Kolkata", "Pacific/Auckland")
    if random.chance(30) {
      let since = CivilTime(secondsSince1970: asOf - random.number(0...80) * 86400)
      settings.revenueSince = since.day
    }
    if random.chance(50) { settings.booksBegin = asOf - random.number(0...70 * 86400) }

    let midnight = asOf - asOf % 86400
    let monthBegin = midnight - (CivilTime(secondsSince1970: asOf).dayOfMonth - 1) * 86400
    boundaries += [settings.graceHours, 0, 1, 24, 48, 72].map { asOf - $0 * 3600 }
    boundaries += [7, 30].map { asOf - $0 * 86400 } + [midnight, monthBegin]
    boundaries += [settings.booksBegin].compactMap { $0 }
  }

  /// An instant of the last weeks.
  ///
  /// Often it is a boundary or one second beside it, sometimes it is after as-of, and sometimes it
  /// is months ago.
  mutating func moment() -> Int {
    if random.chance(20) {
      return random.pick(from: boundaries, else: asOf) + random.pick(0, 0, -1, 1)
    }
    if random.chance(5) { return asOf + random.number(1...2 * 86400) }
    if random.chance(5) { return asOf - random.number(80...200) * 86400 }
    return asOf - random.number(0...80 * 86400)
  }

  /// An instant after another one, seldom after as-of.
  mutating func moment(after begin: Int) -> Int {
    if random.chance(15) {
      let later = boundaries.filter { $0 >= begin }
      return random.pick(from: later, else: begin) + random.pick(0, 0, 1)
    }
    guard begin < asOf, random.chance(95) else { return begin + random.number(0...86400) }
    return begin + random.number(0...(asOf - begin))
  }

  /// The instant, sometimes with a fraction of a second that must not matter.
  mutating func instant(_ seconds: Int) -> Instant {
    Instant(milliseconds: seconds * 1000 + (random.chance(12) ? random.number(1...999) : 0))
  }

  /// An id that was not used before.
  mutating func newID() -> String {
    while true {
      let count = random.weighted(
        [(70, random.number(14...16)), (15, random.number(17...22)), (15, random.number(3...9))],
        else: 15)
      var id = random.chance(1) ? "0" : String(random.number(1...9))
      for _ in 1..<count { id += String(random.number(0...9)) }
      if usedIDs.insert(id).inserted { return id }
    }
  }

  func finished() -> NightInput {
    var copy = self
    // Some nights have no deliveries or no catalogues.
    let hasDeliveries = copy.random.chance(97)
    let hasCatalogues = copy.random.chance(97)
    copy.drawClientLog()
    // Some nights come days after the newest record.
    let pause = copy.random.chance(35) ? copy.random.number(1...9) * 86_400 : 0
    var settings = settings
    settings.staleAfterHours = copy.random.pick(36, 24, 100)
    return NightInput(
      settings: settings, receipts: receipts, signed: signed,
      deliveries: hasDeliveries ? deliveries : [], catalogues: hasCatalogues ? catalogues : [],
      clientLog: copy.log, asOf: asOf + pause)
  }
}
