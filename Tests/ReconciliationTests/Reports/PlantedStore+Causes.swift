import Oracle

/// What is planted, one cause at a time.
extension PlantedStore {
  /// Plants a sale, or something that is none, of a random cause.
  mutating func plant() {
    switch random.number(0...11) {
    case 0: plantRestore()
    case 1: plantElsewhere("family_shared_units", in: [9: "yes"])
    case 2: plantElsewhere("other_environment_units", in: [8: "Sandbox"])
    case 3: plantTrial()
    case 4: plantUnlisted()
    case 5: plantUpgrade()
    case 6: plantWithoutPrice("lamp", "estimated", ours: 199, theirs: 219)
    case 7: plantWithoutPrice("gift", "unpriced", ours: nil, theirs: 129)
    case 8: plantUnseen()
    default: plantSale()
    }
  }

  /// A sale that both sides tell, often at the turn of a day, sometimes refunded.
  private mutating func plantSale() {
    let place = random.pick(0, 1, 2, 3, 4)
    let (storefront, country, currency, price) = Self.places[place]
    // In Switzerland Apple states another price.
    let theirs = country == "CH" ? price + 10 : price
    let at = instant()
    let refunded = random.chance(25) ? min(at + random.number(1...40) * 3600, Self.end) : nil
    write("coin", at, [4: Self.amount(price, currency), 5: currency, 6: storefront], refunded)
    let cell = { (day: Int) in
      Cell(day: day, product: "coin", country: country, currency: currency)
    }
    tell(at, cell, 1, price, "cut_off")
    report(cell(Self.pacificDay(at)), "IA1", theirs, currency, 1)
    guard let refunded else { return }
    tell(refunded, cell, -1, price, "refund_cut_off")
    report(cell(Self.pacificDay(refunded)), "IA1", theirs, currency, -1)
  }

  /// A restore, which Apple reports at no price or not at all.
  private mutating func plantRestore() {
    let at = instant()
    let first = write("book", Self.firstDay * 86_400 - 86_400 * 3, [6: "USA"], nil)
    write("book", at, [1: first, 6: "USA"], nil)
    let cell = Cell(day: at / 86_400, product: "book", country: "US", currency: "")
    add(cell, "ours_units", 1)
    add(cell, "restored_units", -1)
    guard random.chance(50) else { return }
    let there = Cell(day: Self.pacificDay(at), product: "book", country: "US", currency: "")
    report(there, "IA3", 0, "USD", 1)
    add(there, "restored_units", 1)
  }

  /// What is no sale: family sharing, or another environment.
  private mutating func plantElsewhere(_ cause: String, in fields: [Int: String]) {
    let at = instant()
    write("coin", at, fields.merging([6: "USA"]) { $1 }, nil)
    let cell = Cell(day: at / 86_400, product: "coin", country: "US", currency: "")
    add(cell, "ours_units", 1)
    add(cell, cause, -1)
  }

  /// A trial, which Apple reports at no price.
  private mutating func plantTrial() {
    let at = instant()
    write("month", at, [6: "USA", 10: "yes", 12: Instant(seconds: at + 7 * 86_400).rfc3339], nil)
    let cell = { (day: Int) in Cell(day: day, product: "month", country: "US", currency: "") }
    tell(at, cell, 1, 0, "cut_off")
    report(cell(Self.pacificDay(at)), "IAY", 0, "USD", 1)
  }

  /// A sale of an identifier that is not for sale, which Apple does not know.
  private mutating func plantUnlisted() {
    let at = instant()
    write("fake", at, [4: "5.00", 5: "USD", 6: "USA"], nil)
    let cell = { (day: Int) in Cell(day: day, product: "fake", country: "US", currency: "USD") }
    tell(at, cell, 1, 500, "cut_off")
    add(cell(Self.pacificDay(at)), "invalid_identifier_units", -1)
    add(cell(Self.pacificDay(at)), "invalid_identifier_amount", -500)
  }

  /// An upgrade: Apple takes back the unit and a part of its price, which we do not know.
  private mutating func plantUpgrade() {
    let at = instant()
    let upgraded = min(at + random.number(1...40) * 3600, Self.end)
    write(
      "month", at,
      [4: "9.99", 5: "EUR", 6: "FRA", 11: "yes", 12: Instant(seconds: at + 7 * 86_400).rfc3339],
      upgraded)
    let cell = { (day: Int) in Cell(day: day, product: "month", country: "FR", currency: "EUR") }
    tell(at, cell, 1, 999, "cut_off")
    report(cell(Self.pacificDay(at)), "IAY", 999, "EUR", 1)
    let there = cell(Self.pacificDay(upgraded))
    let back = random.number(1...998)
    report(there, "IAY", back, "EUR", -1)
    add(there, "upgrades_units", -1)
    add(there, "upgrades_amount", -back)
  }

  /// A sale whose price only the catalogue states, or nothing.
  private mutating func plantWithoutPrice(
    _ product: String, _ cause: String, ours: Int?, theirs: Int
  ) {
    let at = instant()
    let (storefront, country, currency) =
      ours == nil ? ("CAN", "CA", "CAD") : ("USA", "US", "USD")
    write(product, at, [6: storefront], nil)
    let cell = { (day: Int) in
      Cell(day: day, product: product, country: country, currency: currency)
    }
    tell(at, cell, 1, ours ?? 0, "cut_off")
    report(cell(Self.pacificDay(at)), "IA1", theirs, currency, 1)
    add(cell(Self.pacificDay(at)), "\(cause)_amount", theirs - (ours ?? 0))
  }

  /// A sale that only one side tells.
  private mutating func plantUnseen() {
    let at = instant()
    let isHere = random.chance(50)
    let (storefront, country) = isHere ? ("GBR", "GB") : ("AUS", "AU")
    let cell = { (day: Int) in
      Cell(day: day, product: "ghost", country: country, currency: isHere ? "GBP" : "AUD")
    }
    let there = cell(Self.pacificDay(at))
    if isHere {
      write("ghost", at, [4: "3.00", 5: "GBP", 6: storefront], nil)
      tell(at, cell, 1, 300, "cut_off")
      add(there, "only_here_units", -1)
      add(there, "only_here_amount", -300)
    } else {
      report(there, "IA1", 300, "AUD", 1)
      add(there, "only_apple_units", 1)
      add(there, "only_apple_amount", 300)
    }
  }
}
