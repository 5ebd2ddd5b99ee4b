import DamageTestSupport
import Foundation
import Intake
import SigningTestSupport
import Testing

/// Evidence with random damage: no crash, no hang, counts that add up, and no unsigned facts.
///
/// `TIEOUT_TEST_CASES` is the number of cases, `TIEOUT_TEST_SEED` is the first seed. The same seed
/// makes the same damage.
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

  @Test("damaged evidence gives no facts that were not signed")
  func damage() throws {
    let seeds = try Self.seeds()
    let settings = try OwnStore.settings(trust: .signed)
    let scratch = try ScratchFolder()
    // The place of the signed text does not matter, only its facts matter.
    var known: Set<[String: String]> = []
    for seed in seeds {
      known.formUnion(
        try stage(path: scratch.file("seed", seed), in: .receipts, settings).said)
    }
    var survivors = 0
    for seed in RandomCases.seeds(500) {
      var dice = Dice(seed)
      let damaged = MutatedFile(
        of: seeds[Int.random(in: 0..<seeds.count, using: &dice)], seed: seed)
      let staged = try stage(
        path: scratch.file("damaged", damaged.bytes), in: .receipts, settings, note: "\(damaged)")
      for row in staged.said {
        survivors += 1
        // A receipt of iOS 6 names its environment outside of the signed bytes. The envelope gives
        // only the date on which the receipt was received.
        let isKnown = known.contains { good in
          row.allSatisfy { $0.key == "environment" || good[$0.key] == $0.value }
        }
        #expect(isKnown, "\(damaged)")
      }
    }
    // Damage outside of the signed bytes leaves some evidence intact, so the check above has cases.
    #expect(survivors > 0 || RandomCases.count(orElse: 500) < 500)
  }
}
