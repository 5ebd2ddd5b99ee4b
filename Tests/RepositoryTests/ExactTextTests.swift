import Testing

@Suite("Text from outside is split and quoted by its scalars")
struct ExactTextTests {
  // A slash or quote before a combining mark is another Character. Sources/ExactText finds it.
  @Test(
    "no source file splits paths or doubles quotes by characters",
    arguments: [#"split(separator: "/""#, #"with: "\"\"")"#])
  func calls(call: String) throws {
    for path in try Repository.files(below: "Sources", ending: ".swift") {
      let lines = try Repository.text(path).split(separator: "\n")
        .filter { $0.contains(call) && !$0.contains("unicodeScalars.") }
      #expect(lines.isEmpty, "\(path)")
    }
  }
}
