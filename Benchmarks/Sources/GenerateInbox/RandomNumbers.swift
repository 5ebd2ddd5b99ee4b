/// The SplitMix64 generator: the same seed gives the same inbox on every machine.
struct RandomNumbers {
  private var state: UInt64

  /// Creates a separate sequence for each subject, so that an account can be generated without the
  /// earlier ones.
  init(seed: UInt64, subject: Int, purpose: UInt64) {
    state = seed &+ UInt64(subject) &* 0xd134_2543_de82_ef95 &+ purpose &* 0xa076_1d64_78bd_642f
    _ = next()
  }

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 to `bound` - 1.
  mutating func below(_ bound: Int) -> Int {
    Int(((next() >> 32) &* UInt64(bound)) >> 32)
  }

  /// True with a probability of `share` in a thousand.
  mutating func perMille(_ share: Int) -> Bool { below(1000) < share }
}
