import CopyFormat
import Foundation
import LibCrypto
import Testing

@testable import Intake

@Suite("Names of people")
struct PseudonymTests {
  private static let key = HMACKey("0123456789abcdef0123456789abcdef".utf8)
  private static let salt = HMACKey("salt".utf8)

  private static func hashing(_ tokens: [[UInt8]: String] = [:]) -> Pseudonyms {
    Pseudonyms(key: key, salt: salt, tokens: tokens)
  }

  @Test("a hashed name is half of its HMAC-SHA256, and the same each time")
  func hashed() {
    let names = Self.hashing()
    let text = names.text(for: "a-17")
    #expect(text.wholeMatch(of: /h:[0-9a-f]{32}/) != nil)
    // printf a-17 | openssl dgst -sha256 -hmac 0123456789abcdef0123456789abcdef
    #expect(text == "h:5d86126cd301fe740b943ee33964c0b7")
    #expect(names.text(for: "a-17") == text)
    #expect(names.text(for: "a-18") != text)
    #expect(names.text(for: text) == text)
    let other = Pseudonyms(
      key: HMACKey("0123456789abcdef0123456789abcdeg".utf8), salt: Self.salt,
      tokens: [:])
    #expect(other.text(for: "a-17") != text)
  }

  @Test("a forgotten name becomes its token, plain or hashed, and other names do not")
  func forgotten() {
    let plain = Pseudonyms(key: nil, salt: Self.salt, tokens: [:])
    let token = Pseudonyms.freshToken()
    #expect(token.wholeMatch(of: /f:[0-9a-f]{32}/) != nil)
    #expect(Pseudonyms.freshToken() != token)
    for name in ["a-17", Self.hashing().text(for: "a-17")] {
      let tokens = [plain.digest(of: name): token]
      #expect(Self.hashing(tokens).text(for: "a-17") == token)
      #expect(Self.hashing(tokens).text(for: Self.hashing().text(for: "a-18")) != token)
      #expect(Self.hashing(tokens).text(for: token) == token)
    }
    let tokens = [plain.digest(of: "a-17"): token]
    let forgetting = Pseudonyms(key: nil, salt: Self.salt, tokens: tokens)
    #expect(forgetting.text(for: "a-17") == token)
    #expect(forgetting.text(for: "a-1") == "a-1")
  }

  @Test("hashed names are in no row of any kind of record, and in no rejection")
  func noRow() throws {
    var settings = IntakeSettings()
    settings.pseudonyms = Self.hashing()
    let files: [(Folder, String)] = [
      (
        .receipts,
        #"{"account_id":"PERSON-1","device_id":"PHONE-1","verifyReceiptResponse":{"status":0,"#
          + #""receipt":{"bundle_id":"b","in_app":[{"transaction_id":"1","product_id":"p","#
          + #""purchase_date":"2026-11-18 10:00:00 Etc/GMT"},{"transaction_id":"PERSON-1 x"}]}}}"#
          + "\n" + #"{"account_id":"PERSON-1","status":21003}"# + "\n"
          + #"{"account_id":"PERSON-1""#
      ),
      (
        .deliveries,
        "delivery_id,transaction_id,product_id,status,occurred_at,account_id,device_id\r\n"
          + "D1,1,p,delivered,2026-11-18T10:00:00Z,PERSON-1,PHONE-1\r\n"
          + "D2,1,p,nothing,2026-11-18T10:00:00Z,PERSON-1,PHONE-1\r\n"
      ),
      (
        .client,
        "transaction_id,product_id,state,transaction_date,account_id,device_id\r\n"
          + "1,p,purchased,2026-11-18T10:00:00Z,PERSON-1,PHONE-1\r\n"
          + "1,p,eaten,2026-11-18T10:00:00Z,PERSON-1,PHONE-1\r\n"
      ),
      (
        .client,
        #"{"product_id":"p","reported_at":"2026-11-18T10:00:00Z","account_id":"PERSON-1","#
          + #""device_id":"PHONE-1"}"# + "\n"
      ),
      (.deliveries, "PERSON-1 and nothing else\n"), (.catalog, "PERSON-1 PHONE-1"),
    ]
    for (folder, text) in files {
      let plain = try staged(text, folder, IntakeSettings())
      #expect(plain.contains("PERSON-1") || folder == .catalog, "\(folder): \(text.prefix(60))")
      let hashed = try staged(text, folder, settings)
      #expect(!hashed.contains("PERSON-1"), "\(folder): \(text.prefix(60))")
      #expect(!hashed.contains("PHONE-1"), "\(folder): \(text.prefix(60))")
      #expect(
        hashed.contains(Self.hashing().text(for: "PERSON-1")) || !text.contains("1,p")
          || folder == .deliveries && text.hasPrefix("PERSON"))
    }
  }

  /// All bytes of all rows, as text.
  private func staged(
    _ text: String, _ folder: Folder, _ settings: IntakeSettings
  ) throws -> String {
    let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try Data(text.utf8).write(to: URL(filePath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let reader = FileReader(path: path, folder: folder, fileID: 1, settings: settings)
    let parser = RecordParser()
    var rows = StagedRows()
    while let block = reader.next() { block.parse(with: parser, into: &rows) }
    let all = [
      rows.documents, rows.evidence, rows.deliveries, rows.catalogue, rows.clientTransactions,
      rows.clientInvalidProducts, rows.rejections,
    ]
    return all.map { String(decoding: $0.bytes, as: UTF8.self) }.joined()
  }
}
