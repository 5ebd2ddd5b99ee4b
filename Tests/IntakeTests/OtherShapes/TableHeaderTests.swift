import Intake
import Testing

@Suite("Headers of tables with receipts")
struct TableHeaderTests {
  @Test("a table with another spelling of a column, or of a mapped one, is rejected")
  func otherSpellings() throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    func detail(_ columns: String, _ mapped: [String: String]) throws -> String? {
      var settings = try OwnStore.settings()
      settings.receiptColumns = mapped
      let staged = try stage("id,\(columns),jws\n1,x,y,\(signed)\n", in: .receipts, settings)
      #expect(staged.evidence.isEmpty == !staged.rejections.isEmpty)
      return staged.rejections.first?["detail"]
    }
    let own = try #require(try detail("Account_ID,deviceId", [:]))
    #expect(
      own.contains("Write account_id instead of Account_ID, device_id instead of deviceId, or"))
    let mapped = try #require(try detail("User_ID,note", ["account_id": "user_id"]))
    #expect(mapped.contains("Write user_id instead of User_ID, or name your columns"))
    #expect(try detail("Account_ID,user_id", ["account_id": "user_id"]) == nil)
    #expect(try detail("account_id,Account_ID", [:]) == nil)
  }

  @Test("the header row and the line with the separator may come again, as in joined files")
  func joined() throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    let file = "sep=;\r\naccount_id;\"device_id\";jws\r\nann;phone;\(signed)\r\n"
    for blockBytes in [1, 1 << 20] {
      let staged = try stage(
        "\(file)\u{feff}\(file)", in: .receipts, OwnStore.settings(blockBytes: blockBytes))
      #expect(
        Staged.drawn(staged.evidence, "line account_id device_id")
          == ["3 | ann | phone", "6 | ann | phone"])
      #expect(staged.rejections.isEmpty)
    }
  }

  @Test("a header row with another order applies to the rows below it, with any size of block")
  func otherOrder() throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    // The first 64 KiB are in one block, so the file is longer.
    let note = String(repeating: "no. ", count: 2000)
    let part =
      "account_id,device_id,note,jws\nann,phone,\(note),\(signed)\nann,phone,,\n"
      + "\u{feff}jws,\"device_id\",account_id,id,note\r\n\(signed),phone,ann,1,\r\n"
      + ",phone,ann,2,\r\n"
      + "device_id,account_id,note,id,jws\nphone,ann,\"\(note)\n\",3,\(signed)\n"
    let starts = (0..<12).map { Int64($0) * 9 }
    for blockBytes in [1, 5000, 1 << 20] {
      let staged = try stage(
        String(repeating: part, count: starts.count), in: .receipts,
        OwnStore.settings(blockBytes: blockBytes))
      #expect(
        Staged.drawn(staged.evidence, "line account_id device_id")
          == starts.flatMap { start in [2, 5, 8].map { "\(start + Int64($0)) | ann | phone" } })
      #expect(
        staged.reasons
          == starts.flatMap { start in
            [3, 6].map { "\(start + Int64($0)) | receipt | not_a_receipt" }
          })
    }
  }

  @Test("no row is read below a header row with another spelling of a column")
  func otherSpellingBelow() throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    let staged = try stage(
      "account_id,device_id,jws\nann,phone,\(signed)\nDevice_ID,Account_ID,jws\n"
        + "phone,ann,\(signed)\n", in: .receipts, OwnStore.settings())
    #expect(Staged.drawn(staged.evidence, "line account_id") == ["2 | ann"])
    #expect(staged.reasons == ["- | file | missing_column"])
    let detail = try #require(staged.rejections[0]["detail"])
    #expect(detail.hasPrefix("Line 3 names columns again"))
    #expect(detail.contains("Write account_id instead of Account_ID"))
  }

  @Test("a row of a customer who chooses the names of columns as values is no header row")
  func namesAsValues() throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    let staged = try stage(
      "account_id,device_id,note,jws\nben,device_id,account_id,jws\n"
        + "account_id,device_id,,\(signed)\nann,phone,,\(signed)\n", in: .receipts,
      OwnStore.settings())
    #expect(
      Staged.drawn(staged.evidence, "line account_id device_id")
        == ["3 | account_id | device_id", "4 | ann | phone"])
    #expect(staged.reasons == ["2 | receipt | not_a_receipt"])
    #expect(staged.rejections[0]["detail"]?.contains("can have wrong accounts") == true)
  }
}
