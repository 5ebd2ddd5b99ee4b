internal import LibCrypto
import Synchronization

/// The chains of certificates that passed the checks, shared by all threads.
///
/// A chain is added only after its key has verified the signature of a document. So only signers
/// under a trusted root can fill the cache. For each document it is checked again whether the chain
/// was valid when the document was signed.
public final class ChainCache: Sendable {
  /// The maximum number of chains; the oldest are removed first.
  ///
  /// Apple changes its signers about once a year.
  static let limit = 64

  private struct Known {
    var transactions: [TransactionChain] = []
    var receipts: [ReceiptChain] = []
  }

  private let known = Mutex(Known())
  private let checkedCount = Atomic<Int>(0)

  /// Makes an empty cache.
  public init() {}

  /// The number of chains that were checked certificate by certificate.
  ///
  /// Only this number shows that the cache is used: a verdict is the same without it.
  package var checked: Int { checkedCount.load(ordering: .relaxed) }

  func noteChecked() { checkedCount.add(1, ordering: .relaxed) }

  var transactions: [TransactionChain] { known.withLock { $0.transactions } }
  var receipts: [ReceiptChain] { known.withLock { $0.receipts } }

  func remember(_ chain: TransactionChain) {
    known.withLock {
      Self.remember(chain, in: &$0.transactions) {
        $0.roots === chain.roots && $0.header == chain.header
      }
    }
  }

  func remember(_ chain: ReceiptChain) {
    known.withLock {
      Self.remember(chain, in: &$0.receipts) {
        $0.roots === chain.roots && $0.signer == chain.signer && $0.issuer == chain.issuer
      }
    }
  }

  /// Adds a chain, unless another thread has added the same one in the meantime.
  private static func remember<Chain>(
    _ chain: Chain, in chains: inout [Chain], isSame: (Chain) -> Bool
  ) {
    guard !chains.contains(where: isSame) else { return }
    if chains.count == limit { chains.removeFirst() }
    chains.append(chain)
  }
}

/// A chain that signs transactions, with the header that contains it.
struct TransactionChain: Sendable {
  let roots: TrustedRoots.Identity
  /// The header's segment as received, so that it is not decoded again.
  let header: ArraySlice<UInt8>
  let key: PublicKey
  let validity: Validity
  /// SHA-256 of the header and the dot after it; the hash continues with the payload.
  let headerHash: HashState
}

/// A chain that signs receipts, with its certificates.
struct ReceiptChain: Sendable {
  let roots: TrustedRoots.Identity
  let signer: ArraySlice<UInt8>
  /// Empty if the receipt does not contain it.
  let issuer: ArraySlice<UInt8>
  let key: PublicKey
  let validity: Validity
}
