internal import LibCrypto
import Synchronization

/// The chains of certificates that were found good, shared by all threads.
///
/// A chain enters only with a document whose signature it proved, so nobody but Apple can fill it.
/// Whether it was valid when a document was signed is looked at for each document.
public final class ChainCache: Sendable {
  /// More chains than this are forgotten, oldest first.
  ///
  /// Apple changes its signers about once a year.
  static let limit = 64

  private struct Known {
    var transactions: [TransactionChain] = []
    var receipts: [ReceiptChain] = []
  }

  private let known = Mutex(Known())
  private let checkedCount = Atomic<Int>(0)
  private let reusedCount = Atomic<Int>(0)

  /// Makes an empty one.
  public init() {}

  /// How many chains were checked certificate by certificate.
  public var checked: Int { checkedCount.load(ordering: .relaxed) }
  /// How many documents came with a chain that had been checked before.
  public var reused: Int { reusedCount.load(ordering: .relaxed) }

  func noteChecked() { checkedCount.add(1, ordering: .relaxed) }
  func noteReused() { reusedCount.add(1, ordering: .relaxed) }

  var transactions: [TransactionChain] { known.withLock { $0.transactions } }
  var receipts: [ReceiptChain] { known.withLock { $0.receipts } }

  func remember(_ chain: TransactionChain) {
    known.withLock { Self.remember(chain, in: &$0.transactions) }
  }

  func remember(_ chain: ReceiptChain) {
    known.withLock { Self.remember(chain, in: &$0.receipts) }
  }

  private static func remember<Chain>(_ chain: Chain, in chains: inout [Chain]) {
    if chains.count == limit { chains.removeFirst() }
    chains.append(chain)
  }
}

/// A chain that signs transactions, under the header that brings it.
struct TransactionChain: Sendable {
  let roots: TrustedRoots.Identity
  /// The header's segment as it came, so that it is never decoded again.
  let header: ArraySlice<UInt8>
  let key: PublicKey
  let validity: Validity
  /// SHA-256 of the header and the dot behind it; the payload's comes next.
  let headerHash: HashState
}

/// A chain that signs receipts, under its certificates.
struct ReceiptChain: Sendable {
  let roots: TrustedRoots.Identity
  let signer: ArraySlice<UInt8>
  /// Empty where the receipt does not bring it along.
  let issuer: ArraySlice<UInt8>
  let key: PublicKey
  let validity: Validity
}
