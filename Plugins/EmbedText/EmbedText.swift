import Foundation
import PackagePlugin

/// Builds a target's text files into the program, each as one string literal.
///
/// `judge_member.sql` becomes `PackageResources.judge_member_sql`, the name that SwiftPM's own
/// `embedInCode` would give it. `embedInCode` writes an array with one number per byte, and the
/// compiler needs most of a minute for it.
@main
struct EmbedText: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? SwiftSourceModuleTarget else { return [] }
    let files = target.sourceFiles.map(\.url).filter { $0.pathExtension != "swift" }
      .sorted { $0.path < $1.path }
    let output = context.pluginWorkDirectoryURL.appending(path: "PackageResources.swift")
    return [
      .buildCommand(
        displayName: "Embedding the texts of \(target.name)",
        executable: URL(filePath: "/bin/sh"),
        arguments: ["-c", Self.script, output.path] + files.map(\.path),
        inputFiles: files,
        outputFiles: [output])
    ]
  }

  /// Writes the files in its arguments into the output file.
  ///
  /// A literal does not include the line end before its closing quotes, so each text gets an
  /// additional line end.
  private static let script = #"""
    exec awk '
      function close_literal() { if (FILENAME != "") print "\n\"\"\"##" }
      BEGIN { print "enum PackageResources {" }
      FNR == 1 {
        if (NR > 1) close_literal()
        name = FILENAME
        sub(".*/", "", name)
        gsub("[^A-Za-z0-9]", "_", name)
        print "static let " name " = ##\"\"\""
      }
      { print }
      END { close_literal(); print "}" }
    ' "$@" >"$0"
    """#
}
