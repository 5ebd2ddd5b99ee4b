/// The numbers of written records.
struct Tally {
  var transactions = 0
  var documents = 0
  var repeated = 0
  var deliveries = 0
}

extension GenerateInbox {
  /// The end of the history, 2026-11-20T03:00:00Z.
  static let end = 1_795_143_600
  static let day = 86_400

  /// Writes all accounts from the first on, and about one receipt in twelve a second time.
  func history(
    _ wanted: Int, _ evidence: EvidenceText, receipts: OutputFiles, deliveries: OutputFiles,
    tally: inout Tally
  ) throws {
    let log = DeliveryText(seed: seed, end: Self.end, missingPerMille: missingPerMille)
    var number = 0
    while tally.transactions < wanted {
      let account = evidence.purchases(of: historic(number))
      try receipts.advance(done: tally.transactions)
      try deliveries.advance(done: tally.transactions)
      let last = account.purchases.reduce(0) { max($0, $1.purchasedAt) }
      tally.documents += try evidence.write(
        account, requestedAt: last + 90, device: 0, isAgain: false, to: &receipts.text)
      tally.deliveries += log.write(account, from: 0, to: &deliveries.text)
      tally.transactions += account.purchases.count
      // The second copy of a customer's receipt is at another place of the inbox.
      let earlier = number - 1000
      if earlier >= 0, earlier % 12 == 5 {
        let known = evidence.purchases(of: historic(earlier))
        tally.documents += try evidence.write(
          known, requestedAt: Self.end - number % Self.day, device: number % known.devices,
          isAgain: true, to: &receipts.text)
        tally.repeated += known.purchases.count
      }
      number += 1
    }
  }

  /// Writes new accounts, and old accounts whose receipts have one to three more purchases.
  func tonight(
    _ wanted: Int, _ evidence: EvidenceText, receipts: OutputFiles, deliveries: OutputFiles,
    tally: inout Tally
  ) throws {
    let log = DeliveryText(
      seed: seed, end: Self.end + Self.day, missingPerMille: missingPerMille)
    var accounts = 0
    var old = 0
    while old < transactions {
      old +=
        evidence.signing == nil
        ? Account.count(of: accounts, seed: seed)
        : evidence.purchases(of: historic(accounts)).purchases.count
      accounts += 1
    }
    // The night repeats about half as many transactions as it adds.
    let step = max(1, transactions / max(1, wanted / 2))
    var number = step / 2
    var stranger = accounts
    while tally.transactions < wanted {
      try receipts.advance(done: tally.transactions)
      try deliveries.advance(done: tally.transactions)
      var account: Account
      if number < accounts, tally.repeated * 2 <= tally.transactions {
        account = historic(number)
        tally.repeated += account.purchases.count
        account.buyTonight(1 + number % 3, from: Self.end, to: Self.end + Self.day / 2)
        number += step
      } else {
        account = Account(
          number: stranger, seed: seed, from: Self.end, to: Self.end + Self.day / 2)
        stranger += 1
      }
      account = evidence.purchases(of: account)
      tally.documents += try evidence.write(
        account, requestedAt: Self.end + Self.day - 3600, device: 0, isAgain: false,
        to: &receipts.text)
      tally.deliveries += log.write(account, from: account.firstOfTonight, to: &deliveries.text)
      tally.transactions += account.purchases.count - account.firstOfTonight
    }
  }

  private func historic(_ number: Int) -> Account {
    Account(number: number, seed: seed, from: Self.end - 365 * Self.day, to: Self.end - 3600)
  }
}
