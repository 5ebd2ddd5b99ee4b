/// The content servers' log of what an account fetched.
struct DeliveryText {
  static let header =
    "delivery_id,transaction_id,product_id,status,occurred_at,account_id,device_id,server,error\r\n"

  let seed: UInt64
  /// The log's end: nothing is delivered later.
  let end: Int

  /// Writes the attempts for the purchases from `first` on; gives how many.
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
      switch random.below(1000) {
      case ..<35: break  // Never asked for, or never handed over.
      case ..<45:
        attempt(1, "failed", at: moment, transaction: id)
        attempt(2, "delivered", at: min(end, moment + 600), transaction: id)
      case ..<50: attempt(1, "failed", at: moment, transaction: id)
      case ..<53: attempt(1, "pending", at: moment, transaction: id)
      case ..<58:
        attempt(1, "delivered", at: moment, transaction: id)
        attempt(2, "delivered", at: min(end, moment + 86_400), transaction: id)
      case ..<59: attempt(1, "delivered", at: moment, transaction: id + 400_000_000_000_000)
      default: attempt(1, "delivered", at: moment, transaction: id)
      }
    }
    return rows
  }
}
