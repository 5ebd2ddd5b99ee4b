import Foundation

/// The part of the output of `--experimental-dump-help` that tests use.
struct ProgramHelp: Decodable {
  struct Name: Decodable {
    var name: String
  }
  struct Argument: Decodable {
    var kind: String
    var preferredName: Name?
  }
  struct Command: Decodable {
    var commandName: String
    var arguments: [Argument]?
    var subcommands: [Command]?

    /// The long names of the options, without those that the library adds.
    var options: [String] {
      (arguments ?? []).filter { $0.kind != "positional" }.compactMap(\.preferredName?.name)
        .filter { $0 != "help" && $0 != "version" }
    }

    /// The command; or the commands that it consists of, such as `cluster status`.
    var parts: [Command] {
      let others = (subcommands ?? []).filter { $0.commandName != "help" }
      guard !others.isEmpty else { return [self] }
      return others.map { part in
        var part = part
        part.commandName = "\(commandName) \(part.commandName)"
        return part
      }
    }
  }
  var command: Command

  /// The commands of the program.
  static func commands() throws -> [Command] {
    let ended = try Program(
      ["--experimental-dump-help"], environment: ["PATH": "/usr/bin:/bin"], in: "/tmp"
    ).ended()
    let help = try JSONDecoder().decode(ProgramHelp.self, from: Data(ended.output.utf8))
    return (help.command.subcommands ?? []).filter { $0.commandName != "help" }.flatMap(\.parts)
  }
}
