import Intake
import Testing

@Suite("Acknowledgements")
struct AcknowledgementTests {
  private static let header = "finding,until,because,by"
  private static let columns = "line finding until_at because acknowledged_by excerpt raw"

  @Test("columns can be in any order, and unknown columns are ignored")
  func rows() throws {
    let staged = try stage(
      "sep=;\r\nby;colour;because;finding;until\r\n"
        + "anna;red;\"known; see 17\";F-0123456789ab;2026-12-31\r\nbert;;Ümlaut;f-01ab;\r\n",
      in: .acknowledgements)
    #expect(
      Staged.drawn(staged.acknowledgements, Self.columns) == [
        "3 | F-0123456789ab | 2026-12-31T00:00:00Z | known; see 17 | anna | "
          + "anna;red;\"known; see 17\";F-0123456789ab;2026-12-31 | "
          + "anna;red;\"known; see 17\";F-0123456789ab;2026-12-31",
        "4 | f-01ab | - | Ümlaut | bert | bert;;Ümlaut;f-01ab; | bert;;Ümlaut;f-01ab;",
      ])
    #expect(staged.rejections.isEmpty)
    #expect(staged.counts.acknowledgements.read == 2)
  }

  @Test("a line without finding, reason or person, or with a bad day, is rejected")
  func rejected() throws {
    let staged = try stage(
      Self.header + """

        F-0123,2026-12-31,good,anna
        ,2026-12-31,why,anna
        F-0123,2026-12-31,,anna
        F-0123,2026-12-31,"  ",anna
        F-0123,2026-12-31,why,
        F-0123,2026-02-30,why,anna
        F-0123,tomorrow,why,anna
        F-0123,2026-12-31T00:00:00Z,why,anna
        F 0123,2026-12-31,why,anna
        F-0123,2026-12-31,why

        """, in: .acknowledgements)
    #expect(staged.acknowledgements.count == 1)
    #expect(
      staged.reasons == [
        "3 | acknowledgement | missing_field", "4 | acknowledgement | missing_field",
        "5 | acknowledgement | missing_field", "6 | acknowledgement | missing_field",
        "7 | acknowledgement | bad_date", "8 | acknowledgement | bad_date",
        "9 | acknowledgement | bad_date", "10 | acknowledgement | bad_identifier",
        "11 | acknowledgement | malformed_csv",
      ])
  }

  @Test("the hash of an acknowledgement depends on its content, not on its place")
  func hash() throws {
    let one = try stage(
      Self.header + "\nF-0123,2026-12-31,why,anna\nF-0123,,why,anna\n", in: .acknowledgements)
    let other = try stage(
      "by,because,finding,until,more\nanna,why,F-0123,2026-12-31,x\n", in: .acknowledgements)
    let hashes = one.acknowledgements.map { $0["content_hash"] }
    #expect(Set(hashes).count == 2)
    #expect(other.acknowledgements.first?["content_hash"] == hashes[0])
  }

  @Test("a header without a required column, JSON and other logs are no acknowledgements")
  func otherFiles() throws {
    func reason(_ text: String, in folder: Folder = .acknowledgements) throws -> [String?] {
      try stage(text, in: folder).rejections.map { $0["reason"] }
    }
    #expect(try reason("finding,until,by\nF-0123,,anna\n") == ["missing_column"])
    #expect(try reason("finding,because\nF-0123,why\n") == ["missing_column"])
    #expect(try reason("[1]") == ["unknown_format"])
    #expect(try reason(#"{"finding":"F-0123"}"#) == ["unknown_format"])
    #expect(try reason(#"{"delivery_id":"d","occurred_at":"x"}"#) == ["wrong_folder"])
    #expect(try reason(DeliveryTests.header + "\n") == ["wrong_folder"])
    for folder in Folder.allCases where folder != .acknowledgements {
      #expect(try reason(Self.header + "\nF-0123,,why,anna\n", in: folder) == ["wrong_folder"])
    }
  }

  @Test("in a file cut at any byte, whole rows count and the last row is rejected or whole")
  func truncated() throws {
    let text = Array(
      (Self.header + "\nF-0123,2026-12-31,\"a \"\"why\"\"\nof two\",anna\nF-4567,,b,bert\n").utf8)
    let whole = try stage(text, in: .acknowledgements)
    #expect(whole.acknowledgements.count == 2 && whole.rejections.isEmpty)
    let endOfFirst = text.count - "F-4567,,b,bert\n".utf8.count
    for length in (Self.header.utf8.count + 1)..<text.count {
      let cut = try stage(Array(text[..<length]), in: .acknowledgements)
      #expect(cut.acknowledgements.count + cut.rejections.count <= 2)
      // If the cut leaves a quote open, the lines after the quote are not CSV.
      #expect(
        cut.rejections.allSatisfy { ["truncated", "malformed_csv"].contains($0["reason"]) },
        "at \(length): \(cut.reasons)")
      if length >= endOfFirst { #expect(cut.acknowledgements.first == whole.acknowledgements[0]) }
      for blockBytes in [1, 7, 40] {
        let settings = IntakeSettings(blockBytes: blockBytes)
        #expect(try stage(Array(text[..<length]), in: .acknowledgements, settings) == cut)
      }
    }
  }
}
