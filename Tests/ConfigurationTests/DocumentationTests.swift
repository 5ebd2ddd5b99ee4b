import Configuration
import Foundation
import Testing

@Suite("Documentation of the settings")
struct DocumentationTests {
  @Test("the example contains every default and nothing else")
  func exampleIsDefault() throws {
    #expect(try settings(yaml: packageFile("tieout.example.yaml")) == Settings())
  }

  @Test(
    "the example has every setting in the table's order; a setting without default is a comment")
  func exampleIsWhole() throws {
    let lines = try packageFile("tieout.example.yaml").split(separator: "\n")
    let settingLines = lines.filter { $0.firstMatch(of: /^#?[a-z_]+:/) != nil }
    let expected = Setting.all.map { setting in
      setting.defaultText.map { "\(setting.key): \($0)" } ?? "#\(setting.key): \(setting.example)"
    }
    #expect(settingLines.map(String.init) == expected)
  }

  @Test("the example explains each setting and its default in the comment above it")
  func exampleExplains() throws {
    let paragraphs = try packageFile("tieout.example.yaml").components(separatedBy: "\n\n")
    for setting in Setting.all {
      let paragraph = try #require(
        paragraphs.first { $0.firstMatch(of: try Regex("(?m)^#?\(setting.key):")) != nil })
      #expect(paragraph.contains("# \(setting.meaning)\n"), "\(setting.key)")
      if let unset = setting.unset {
        #expect(paragraph.contains("Unset: \(unset)."), "\(setting.key)")
      }
    }
  }

  @Test("the example is valid if every setting is active")
  func exampleTakenIn() throws {
    let text = try packageFile("tieout.example.yaml")
    let loaded = try settings(yaml: text.replacing(/(?m)^#([a-z_]+:)/) { $0.output.1 })
    for setting in Setting.all where setting.defaultText == nil {
      #expect(setting.text(in: loaded) != nil, "\(setting.key)")
    }
  }

  @Test("the documentation's table is the table in the code")
  func documentedTable() throws {
    let rows = try packageFile("docs/configuration.md").split(separator: "\n")
      .filter { $0.hasPrefix("| `") }.map(String.init)
    let expected = Setting.all.map { setting in
      let option = setting.option.map { "`\($0)`" } ?? ""
      let value = setting.defaultText.map { "`\($0)`" } ?? setting.unset ?? ""
      let columns = [
        "`\(setting.key)`", "`\(setting.variable)`", option, value,
        "\(setting.meaning) Allowed: \(setting.allowed).",
      ]
      return "| " + columns.joined(separator: " | ") + " |"
    }
    let difference = expected.filter { !rows.contains($0) }.joined(separator: "\n")
    #expect(rows == expected, "missing or out of order:\n\(difference)")
  }

  @Test("the messages in the documentation are the real messages")
  func documentedMessages() throws {
    let messages = [
      try complaint(yaml: "\n\n\ngrace_hours: soon\n"),
      try complaint(yaml: "\n\n\n\n\n\nimbox: a\n"),
      try complaint(variable: "TIEOUT_TIMEZONE", "UTC"),
      try complaint(key: "fail_on", "eror"),
    ]
    #expect(
      try packageFile("docs/configuration.md")
        .contains("```\n" + messages.joined(separator: "\n") + "\n```\n"))
  }

  @Test("each setting has its own key, option and variable")
  func ownNames() {
    #expect(Set(Setting.all.map(\.key)).count == Setting.all.count)
    let options = Setting.all.compactMap(\.option)
    #expect(Set(options).count == options.count)
    for setting in Setting.all {
      #expect(setting.key.wholeMatch(of: /[a-z]+(_[a-z]+)*/) != nil)
      #expect(setting.variable == "TIEOUT_" + setting.key.uppercased())
      if let option = setting.option {
        #expect(option == "--" + setting.key.replacing("_", with: "-"))
      }
      #expect(!setting.meaning.contains("\n") && setting.meaning.hasSuffix("."))
    }
  }

  @Test("every member of the settings can be set")
  func everyMember() throws {
    let yaml = Setting.all.map { "\($0.key): \($0.example)\n" }.joined()
    let isMember = { (child: Mirror.Child) in child.label != "onCommandLine" }
    let given = Mirror(reflecting: try settings(yaml: yaml)).children.filter(isMember)
    let defaults = Mirror(reflecting: Settings()).children.filter(isMember)
    #expect(given.count == Setting.all.count)
    for (given, unsaid) in zip(given, defaults) {
      #expect(String(describing: given.value) != String(describing: unsaid.value), "\(given)")
    }
  }
}

extension Setting {
  /// The default in the form of `tieout.yaml`; nil if there is no value to show.
  var defaultText: String? { text(in: Settings()) }
}
