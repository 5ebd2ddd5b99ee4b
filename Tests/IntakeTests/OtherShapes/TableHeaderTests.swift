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

  @Test("a header row with another order of columns is rejected with a warning")
  func otherOrder() throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    let staged = try stage(
      "account_id,device_id,jws\nann,phone,\(signed)\ndevice_id,account_id,jws\n,,\n",
      in: .receipts, OwnStore.settings())
    #expect(staged.reasons == ["3 | receipt | not_a_receipt", "4 | receipt | not_a_receipt"])
    let details = staged.rejections.map { $0["detail"]?.contains("in another order") }
    #expect(details == [true, false])
  }
}
