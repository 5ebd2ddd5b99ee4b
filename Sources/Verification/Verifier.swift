/// Checks what Apple signs, and decodes it.
///
/// One for each thread; they share what they learn about chains of certificates. What Apple revoked
/// is not known here: that would take a question over the network for each certificate.
public final class Verifier {
  let roots: TrustedRoots
  let chains: ChainCache
  /// What this thread has seen of the shared chains, so that a known one takes no lock.
  var transactionChains: [TransactionChain] = []
  var receiptChains: [ReceiptChain] = []

  /// Makes one that trusts these roots and shares what it learns about chains.
  public init(roots: TrustedRoots, chains: ChainCache) {
    self.roots = roots
    self.chains = chains
  }
}
