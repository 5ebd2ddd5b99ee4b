import Foundation
import PackagePlugin

/// Builds a target's text files into the program, each as one string literal.
///
/// `load_file.sql` becomes the constant `SQLFile.loadFile`, and `SQLFile.all` lists these
/// constants; the target itself declares the struct `SQLFile`. Any other file, such as `page.css`,
/// becomes `PackageResources.page_css`, the name that SwiftPM's own `embedInCode` would give it.
/// `embedInCode` writes an array with one number per byte, and the compiler needs most of a minute
/// for it.
@main
struct EmbedText: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? SwiftSourceModuleTarget else { return [] }
    let files = target.sourceFiles.map(\.url).filter { $0.pathExtension != "swift" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
    let kinds = [
      ("SQLFile+Constants.swift", Self.constants, files.filter { $0.pathExtension == "sql" }),
      ("PackageResources.swift", Self.resources, files.filter { $0.pathExtension != "sql" }),
    ]
    return kinds.filter { !$0.2.isEmpty }.map { name, script, files in
      let output = context.pluginWorkDirectoryURL.appending(path: name)
      return .buildCommand(
        displayName: "Embedding texts of \(target.name) in \(name)",
        executable: URL(filePath: "/bin/sh"),
        arguments: ["-c", script, output.path] + files.map(\.path),
        inputFiles: files,
        outputFiles: [output])
    }
  }

  /// Writes the SQL files in its arguments into the output file, each as a constant of `SQLFile`.
  ///
  /// The first sentence of the comment at the beginning of a file is the summary of its constant.
  /// A constant's name has at least two words, so it is no keyword of Swift. If two constants have
  /// the same name, the output does not compile.
  ///
  /// A literal does not include the line end before its closing quotes, so each text gets an
  /// additional line end.
  private static let constants = #"""
    exec awk '
      function constant(name,    words, count, place) {
        count = split(name, words, "_")
        name = words[1]
        for (place = 2; place <= count; place++)
          name = name toupper(substr(words[place], 1, 1)) substr(words[place], 2)
        return name
      }
      function write_constant() {
        print "  /// " summary
        print "  package static let " constant(name) " = SQLFile(\"" name "\", ##\"\"\""
        print text
        print "\"\"\"##)"
        list = list "    " constant(name) ",\n"
      }
      BEGIN { print "extension SQLFile {" }
      FNR == 1 {
        if (NR > 1) write_constant()
        name = FILENAME
        sub(".*/", "", name)
        sub("[.]sql$", "", name)
        text = summary = ""
        is_summary = 1
      }
      { text = text $0 "\n" }
      is_summary && !/^-- / { is_summary = 0 }
      is_summary {
        summary = summary (summary == "" ? "" : " ") substr($0, 4)
        if (match(summary, /[.]( |$)/)) {
          summary = substr(summary, 1, RSTART)
          is_summary = 0
        }
      }
      END {
        if (NR > 0) write_constant()
        print "  /// All SQL files, by name."
        print "  package static let all: [SQLFile] = [\n" list "  ]\n}"
      }
    ' "$@" >"$0"
    """#

  /// Writes the files in its arguments into the output file, each as a constant of
  /// `PackageResources`.
  private static let resources = #"""
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
