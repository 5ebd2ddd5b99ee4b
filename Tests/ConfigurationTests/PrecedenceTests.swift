import Foundation
import Testing

@testable import Configuration

@Suite("Sources of settings")
struct PrecedenceTests {
  @Test("every default applies if nothing is set")
  func defaults() throws {
    #expect(try Settings.load(file: nil, explicitFile: false, environment: [:]) == Settings())
    #expect(try settings(yaml: "") == Settings())
    #expect(try settings(yaml: "# only a comment\n") == Settings())
    #expect(try settings(yaml: "---\n") == Settings())
  }

  @Test("the environment overrides the file, and the command line overrides both")
  func order() throws {
    let yaml = "inbox: file\nreports: file\nquiet: true\n"
    let loaded = try settings(
      yaml: yaml,
      environment: ["TIEOUT_INBOX": "environment", "TIEOUT_REPORTS": "environment"],
      overrides: [("inbox", "option")])
    #expect(loaded.inbox == "option")
    #expect(loaded.reports == "environment")
    #expect(loaded.quiet)
  }

  @Test("the last of two overrides of one setting applies")
  func lastOverride() throws {
    let loaded = try settings(yaml: "", overrides: [("inbox", "first"), ("inbox", "second")])
    #expect(loaded.inbox == "second")
  }

  @Test("a list or a mapping is replaced completely, never merged")
  func replacedWhole() throws {
    let loaded = try settings(
      yaml: "environments: [Production, Sandbox]\ndelivery_columns: {server: host}\n",
      environment: [
        "TIEOUT_ENVIRONMENTS": "Xcode", "TIEOUT_DELIVERY_COLUMNS": "error=reason, region=area",
      ])
    #expect(loaded.environments == ["Xcode"])
    #expect(loaded.deliveryColumns == ["error": "reason", "region": "area"])
  }

  @Test("an empty environment variable counts as not set")
  func emptyVariable() throws {
    let loaded = try settings(yaml: "inbox: file\n", environment: ["TIEOUT_INBOX": ""])
    #expect(loaded.inbox == "file")
  }

  @Test("variables of other programs are ignored")
  func otherVariables() throws {
    let environment = ["PGHOST": "db", "tieout_inbox": "x", "XTIEOUT_INBOX": "x"]
    let loaded = try Settings.load(file: nil, explicitFile: false, environment: environment)
    #expect(loaded == Settings())
  }

  @Test("a wrong value is reported even if a later value replaces it")
  func wrongThoughReplaced() {
    #expect(throws: ConfigurationError.self) {
      try settings(yaml: "grace_hours: soon\n", environment: ["TIEOUT_GRACE_HOURS": "4"])
    }
  }

  @Test("TIEOUT_CONFIG names the file unless the command line names one")
  func fileVariable() throws {
    try withFile(Data("inbox: named\n".utf8)) { named in
      try withFile(Data("inbox: other\n".utf8)) { other in
        let environment = ["TIEOUT_CONFIG": named]
        let unnamed = try Settings.load(
          file: other, explicitFile: false, environment: environment)
        #expect(unnamed.inbox == "named")
        let named = try Settings.load(file: other, explicitFile: true, environment: environment)
        #expect(named.inbox == "other")
      }
    }
  }

  @Test("every setting can be set in the file, by a variable and on the command line")
  func everySource() throws {
    for setting in Setting.all {
      let example = try #require(settingExamples[setting.key])
      let byFile = try settings(yaml: "\(setting.key): \(example)\n")
      #expect(byFile != Settings(), "\(setting.key): the example is the default")
      // In YAML a list is in brackets and a mapping in braces. Elsewhere there are no brackets or
      // braces.
      let text = example.trimmingCharacters(in: ["[", "]", "{", "}"])
        .replacing(": ", with: "=")
      let byVariable = try Settings.load(
        file: nil, explicitFile: false, environment: [setting.variable: text])
      #expect(byVariable == byFile, "\(setting.variable)")
      var byOption = try settings(setting.key, text)
      #expect(byOption.onCommandLine == [setting.key])
      byOption.onCommandLine = []
      #expect(byOption == byFile, "\(setting.key)")
    }
  }
}
