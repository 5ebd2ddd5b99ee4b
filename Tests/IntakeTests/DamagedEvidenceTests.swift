import DamageTestSupport
import Foundation
import Intake
import SigningTestSupport
import Testing

/// Evidence with random damage: no crash, no hang, sums that close, and nothing but what was signed.
///
/// `TIEOUT_TEST_CASES` says how many, `TIEOUT_TEST_SEED` from which on; the same seed damages the same way.
@Suite("Damaged evidence", .timeLimit(.minutes(60)))
struct DamagedEvidenceTests {
  private static func seeds() throws -> [[UInt8]] {
    let authority = try OwnStore.authority.get()
    let signed = try OwnStore.sign(OwnStore.payload())
    let app = try authority.appReceipt(OwnStore.receipt)
    let old = try authority.transactionReceipt(OwnStore.purchaseFields)
    return try SignedTransactionTests.ways(signed).map { Array($0.file.utf8) }
      + RawReceiptTests.ways(app).map(\.file) + RawReceiptTests.ways(old).map(\.file)
  }

  @Test("whatever is damaged, nothing is said that nobody signed")
  func damage() throws {
    let seeds = try Self.seeds()
    let settings = try OwnStore.settings(trust: .signed)
    let scratch = try ScratchFolder()
    // Where it was signed does not matter, what was signed does.
    var known: Set<[String: String]> = []
    for seed in seeds {
      known.formUnion(
        try stage(path: scratch.file("seed", seed), in: .receipts, settings).said)
    }
    var survivors = 0
    for seed in RandomCases.seeds(1500) {
      var dice = Dice(seed)
      let damaged = MutatedFile(
        of: seeds[Int.random(in: 0..<seeds.count, using: &dice)], seed: seed)
      let staged = try stage(
        path: scratch.file("damaged", damaged.bytes), in: .receipts, settings, note: "\(damaged)")
      for row in staged.said {
        survivors += 1
        // A receipt of iOS 6 says beside what is signed which environment it is from, and only the
        // date of its getting is the envelope's.
        let isKnown = known.contains { good in
          row.allSatisfy { $0.key == "environment" || good[$0.key] == $0.value }
        }
        #expect(isKnown, "\(damaged)")
      }
    }
    // Damage outside of what is signed leaves some of them whole, so that the check above is one.
    #expect(survivors > 0 || RandomCases.count(orElse: 1500) < 1500)
  }
}
