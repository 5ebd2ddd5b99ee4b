/// A setting that was given, with its place.
struct GivenSetting: Sendable {
  let key: String
  let value: GivenValue
  let place: SettingPlace
}

/// The place of a setting.
enum SettingPlace: Sendable {
  case file(String, line: Int)
  case variable(String)
  case option(String)

  /// Whether it is the command line.
  var isOption: Bool {
    if case .option = self { true } else { false }
  }

  /// The place without the key.
  var text: String {
    switch self {
    case .file(let path, let line): "\(path):\(line)"
    case .variable(let name): name
    case .option(let name): name
    }
  }

  /// The place of a key's value; a variable or an option already identifies its key.
  func text(ofKey key: String) -> String {
    switch self {
    case .file: "\(text): \(key)"
    case .variable, .option: text
    }
  }
}
