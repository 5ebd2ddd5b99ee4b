/// The content servers' delivery log for an account.
struct DeliveryText {
  static let header =
    "delivery_id,transaction_id,product_id,status,occurred_at,account_id,device_id,server,error\r\n"

  let seed: UInt64
  /// The end of the log: there is no later delivery.
  let end: Int
  /// The number of missing deliveries per thousand purchases.
  let missingPerMille: Int

  /// The courses and their shares per thousand purchases if 35 are missing.
  ///
  /// All shares scale with `missingPerMille`.
  private static let shares: [(Course, of35: Int)] = [
    (.missing, 35), (.retried, 10), (.failed, 5), (.pending, 3), (.repeated, 5), (.misnamed, 1),
  ]

  private enum Course {
    /// There is no delivery record.
    case missing
    case retried, failed, pending, repeated, delivered
    /// Delivered for an unknown transaction id.
    case misnamed
  }

  private func course(_ random: inout RandomNumbers) -> Course {
    var rest = random.below(35_000)
    for (course, share) in Self.shares {
      rest -= share * missingPerMille
      if rest < 0 { return course }
    }
    return .delivered
  }

  /// Writes the attempts for the purchases from index `first` on; returns their number.
  func write(_ account: Account, from first: Int, to text: inout TextBuffer) -> Int {
    var random = RandomNumbers(seed: seed, subject: account.number, purpose: first == 0 ? 4 : 5)
    var rows = 0
    for purchase in account.purchases[first...] {
      let device = random.below(account.devices)
      let moment = min(end, purchase.purchasedAt + 5 + random.below(7200))
      func attempt(_ number: Int, _ status: String, at moment: Int, transaction: Int) {
        rows += 1
        text.text("v-")
        text.number(purchase.transactionID)
        text.text("-")
        text.number(number)
        text.text(",")
        text.number(transaction)
        text.text(",")
        text.text(Product.all[purchase.product].identifier)
        text.text(",")
        text.text(status)
        text.text(",")
        text.instant(moment, separator: "T")
        text.text("Z,a-")
        text.number(account.number)
        text.text(",d-")
        text.number(account.number)
        text.text("-")
        text.number(device)
        text.text(",cdn-")
        text.number(transaction % 8)
        text.text(status == "failed" ? ",timed out\r\n" : ",\r\n")
      }
      let id = purchase.transactionID
      switch course(&random) {
      case .missing: break
      case .retried:
        attempt(1, "failed", at: moment, transaction: id)
        attempt(2, "delivered", at: min(end, moment + 600), transaction: id)
      case .failed: attempt(1, "failed", at: moment, transaction: id)
      case .pending: attempt(1, "pending", at: moment, transaction: id)
      case .repeated:
        attempt(1, "delivered", at: moment, transaction: id)
        attempt(2, "delivered", at: min(end, moment + 86_400), transaction: id)
      case .misnamed: attempt(1, "delivered", at: moment, transaction: id + 400_000_000_000_000)
      case .delivered: attempt(1, "delivered", at: moment, transaction: id)
      }
    }
    return rows
  }
}
