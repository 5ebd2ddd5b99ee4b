import SignatureVerification

/// Measures how often work can be done per second.
struct Bench {
  let seconds: Double
  let roots: TrustedRoots

  /// Prints the line of a form; returns the number of verifications per second.
  @discardableResult
  func report(
    _ form: String, _ bytes: Int, verified: (Verifier) throws -> Void,
    decoded: (() throws -> Void)? = nil
  ) throws -> Double {
    let first = try rate { try verified(Verifier(roots: roots, chains: ChainCache())) }
    let verifier = Verifier(roots: roots, chains: ChainCache())
    let known = try rate { try verified(verifier) }
    let read = try decoded.map { "\(Int(try rate($0)))" } ?? ""
    print(
      form.padded(to: 30), "\(bytes)".padded(left: 8), "\(Int(first))".padded(left: 9),
      "\(Int(known))".padded(left: 11), read.padded(left: 10))
    return known
  }

  /// The number of repetitions per second, the median of seven measurements.
  func rate(_ work: () throws -> Void) throws -> Double {
    let clock = ContinuousClock()
    try work()
    var count = 1
    var rates: [Double] = []
    while rates.count < 7 {
      let time = try clock.measure { for _ in 0..<count { try work() } } / .seconds(1)
      if time < seconds / 7 {
        count = time * 20 < seconds ? count * 4 : count * 2
      } else {
        rates.append(Double(count) / time)
      }
    }
    return rates.sorted()[3]
  }

  /// The time of one work relative to another, the median of 201 short measurements.
  ///
  /// They alternate, so that other load on the machine affects both.
  func ratio(of work: () throws -> Void, to other: () throws -> Void) throws -> Double {
    let clock = ContinuousClock()
    var ratios: [Double] = []
    for _ in 0..<201 {
      let mine = try clock.measure { for _ in 0..<20 { try work() } }
      let others = try clock.measure { for _ in 0..<20 { try other() } }
      ratios.append(mine / others)
    }
    return ratios.sorted()[100]
  }
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  func padded(left width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
