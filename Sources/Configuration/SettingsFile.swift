import FileSystem
import Foundation
import Glibc
import YAML
import Yams

/// The content of a YAML file, in its order.
struct SettingsFile {
  let path: String

  /// The maximum size; a larger file is not a settings file and was named by mistake.
  private static let largest = 1 << 20

  /// How the file was named.
  enum Naming {
    /// By `--config`: it has to exist, and the option is wrong if it does not.
    case byOption
    /// By `TIEOUT_CONFIG`: it has to exist.
    case byVariable
    /// Not named: the default file is read if it exists.
    case byDefault
  }

  func read(sought naming: Naming) throws(ConfigurationError) -> [GivenSetting] {
    guard exists else {
      guard naming != .byDefault else { return [] }
      throw ConfigurationError(
        place: path.isEmpty ? "settings file \"\"" : path, problem: "there is no such file",
        remedy: "name an existing settings file, or leave it out", isUsage: naming == .byOption)
    }
    let root: Node?
    let text = try content()
    do { root = try YAML.root(of: text) } catch {
      throw unreadable(error, text)
    }
    guard let root, root.null == nil else { return [] }
    guard let mapping = root.mapping else {
      throw ConfigurationError(
        place: "\(path):\(root.mark?.line ?? 1)", problem: "there is no setting",
        remedy: "write each setting as `key: value`, with a blank after the colon")
    }
    return mapping.map { key, value in
      GivenSetting(
        key: key.string ?? "", value: GivenValue(value),
        place: .file(path, line: key.mark?.line ?? 1))
    }
  }

  /// Whether something with that name exists, even if it is a link that leads nowhere.
  private var exists: Bool {
    do throws(FileSystemError) { _ = try FilePlace(anywhere: path).status() } catch {
      // In a folder that may not be searched, nobody knows: the file cannot be read then.
      return !error.isNotThere
        || (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
    }
    return true
  }

  private func content() throws(ConfigurationError) -> String {
    let bytes: [UInt8]
    do {
      // Waits for no other process: of a pipe or a device, nothing is read.
      bytes = try FilePlace(anywhere: path).contents(atMost: SettingsFile.largest)
    } catch {
      guard error.code != EFBIG else {
        throw ConfigurationError(
          place: path, problem: "the file is larger than 1 MB", remedy: "name a settings file")
      }
      throw ConfigurationError(
        place: path, problem: "the file cannot be read",
        remedy: "check that it is a file and that its permissions let this user read it")
    }
    guard let text = String(bytes: bytes, encoding: .utf8) else {
      throw ConfigurationError(
        place: path, problem: "the file is not UTF-8 text", remedy: "save it as UTF-8")
    }
    guard !YAML.hasManyAliases(bytes.span) else {
      throw ConfigurationError(
        place: path, problem: "the file uses too many aliases (`*name`)",
        remedy: "write each value out")
    }
    return text
  }

  /// The YAML parser's error, without the text of the file, which may contain a password.
  private func unreadable(_ error: any Error, _ text: String) -> ConfigurationError {
    let (line, problem): (Int?, String)
    switch error as? YamlError {
    case .scanner(_, let words, let mark, _)?, .parser(_, let words, let mark, _)?,
      .composer(_, let words, let mark, _)?:
      (line, problem) = (mark.line, words)
    case .reader(let words, let offset, _, _)?:
      (line, problem) = (offset.map { 1 + text.prefix($0).count(where: \.isNewline) }, words)
    case .duplicatedKeysInMapping(let keys, let context)?:
      return twice(keys.first ?? "", firstLine: context.mark.line, text)
    default:
      (line, problem) = (nil, "the file is not YAML")
    }
    if let line, Self.hasOnlyDash(text, line: line) {
      return ConfigurationError(
        place: "\(path):\(line)",
        problem: "the value is a dash without quotes, which begins a list",
        remedy: "write \"-\" with the quotes")
    }
    return ConfigurationError(
      place: line.map { "\(path):\($0)" } ?? path, problem: "this is not YAML: \(problem)",
      remedy: "write each setting as `key: value`, and indent with blanks instead of tabs")
  }

  /// Whether the value in a line is a dash alone.
  private static func hasOnlyDash(_ text: String, line: Int) -> Bool {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    guard lines.indices.contains(line - 1) else { return false }
    return lines[line - 1].wholeMatch(of: /[a-z_]+:[ ]+-[ ]*(#.*)?/) != nil
  }

  /// The error for a key that is given twice.
  ///
  /// The parser reports only the first place, so the second place is looked up.
  private func twice(_ key: String, firstLine: Int, _ text: String) -> ConfigurationError {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let second = lines.indices.dropFirst(firstLine).first { index in
      let unquoted = lines[index].filter { $0 != " " && $0 != "\"" && $0 != "'" }
      return unquoted.hasPrefix("\(key):")
    }
    return ConfigurationError(
      place: "\(path):\(second.map { $0 + 1 } ?? firstLine)",
      problem: "\(shownKey(key)) is given twice, first in line \(firstLine)",
      remedy: "keep one of the two")
  }
}

extension GivenValue {
  fileprivate init(_ node: Node) {
    switch node {
    case .scalar(let scalar):
      self = node.null == nil ? .text(scalar.string) : .nothing
    case .sequence(let sequence):
      let items = sequence.compactMap { $0.null == nil ? $0.scalar?.string : "" }
      self = items.count == sequence.count ? .list(items) : .nested
    case .mapping(let mapping):
      let pairs = mapping.compactMap { name, value -> (name: String, value: String)? in
        guard let name = name.scalar, let text = value.null == nil ? value.scalar?.string : ""
        else { return nil }
        return (name: name.string, value: text)
      }
      self = pairs.count == mapping.count ? .pairs(pairs) : .nested
    case .alias:
      self = .nested
    }
  }
}

/// A key for a message; it is hidden if it may be a misplaced value, such as a password.
func shownKey(_ key: String) -> String {
  let looksLikeKey =
    key.utf8.count <= 40
    && key.unicodeScalars.allSatisfy {
      $0.properties.isAlphabetic || ("0"..."9").contains($0) || "_- ".unicodeScalars.contains($0)
    }
  return looksLikeKey ? quoted(key) : "this key"
}
