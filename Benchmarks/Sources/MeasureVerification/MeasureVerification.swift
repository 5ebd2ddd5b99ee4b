import ArgumentParser
import Foundation
import LibCrypto
import SignatureVerification
import SigningTestSupport

/// Prints how many documents of each form one thread verifies and decodes per second.
@main
struct MeasureVerification: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measure how many documents a second are verified and decoded, for each form.",
    discussion: """
      The command signs the documents with its own authority. "first" is a document whose chain of \
      certificates was never seen, "verified" one whose chain is known, "decoded" one whose \
      signature is not checked.
      """)

  @Option(help: "Seconds for each measurement.")
  var seconds = 1.0

  @Flag(help: "Only signed transactions.")
  var signedTransactions = false

  func validate() throws {
    guard seconds > 0 else { throw ValidationError("--seconds is more than 0.") }
  }

  func run() throws {
    let authority = try TestAuthority.make()
    let bench = Bench(
      seconds: seconds,
      roots: try TrustedRoots(
        receipts: [authority.receiptRoot], transactions: [authority.transactionRoot],
        purchaseReceiptIssuers: [authority.purchaseReceiptIssuer]))
    print("form                              bytes   first/s  verified/s  decoded/s")
    let ratios = try transactions(authority, bench)
    if !signedTransactions { try receipts(authority, bench) }
    print("A known chain costs \(ratios.cost) of a bare P-256 verification with SHA-256.")
    let processors = ProcessInfo.processInfo.activeProcessorCount
    print(
      "\(processors) processors verify \(ratios.gain) times as many as one, "
        + "bare P-256 \(ratios.bareGain) times as many.")
  }

  private func receipts(_ authority: TestAuthority, _ bench: Bench) throws {
    for count in [1, 10, 200] {
      for encoding in ReceiptForm.Encoding.allCases {
        var form = ReceiptForm()
        form.encoding = encoding
        let bytes = try authority.appReceipt(Samples.receipt(purchases: count), form: form)
        try bench.report(
          "app receipt, \(count) purchases, \(encoding == .der ? "DER" : "BER")", bytes.count,
          verified: { _ = try $0.appReceipt(bytes) },
          decoded: { _ = try AppReceipt(unverified: bytes) })
      }
    }
    let receipt = try authority.transactionReceipt(Samples.purchaseFields)
    try bench.report(
      "receipt of iOS 6", receipt.count, verified: { _ = try $0.transactionReceipt(receipt) })
  }

  /// Measures signed transactions.
  ///
  /// Returns the cost relative to P-256 and SHA-256 alone, and the gain from all processors.
  private func transactions(
    _ authority: TestAuthority, _ bench: Bench
  ) throws -> (cost: String, gain: String, bareGain: String) {
    let text = Array(try authority.sign(payload: Samples.payload).utf8)
    try bench.report(
      "signed transaction", text.count,
      verified: { try $0.verify(try CompactJWS(text), at: Samples.signedDate) },
      decoded: { _ = try CompactJWS(text) })
    let key = PrivateKey(.p256)
    let signed = Array(text.prefix(text.count - 87))
    let signature = key.rawSignature(over: signed)
    guard let publicKey = PublicKey(subjectPublicKeyInfo: key.publicKeyInfo) else {
      throw ExitCode.failure
    }
    let bare: @Sendable () throws -> Void = {
      guard let check = SignatureCheck(publicKey, .sha256),
        check.isValid(raw: signature, HashFunction.sha256.digest(of: signed))
      else { throw ExitCode.failure }
    }
    print(
      "bare P-256 and SHA-256 of the same length".padded(to: 50),
      "\(Int(try bench.rate(bare)))".padded(left: 9))
    let verifier = Verifier(roots: bench.roots, chains: ChainCache())
    let ratio = try bench.ratio(
      of: { try verifier.verify(try CompactJWS(text), at: Samples.signedDate) }, to: bare)
    // The threads share a chain cache, as the threads of a night do.
    let chains = ChainCache()
    let processors = ProcessInfo.processInfo.activeProcessorCount
    let gain = try bench.gain(of: processors) {
      let verifier = Verifier(roots: bench.roots, chains: chains)
      return { try verifier.verify(try CompactJWS(text), at: Samples.signedDate) }
    }
    let bareGain = try bench.gain(of: processors) { bare }
    return (hundredths(ratio), hundredths(gain), hundredths(bareGain))
  }

  private func hundredths(_ number: Double) -> String {
    let hundredths = Int((number * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
  }
}
