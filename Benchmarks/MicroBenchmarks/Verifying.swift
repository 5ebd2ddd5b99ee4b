import Benchmark
import SignatureVerification
import SigningTestSupport

/// Benchmarks for the verification of signed documents.
///
/// The chain of certificates is already known.
func verifyingBenchmarks() {
  Benchmark("a signed transaction") { benchmark in
    let (authority, verifier) = try authorityAndVerifier()
    let text = Array(
      try authority.sign(payload: #"{"transactionId":"350001177745405","price":49990}"#).utf8)
    try verifier.verify(try CompactJWS(text), at: signedAt)
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations {
      try verifier.verify(try CompactJWS(text), at: signedAt)
    }
  }
  Benchmark("an app receipt of ten purchases") { benchmark in
    let (authority, verifier) = try authorityAndVerifier()
    var receipt = TestReceipt()
    receipt.purchases = (0..<10).map { number in
      TestPurchase(
        transactionID: "\(350_001_177_745_405 + number)",
        productID: "com.example.reader.sub.yearly", purchaseDate: "2026-11-14T13:30:00Z")
    }
    let bytes = try authority.appReceipt(receipt, form: ReceiptForm())
    _ = try verifier.appReceipt(bytes)
    benchmark.startMeasurement()
    for _ in benchmark.scaledIterations { blackHole(try verifier.appReceipt(bytes)) }
  }
}

/// 2026-11-19, in milliseconds since 1970.
private let signedAt: Int64 = 1_795_057_445_000

private func authorityAndVerifier() throws -> (TestAuthority, Verifier) {
  let authority = try TestAuthority.make()
  let roots = try TrustedRoots(
    receipts: [authority.receiptRoot], transactions: [authority.transactionRoot],
    purchaseReceiptIssuers: [authority.purchaseReceiptIssuer])
  return (authority, Verifier(roots: roots, chains: ChainCache()))
}
