import Foundation
import Glibc

/// The machine, process and user that run the program.
package enum Host {
  /// The machine's host name as the system reports it, without a network lookup.
  ///
  /// Spaces are replaced by hyphens, because ``RunLock`` puts the name into a list of words.
  package static let name: String = {
    var bytes = [CChar](repeating: 0, count: 256)
    unsafe gethostname(&bytes, bytes.count - 1)
    let name = String(
      decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return name.replacing(" ", with: "-")
  }()
  static let processID = Int(ProcessInfo.processInfo.processIdentifier)
  /// The name of the effective user, as Foundation reports it.
  ///
  /// After `sudo` this is root, not the person who has logged in.
  package static let userName = NSUserName()
  /// The effective user and the machine, such as `anna@books-1`, for records of who did something.
  package static let person = "\(userName)@\(name)"
  /// The real user of the process as the system knows it, which no variable of the environment
  /// changes.
  package static let systemUser: String = {
    let number = getuid()
    guard let entry = unsafe getpwuid(number), let name = unsafe entry.pointee.pw_name else {
      return "\(number)"
    }
    return unsafe String(cString: name)
  }()
  /// Whether the process has root's rights.
  package static let isRoot = geteuid() == 0
}
