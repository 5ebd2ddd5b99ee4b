/// SplitMix64: the same seed gives the same inbox on every machine.
struct RandomNumbers {
  private var state: UInt64

  /// Numbers of their own for each subject, so that any account can be drawn without those before it.
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

  /// A number from 0 to below `bound`.
  mutating func below(_ bound: Int) -> Int {
    Int(((next() >> 32) &* UInt64(bound)) >> 32)
  }

  /// True so many times in a thousand.
  mutating func perMille(_ share: Int) -> Bool { below(1000) < share }
}
