import CLinux
import Configuration
import Foundation

/// The environment that the program was started with.
///
/// As soon as the program has read the secrets, it overwrites them in its environment. So neither
/// its child processes nor `/proc/self/environ` contain them.
enum ProgramEnvironment {
  /// All variables, including secrets.
  static let variables = take()

  /// libpq's variable for the password.
  static let passwordVariable = "PGPASSWORD"

  private static func take() -> [String: String] {
    let variables = ProcessInfo.processInfo.environment
    let secret = Setting.all.filter(\.mayHoldSecret).map(\.variable)
    for name in secret + [SharedSecret.variable, passwordVariable] {
      unsafe tieoutForgetVariable(name)
    }
    return variables
  }
}
