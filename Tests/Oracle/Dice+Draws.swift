public import DamageTestSupport

extension Dice {
  /// True with a probability of `percent` per cent.
  public mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &self) < percent
  }

  /// A random number in the range.
  public mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &self)
  }

  /// One of the values, each with the same probability.
  public mutating func pick<Value>(_ first: Value, _ others: Value...) -> Value {
    let index = number(0...others.count)
    return index == 0 ? first : others[index - 1]
  }

  mutating func pick<Value>(from values: [Value], else fallback: Value) -> Value {
    values.randomElement(using: &self) ?? fallback
  }

  /// One of several values, with a probability in proportion to its weight.
  mutating func weighted<Value>(_ choices: [(Int, Value)], else fallback: Value) -> Value {
    var left = number(0...max(0, choices.reduce(0) { $0 + $1.0 } - 1))
    for (weight, value) in choices {
      if left < weight { return value }
      left -= weight
    }
    return fallback
  }
}
