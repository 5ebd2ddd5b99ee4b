import ArgumentParser
import Configuration

/// Says what to write instead of arguments that cannot be used, where the parser does not say it.
enum UsageAdvice {
  /// A parser's message about arguments, with advice if there is any.
  ///
  /// - Parameter arguments: The arguments of the program.
  static func completing(_ message: String, about arguments: [String]) -> String {
    var (path, rest) = ("tieout", arguments[...])
    var commands = parts(of: Tieout.self)
    while let name = rest.first, let known = commands.first(where: { $0.name == name }) {
      path += " \(name)"
      rest = rest.dropFirst()
      commands = parts(of: known.command)
    }
    if let name = rest.first, !commands.isEmpty, name != "help", !name.hasPrefix("-") {
      return unknownCommand(name, among: commands.map(\.name), after: path)
    }
    if let better = aboutMinusSign(message, rest) { return better }
    guard let advice = advice(about: message, to: path, rest) else { return message }
    return "\(message)\(message.hasSuffix(".") ? "" : ".") \(advice)"
  }

  /// Advice if several values are in one text, as a sentence behind others; otherwise empty.
  static func aboutSeveral(in value: String) -> String {
    value.contains(",") ? " \(oneByOne)" : ""
  }

  private static let oneByOne = "Give the option once for each value."

  /// The commands that a command consists of.
  private static func parts(
    of command: any ParsableCommand.Type
  ) -> [(name: String, command: any ParsableCommand.Type)] {
    command.configuration.subcommands.compactMap { part in
      part.configuration.commandName.map { (name: $0, command: part) }
    }
  }

  private static func unknownCommand(
    _ name: String, among names: [String], after path: String
  ) -> String {
    // Of two names that contain the given one, the shorter one is meant.
    let meant = likelyName(for: name, among: names.sorted { $0.count < $1.count })
    let advice =
      meant.map { "Did you mean \(path) \($0)?" }
      ?? "The commands are \(names.joined(separator: ", "))."
    return "\(path) has no command “\(name)”. \(advice)"
  }

  /// The message about a negative number, which the parser takes for an option.
  private static func aboutMinusSign(_ message: String, _ words: ArraySlice<String>) -> String? {
    let number = /^Missing value for '(--[a-z-]+) <(?:n|limit|days)>'/
    guard let missing = message.firstMatch(of: number),
      let place = words.firstIndex(of: String(missing.output.1)),
      let value = words[place...].dropFirst().first,
      value.firstMatch(of: /^-[0-9]/) != nil
    else { return nil }
    return "\(missing.output.1): \(value) is not allowed. Give a number without a minus sign."
  }

  private static func advice(
    about message: String, to path: String, _ words: ArraySlice<String>
  ) -> String? {
    let isAboutExtra =
      message.hasPrefix("Unexpected argument ") || message.contains(" unexpected arguments: ")
    switch path {
    case "tieout explain" where isAboutExtra && words.contains("--"):
      return "Put options before --, and -- before an ID that begins with a hyphen."
    case "tieout explain" where isAboutExtra:
      let id = words.prefix { !$0.hasPrefix("-") }.joined(separator: " ")
      // In double quotes the shell would read these characters as its own.
      let canBeQuoted = id.contains(" ") && !id.contains { "\"\\$`!".contains($0) }
      return "Put an ID with spaces into quotes"
        + (canBeQuoted ? ": tieout explain \"\(Visible.text(id))\"" : ".")
    case "tieout psql"
    where isAboutExtra
      || message.hasPrefix("Unknown option ") && !message.contains("Did you mean"):
      return "Options of psql come after --: tieout psql -- -c 'table run'"
    default:
      let several = /^The value '.*,.*' is invalid for '--(?:level|status) </
      return message.firstMatch(of: several) == nil ? nil : oneByOne
    }
  }
}
