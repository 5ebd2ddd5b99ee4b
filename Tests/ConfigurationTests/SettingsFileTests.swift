import Configuration
import Foundation
import Testing

@Suite("The settings file")
struct SettingsFileTests {
  @Test("a missing default file is no error, a missing file that is named is one")
  func missingFile() throws {
    let nowhere = "/nowhere/tieout.yaml"
    #expect(
      try Settings.load(file: nowhere, explicitFile: false, environment: [:]) == Settings())
    let named = try complaint { () throws(ConfigurationError) in
      try Settings.load(file: nowhere, explicitFile: true, environment: [:])
    }
    let expected =
      "/nowhere/tieout.yaml: there is no such file; name an existing settings file, or leave it out"
    #expect(named == expected)
    let variable = try complaint { () throws(ConfigurationError) in
      try Settings.load(file: nil, explicitFile: false, environment: ["TIEOUT_CONFIG": nowhere])
    }
    #expect(variable == expected)
  }

  @Test("a folder or a broken link at the default path is an error")
  func unreadable() throws {
    try withFile(Data()) { path in
      let folder = URL(filePath: path).deletingLastPathComponent()
      let link = folder.appending(path: "link.yaml").path
      try FileManager.default.createSymbolicLink(
        atPath: link, withDestinationPath: "/nowhere/tieout.yaml")
      for place in [folder.path, link] {
        let message = try complaint { () throws(ConfigurationError) in
          try Settings.load(file: place, explicitFile: false, environment: [:])
        }
        #expect(message.hasPrefix("\(place): the file cannot be read; check that it is a file"))
      }
    }
  }

  @Test("a file that is not UTF-8 or far too large gives a message about that")
  func wrongFile() throws {
    #expect(
      try complaint(bytes: Data([0x69, 0xFF, 0xFE]))
        == "tieout.yaml: the file is not UTF-8 text; save it as UTF-8")
    #expect(
      try complaint(bytes: Data(repeating: 0x23, count: 1 << 20 + 1))
        == "tieout.yaml: the file is larger than 1 MB; name a settings file")
  }

  @Test("a byte-order mark and Windows line ends are accepted")
  func windowsText() throws {
    let loaded = try settings(yaml: "\u{FEFF}inbox: here\r\ngrace_hours: 4\r\n")
    #expect(loaded.inbox == "here")
    #expect(loaded.graceHours == 4)
  }

  @Test("a dash alone needs quotes, and the message says so")
  func dash() throws {
    #expect(try settings(yaml: "log_file: \"-\"\n").logFile == "-")
    for yaml in ["log_file: -\n", "log_file:  -  # standard error\nquiet: true\n"] {
      #expect(
        try complaint(yaml: yaml)
          == "tieout.yaml:1: the value is a dash without quotes, which begins a list; "
          + "write \"-\" with the quotes")
    }
  }

  @Test("the message about invalid YAML has its line")
  func noYAML() throws {
    #expect(
      try complaint(yaml: "inbox: here\nreports: [a\nquiet: true\n")
        .hasPrefix("tieout.yaml:3: this is not YAML: "))
    #expect(
      try complaint(yaml: "inbox: here\n\tquiet: true\n")
        .hasSuffix("write each setting as `key: value`, and indent with blanks instead of tabs"))
    #expect(
      try complaint(yaml: "inbox: here\n---\ninbox: there\n")
        == "tieout.yaml:2: this is not YAML: but found another document; "
        + "write each setting as `key: value`, and indent with blanks instead of tabs")
    #expect(
      try complaint(yaml: "inbox: here\nquiet: \u{7}\n")
        .hasPrefix("tieout.yaml:2: this is not YAML"))
  }

  @Test("a file without any key is an error", arguments: ["inbox=here\n", "- inbox\n", "12\n"])
  func noMapping(yaml: String) throws {
    #expect(
      try complaint(yaml: yaml)
        == "tieout.yaml:1: there is no setting; "
        + "write each setting as `key: value`, with a blank after the colon")
  }

  @Test("a message about a repeated key names both lines, with any quotes around the key")
  func twice() throws {
    let message =
      #"tieout.yaml:4: "inbox" is given twice, first in line 2; keep one of the two"#
    #expect(try complaint(yaml: "quiet: true\ninbox: a\n# again\ninbox: b\n") == message)
    #expect(try complaint(yaml: "quiet: true\n\"inbox\": a\n\n'inbox' : b\n") == message)
    #expect(
      try complaint(yaml: "delivery_columns:\n  server: a\n  server: b\n")
        == #"tieout.yaml:3: "server" is given twice, first in line 2; keep one of the two"#)
    #expect(
      try complaint(yaml: "delivery_columns: {server: a, server: b}\n")
        == #"tieout.yaml:1: "server" is given twice, first in line 1; keep one of the two"#)
  }

  @Test("lists and mappings may be in YAML's block style or flow style")
  func blockAndFlow() throws {
    let block = try settings(
      yaml: """
        environments:
          - Production
          - Sandbox
        delivery_columns:
          server: host name
        """)
    let flow = try settings(
      yaml: "environments: [Production, Sandbox]\ndelivery_columns: {server: host name}\n")
    #expect(block == flow)
    #expect(block.environments == ["Production", "Sandbox"])
    #expect(block.deliveryColumns == ["server": "host name"])
    #expect(try settings(yaml: "environments: Production, Sandbox\n").environments.count == 2)
  }

  @Test(
    "the message about a value of the wrong shape has its line and key",
    arguments: [
      ("inbox:", "has no value"),
      ("inbox: ~", "has no value"),
      ("inbox: ''", "has an empty value"),
      ("inbox: [a, b]", "is a list; the setting takes one value"),
      ("inbox: {a: b}", "is a mapping; the setting takes one value"),
      (#"inbox: "a\nb""#, "has a control character or a line break in its value"),
      ("bundle_ids: {a: b}", "is a mapping; the setting takes a list"),
      ("bundle_ids:", "has no value"),
      ("bundle_ids: [a, ]\nenvironments: [Production, ~]", "has an empty value"),
      ("bundle_ids: [[a]]", "has a list or mapping inside its list"),
      ("delivery_columns: [server]", "is a list; the setting takes a mapping"),
      ("delivery_columns:", "has no value"),
      ("delivery_columns: {server: [a]}", "has a list or mapping inside its mapping"),
      ("delivery_columns: {server: }", "has an empty value"),
    ])
  func wrongShape(yaml: String, problem: String) throws {
    let message = try complaint(yaml: "quiet: false\n" + yaml)
    let line = yaml.contains("\n") ? 3 : 2
    let key = yaml.split(separator: "\n").last?.prefix { $0 != ":" } ?? ""
    #expect(message.hasPrefix("tieout.yaml:\(line): \(key): \(problem); allowed: "))
  }
}
