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
    let expected = try DocumentedSetting.all().map { setting in
      setting.value.map { "\(setting.key): \($0)" }
        ?? "#\(setting.key): \(settingExamples[setting.key] ?? "")"
    }
    #expect(settingLines.map(String.init) == expected)
  }

  @Test("the example explains each setting and its default in the comment above it")
  func exampleExplains() throws {
    let paragraphs = try packageFile("tieout.example.yaml").components(separatedBy: "\n\n")
    for setting in try DocumentedSetting.all() {
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
    #expect(Self.absentValues(in: loaded) == 0)
  }

  @Test("the documentation's table has exactly the settings, with their names and allowed values")
  func documentedTable() throws {
    let documented = try DocumentedSetting.all()
    let expected = Setting.all.map { setting in
      let option = setting.option.map { "`\($0)`" } ?? ""
      return ["`\(setting.key)`", "`\(setting.variable)`", option, setting.allowed]
    }
    #expect(documented.map { $0.names + [$0.allowed] } == expected)
    for setting in documented { #expect(setting.meaning.hasSuffix("."), "\(setting.key)") }
    #expect(Self.absentValues(in: Settings()) == documented.count(where: { $0.value == nil }))
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
    }
  }

  @Test("every member of the settings can be set")
  func everyMember() throws {
    #expect(Set(settingExamples.keys) == Set(Setting.all.map(\.key)))
    let yaml = settingExamples.map { "\($0.key): \($0.value)\n" }.joined()
    let isMember = { (child: Mirror.Child) in child.label != "onCommandLine" }
    let given = Mirror(reflecting: try settings(yaml: yaml)).children.filter(isMember)
    let defaults = Mirror(reflecting: Settings()).children.filter(isMember)
    #expect(given.count == Setting.all.count)
    for (given, unsaid) in zip(given, defaults) {
      #expect(String(describing: given.value) != String(describing: unsaid.value), "\(given)")
    }
  }

  /// The number of members that have no value.
  private static func absentValues(in settings: Settings) -> Int {
    Mirror(reflecting: settings).children.count(where: { child in
      let value = Mirror(reflecting: child.value)
      return value.displayStyle == .optional && value.children.isEmpty
    })
  }
}

/// A row of the table in docs/configuration.md.
private struct DocumentedSetting {
  /// The cells of the key, the variable and the option.
  let names: [String]
  let key: String
  /// The default in the form of `tieout.yaml`; nil if there is none.
  let value: String?
  /// The behaviour without a value, in words; nil if the default is a value.
  let unset: String?
  let meaning: String
  let allowed: String

  static func all() throws -> [DocumentedSetting] {
    try packageFile("docs/configuration.md").split(separator: "\n")
      .filter { $0.hasPrefix("| `") }.map { try DocumentedSetting(row: String($0)) }
  }

  private init(row: String) throws {
    let cells = row.dropFirst(2).dropLast(2).components(separatedBy: " | ")
    try #require(cells.count == 5, "\(row)")
    names = Array(cells[..<3])
    key = cells[0].replacing("`", with: "")
    let isValue = cells[3].hasPrefix("`")
    value = isValue ? cells[3].replacing("`", with: "") : nil
    unset = isValue ? nil : cells[3]
    let words = cells[4].components(separatedBy: " Allowed: ")
    try #require(words.count == 2 && words[1].hasSuffix("."), "\(row)")
    meaning = words[0]
    allowed = String(words[1].dropLast())
  }
}
