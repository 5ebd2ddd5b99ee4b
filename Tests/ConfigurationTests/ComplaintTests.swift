import Configuration
import Foundation
import Testing

@Suite("Messages about a wrong setting")
struct ComplaintTests {
  @Test("the message about a wrong value has its place, the problem and the allowed values")
  func wrongValue() throws {
    let rest = #""soon" is not a whole number; allowed: a whole number from 0 to 87600"#
    #expect(
      try complaint(yaml: "quiet: true\ngrace_hours: soon\n")
        == "tieout.yaml:2: grace_hours: \(rest)")
    #expect(try complaint(variable: "TIEOUT_GRACE_HOURS", "soon") == "TIEOUT_GRACE_HOURS: \(rest)")
    #expect(try complaint(key: "grace_hours", "soon") == "command line: \(rest)")
    #expect(try complaint(key: "dry_run", "soon").hasPrefix("--dry-run: \"soon\" is "))
  }

  @Test(
    "a mapping is accepted as the message shows it",
    arguments: ["materiality", "delivery_columns", "receipt_columns"])
  func mapping(key: String) throws {
    let setting = try #require(Setting.named(key))
    let message = try complaint(yaml: "\(key): [a]\n")
    let shown = try #require(
      message.firstMatch(of: /such as (\{.+\}) in the settings file, or (\S+) in a variable$/)
    ).output
    let byFile = try settings(yaml: "\(key): \(shown.1)\n")
    #expect(byFile != Settings())
    let byVariable = try Settings.load(
      file: nil, explicitFile: false, environment: [setting.variable: String(shown.2)])
    #expect(byVariable == byFile)
  }

  @Test(
    "the message about an unknown key names the nearest known key",
    arguments: [
      ("imbox", "inbox"), ("inobx", "inbox"), ("Inbox", "inbox"), ("as-of", "as_of"),
      ("timezone", "time_zone"), ("grace", "grace_hours"), ("database_url", "database"),
      ("bundleIDs", "bundle_ids"), ("restores_alowed", "restores_allowed"),
      ("book_begin", "books_begin"), ("log level", "log_level"), ("failOn", "fail_on"),
    ])
  func unknownKey(given: String, meant: String) throws {
    #expect(
      try complaint(yaml: "quiet: true\n\(given): 1\n")
        == "tieout.yaml:2: \"\(given)\" is not a setting; the nearest one is \(meant)")
    #expect(
      try complaint(key: given, "1")
        == "command line: \"\(given)\" is not a setting; the nearest one is \(meant)")
  }

  @Test(
    "the message about an unknown variable names the nearest known variable",
    arguments: [
      ("TIEOUT_INBOXES", "TIEOUT_INBOX"), ("TIEOUT_AS_AT", "TIEOUT_AS_OF"),
      ("TIEOUT_CONFG", "TIEOUT_CONFIG"), ("TIEOUT_TIMEZONE", "TIEOUT_TIME_ZONE"),
      ("TIEOUT_inbox", "TIEOUT_INBOX"),
    ])
  func unknownVariable(given: String, meant: String) throws {
    #expect(
      try complaint(variable: given, "")
        == "\(given): no setting has this variable; the nearest one is \(meant)")
  }

  @Test("the message about a name that is like no known one names none")
  func unlikeAll() throws {
    #expect(
      try complaint(yaml: "password: x\n")
        == "tieout.yaml:1: \"password\" is not a setting; docs/configuration.md lists all of them")
    #expect(
      try complaint(variable: "TIEOUT_HOME", "x")
        == "TIEOUT_HOME: no setting has this variable; docs/configuration.md lists all of them")
  }

  @Test("if several variables are unknown, the message is always about the same one")
  func sameMistake() throws {
    let message = try complaint { () throws(ConfigurationError) in
      try Settings.load(
        file: nil, explicitFile: false,
        environment: ["TIEOUT_ZZ": "1", "TIEOUT_AA": "1", "TIEOUT_MM": "1"])
    }
    #expect(message.hasPrefix("TIEOUT_AA: "))
  }

  @Test("every message is one line of limited length, for any input")
  func oneLine() throws {
    let typed = "a\nb\u{1B}[31m\u{2028}" + String(repeating: "x", count: 10_000)
    for setting in Setting.all where setting.key != "database" {
      guard let message = try? complaint(key: setting.key, typed + ",=") else {
        Issue.record("\(setting.key) takes control characters")
        continue
      }
      #expect(!message.contains { $0.isNewline || $0 == "\u{1B}" })
      #expect(message.count < 400)
    }
    let unknown = try complaint(key: typed, "1")
    #expect(!unknown.contains(where: \.isNewline) && unknown.count < 200)
  }

  @Test(
    "no message repeats text that may be a password",
    arguments: [
      "database: [\"postgresql://tieout:hunter2@db/tieout\"]\n",
      "database: {url: \"postgresql://tieout:hunter2@db/tieout\"}\n",
      "database: \"host=db password=hunter2\\n\"x\n",
      "database: \"host=db\\u0007 password=hunter2\"\n",
      "database=postgresql://tieout:hunter2@db/tieout\n",
      "postgresql://tieout:hunter2@db/tieout: database\n",
      "database: host=db password=hunter2\ndatabase: host=db password=hunter2\n",
      "database: 'host=db password=hunter2\n",
      "database: host=db password=hunter2\n  sslmode: require\n",
    ])
  func secret(yaml: String) throws {
    #expect(try !complaint(yaml: yaml).contains("hunter2"))
  }
}
