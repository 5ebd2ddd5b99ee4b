import Foundation
import Testing

@testable import Page

@Suite("Text from outside on the page")
struct EscapingTests {
  static let attacks = [
    "</title><script>alert(1)</script>", "\" onload=\"alert(1)", "' onload='alert(1)",
    "<!--", "]]>", "&lt;script&gt;", "</style><script>", "{{#worst}}", "{{{style}}}",
    // A character that joins the next one, and marks that join the one before. In grapheme clusters
    // these texts contain no `<` and no quote.
    "\u{0D4E}<script>alert(1)</script>", "\u{111C2}<img src=x onerror=alert(1)>",
    "\"\u{0301} onload=x", "<\u{200D}script>", "&\u{0301}",
    "\u{202E}gpj.exe", "a\u{0}b\r\nc\u{1B}[31m", String(repeating: "<", count: 10_000),
    String(repeating: "a\u{0301}\u{0302}\u{0303}\u{0304}", count: 50), "\u{E0041}\u{FFFE}",
  ]

  /// The characters that form a document's structure.
  ///
  /// If they are the same, the structure is the same.
  private static func skeleton(_ html: String) -> [UInt8] {
    html.utf8.filter { [UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\"")].contains($0) }
  }

  /// The structure of a page with a text that must be quoted for a shell, so that both pages have
  /// the same commands.
  private static let plain = try? skeleton(SamplePage.html(SamplePage.make()))

  @Test("no text adds a tag, an attribute or a quote", arguments: attacks)
  func inert(attack: String) throws {
    let html = try SamplePage.html(SamplePage.make(outside: attack))
    #expect(Self.skeleton(html) == Self.plain)
    #expect(!html.contains("<script"))
  }

  @Test("no text of random parts adds a tag, an attribute or a quote", arguments: UInt64(1)...60)
  func random(seed: UInt64) throws {
    var state = seed &* 0x9E37_79B9_7F4A_7C15
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    let pieces: [Unicode.Scalar] = [
      "<", ">", "\"", "'", "&", "/", "s", "!", "-", "\u{0D4E}", "\u{0600}", "\u{0301}", "\u{200D}",
      "\u{FE0F}", "\u{202E}", "\u{0}", "\r", "\n", "{", "}", "\u{110BD}", "\u{1F1E6}", "\u{D7FF}",
    ]
    var text = ""
    for _ in 0...next(40) { text.unicodeScalars.append(pieces[next(pieces.count)]) }
    let html = try SamplePage.html(SamplePage.make(outside: text))
    #expect(Self.skeleton(html) == Self.plain, "\(Array(text.unicodeScalars))")
  }

  @Test(
    "the page contains no invisible characters and none that change the text's direction",
    arguments: attacks)
  func visible(attack: String) throws {
    let html = try SamplePage.html(SamplePage.make(outside: attack))
    for scalar in html.unicodeScalars where scalar != "\n" {
      let category = scalar.properties.generalCategory
      #expect(
        ![.control, .format, .lineSeparator, .paragraphSeparator, .unassigned].contains(category),
        "U+\(String(scalar.value, radix: 16))")
    }
  }

  @Test("a long text is shortened, and its length is shown")
  func shortened() {
    #expect(
      OutsideText.shown(String(repeating: "x", count: 10_000), most: 20)
        == "xxxxxxxxxxxxxxxxxxxx… (10,000 characters)")
    #expect(OutsideText.shown("com.\u{202E}gpj") == "com.⟨U+202E⟩gpj")
    #expect(OutsideText.shown("a\u{0}\u{1B}") == "a⟨U+0000⟩⟨U+001B⟩")
    #expect(OutsideText.shown("Ünïcode 本 €") == "Ünïcode 本 €")
  }

  @Test("a long name is shortened in the middle, whatever its characters are", arguments: attacks)
  func middle(attack: String) {
    for text in [attack, "eu-1\(attack)", "\(attack)eu-1"] {
      let short = OutsideText.shown(text, withoutMiddleAbove: 40)
      let whole = OutsideText.shown(text, most: .max)
      guard whole.unicodeScalars.count > 40 else {
        #expect(short == whole)
        continue
      }
      #expect(short.unicodeScalars.count == 41)
      #expect(short.unicodeScalars.starts(with: whole.unicodeScalars.prefix(20)))
      #expect(
        short.unicodeScalars.reversed().starts(with: whole.unicodeScalars.reversed().prefix(20)))
    }
  }

  @Test("every template uses the program's escaping, and only the style is inserted without it")
  func templates() {
    for (name, text) in Templates.texts {
      let unescaped = text.matches(of: /\{\{[{&]\s*([a-z]*)/).map { String($0.output.1) }
      #expect(unescaped.allSatisfy { $0 == "style" }, "\(name)")
      #expect(!text.contains("{{="), "\(name)")
    }
  }

  @Test(
    "a text is exactly one word of a shell command, or is left out of it",
    arguments: attacks + [
      "350001177745405", "it's", "it'\u{301}s", "a/b", "$(reboot)", "`reboot`", "a b", "-rf",
      "--help", "*", "~", "a\\", "",
    ])
  func shellWord(text: String) throws {
    guard let word = OutsideText.shellWord(text) else {
      #expect(Self.attacks.contains(text) || text.isEmpty)
      return
    }
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", "for word in \(word); do printf '%s|' \"$word\"; done"]
    let pipe = Pipe()
    shell.standardOutput = pipe
    try shell.run()
    let said = pipe.fileHandleForReading.readDataToEndOfFile()
    shell.waitUntilExit()
    let expected = text.hasPrefix("-") ? "--|\(text)|" : "\(text)|"
    #expect(String(decoding: said, as: UTF8.self) == expected)
  }

  @Test("the command for a finding names its transaction if the id can be typed or copied")
  func command() {
    var finding = SamplePage.make(outside: "350001177745405").worst[0]
    #expect(NightPage.command(for: finding) == "tieout explain 350001177745405")
    finding.transactionID = "9'; rm -rf ~"
    #expect(NightPage.command(for: finding) == #"tieout explain '9'\''; rm -rf ~'"#)
    finding.transactionID = "1\u{202E}2"
    #expect(NightPage.command(for: finding) == "tieout explain F-0123456789ab")
    finding.name = nil
    #expect(NightPage.command(for: finding) == "tieout findings --rule missing_delivery")
  }

  @Test(
    "the command for a finding without a purchase contains the finding's name",
    arguments: [
      ("shared_purchase", "anna ben"), ("conflicting_catalogue", "book"),
      ("invalid_product_id", "book unknown"), ("silent_source", "eu-1 2026-11-18T14:00:00Z"),
      ("delivery_without_purchase", "1001"), ("catalogue_disagreement", "book unknown_to_store"),
    ])
  func named(rule: String, subject: String) {
    var finding = SamplePage.make(outside: "1001").worst[0]
    finding.rule = rule
    finding.subject = subject
    finding.transactionID = nil
    #expect(NightPage.command(for: finding) == "tieout explain F-0123456789ab")
  }
}
