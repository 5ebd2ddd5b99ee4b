import DamageTestSupport
import Intake
import Testing

@Suite("Answers about raw receipts")
struct ReceiptAnswerTests {
  @Test(
    "an answer gives its status and whether another request may help",
    arguments: [
      ("{\"status\":0}", 0, nil), ("{\"status\":\"21005\"}", 21005, nil),
      (" {\"status\":21100,\"is-retryable\":true}\n", 21100, true),
      ("{\"status\":21100,\"is-retryable\":\"false\"}", 21100, false),
      ("{\"status\":21100,\"is_retryable\":0}", 21100, false),
      ("{\"status\":21100,\"is-retryable\":null}", 21100, nil),
      ("{\"status\":21100,\"is-retryable\":\"perhaps\"}", 21100, nil),
    ] as [(String, Int, Bool?)])
  func answers(text: String, status: Int, isRetryable: Bool?) throws {
    let answer = try #require(ReceiptAnswer(Array(text.utf8)))
    #expect(answer.status == status && answer.isRetryable == isRetryable)
    for end
      in 0..<(text.utf8.lastIndex(of: UInt8(ascii: "}")).map {
        text.utf8.distance(from: text.utf8.startIndex, to: $0)
      } ?? 0)
    {
      #expect(ReceiptAnswer(Array(text.utf8.prefix(end))) == nil, "\(end)")
    }
  }

  @Test(
    "a text without a status is not an answer",
    arguments: ["", "0", "[]", "{}", "{\"status\":null}", "{\"status\":0.5}", "{\"status\":\"x\"}"])
  func noAnswers(text: String) {
    #expect(ReceiptAnswer(Array(text.utf8)) == nil)
  }

  @Test("a damaged answer gives a status that it contains, or none")
  func damaged() {
    let samples = [
      #"{"status":21100,"is-retryable":true,"receipt":{"in_app":[{"quantity":"1"}]}}"#,
      #"{"environment":"Sandbox","status":"0","is_retryable":"false"}"#,
    ].map { Array($0.utf8) }
    var read = 0
    for seed in RandomCases.seeds(700) {
      for sample in samples {
        let file = MutatedFile(of: sample, seed: seed)
        guard let answer = ReceiptAnswer(file.bytes) else { continue }
        read += 1
        // Only the digits are compared, because the damage may be a zero or a sign before them.
        let digits = Array(String(answer.status.magnitude).utf8)
        #expect(file.bytes.firstRange(of: digits) != nil, "\(answer.status) of \(file)")
      }
    }
    #expect(read > 0)
  }
}
