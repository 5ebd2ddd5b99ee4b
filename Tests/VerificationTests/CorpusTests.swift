import Foundation
import Testing
import Verification

@Suite("Genuine and synthetic files", .enabled(if: Corpus.folder != nil))
struct CorpusTests {
  @Test func look() throws {
    let v = try Corpus.verifier()
    for name in try FileManager.default.contentsOfDirectory(atPath: Corpus.folder! + "/receipts").sorted() {
      do {
        let r = try v.appReceipt(try Corpus.receipt(name))
        print("OK", name, r.receiptType ?? "-", r.purchases.count, r.createdAt ?? "-", r.otherAttributes.map(\.type), r.purchases.first.map { "\($0)" } ?? "")
      } catch {
        print("NO", name, error)
        do {
          let r = try v.transactionReceipt(try Corpus.receipt(name))
          print("OK6", name, r)
        } catch { print("NO6", name, error) }
      }
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: Corpus.folder! + "/jws").sorted() {
      do {
        let t = try Corpus.transaction(String(name.dropLast(4)))
        let p = try Corpus.json(t.payload)
        let at = ((p["signedDate"] ?? p["receiptCreationDate"]) as? Double) ?? 1_700_000_000_000
        try v.verify(t, at: Int64(at))
        print("OK", name, p["signedDate"] ?? "-")
      } catch { print("NO", name, error) }
    }
  }
}
