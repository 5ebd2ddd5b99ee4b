import Intake
import Testing

@Suite("Spellings of a name")
struct WrittenNameTests {
  @Test(
    "each writer's form of a name is one of its spellings",
    arguments: [
      (
        #"Zoë "x""#,
        [
          #"Zoë \"x\""#, #"Zo\u00eb \"x\""#, #"Zo\u00EB \"x\""#, #"Zo\u00EB \u0022x\u0022"#,
          #"Zo\xEB \"x\""#, #"Zoë \\\"x\\\""#, #"Zo\\u00eb \\\"x\\\""#, #"Zo\u00eb \\\"x\\\""#,
          "Zoë &quot;x&quot;", "Zo&#235; &#34;x&#34;", "Zo%C3%AB%20%22x%22", "Zo%c3%ab+%22x%22",
          #"Zoë ""x"""#, #"Zoë \""x\"""#,
        ]
      ),
      (
        "Büro/7",
        [#"Büro\/7"#, #"B\u00fcro\/7"#, #"B\u00FCro/7"#, "Büro~17", #"B\\u00fcro\\\/7"#]
      ),
      ("a\tb", [#"a\tb"#, #"a\u0009b"#, #"a\\tb"#, "a␉b", "a&#9;b", "a%09b"]),
      (
        "😀",
        [
          #"\ud83d\ude00"#, #"\uD83D\uDE00"#, #"\U0001F600"#, "&#128512;", "&#x1F600;",
          "%F0%9F%98%80",
        ]
      ),
      (
        "Tom & <b>'s",
        [
          #"Tom \u0026 \u003cb\u003e's"#, #"Tom \u0026 \u003Cb\u003E\u0027s"#,
          "Tom &amp; &lt;b&gt;&#39;s", "Tom &amp; &lt;b>&apos;s", "Tom & <b>''s", #"Tom & <b>\'s"#,
        ]
      ),
      (#"a\b"#, [#"a\\b"#, #"a\\\\b"#]), ("a\u{200d}b", ["a\u{2426}b"]),
      ("a\"\u{301}", ["a\\\"\u{301}", "a\"\"\u{301}"]),
    ])
  func written(name: String, forms: [String]) {
    let spellings = WrittenName.spellings(of: name)
    for form in [name] + forms { #expect(spellings.contains(form), "\(form)") }
  }

  @Test("a usual name has one spelling, and any name has few")
  func count() {
    #expect(WrittenName.spellings(of: "reader-1.0_17") == ["reader-1.0_17"])
    #expect(WrittenName.spellings(of: "a@example.com") == ["a@example.com", "a%40example.com"])
    // The spellings do not multiply with the length.
    let long = String(repeating: #""\/<&>'é😀 =+`~"# + "\t\u{200d}", count: 16)
    #expect(WrittenName.spellings(of: long).count < 1000)
  }
}
