import CLinux
import ExactText
import Glibc

extension OpenFolder {
  /// Opens a path below this folder, and nothing outside it.
  ///
  /// Links are followed while they lead to something below this folder. Each name is looked up in a
  /// folder that is held open. So it has no effect if another user replaces a folder with a link.
  ///
  /// - Parameter flags: Those of `open`; `O_NOFOLLOW` and `O_CLOEXEC` are added.
  /// - Throws: ``FileSystemError``; with `EXDEV` if a link leads out of the folder.
  func open(beneath path: String, _ flags: Int32) throws(FileSystemError) -> Int32 {
    // One call is enough if there is no link in the path. With O_NOFOLLOW it would open a link
    // itself.
    let opened = retrying { tieoutOpenBeneath(descriptor, path, flags | O_CLOEXEC) }
    if opened >= 0 { return opened }
    // The path has a link, the kernel lacks the call or forbids it in a container, or a file was
    // renamed during the call.
    guard [ELOOP, ENOTDIR, EXDEV, EAGAIN, ENOSYS, EPERM].contains(errno) else {
      throw FileSystemError(path, "opened", code: errno)
    }
    return try walk(beneath: path, flags | O_NOFOLLOW | O_CLOEXEC)
  }

  /// Does the same without `openat2`, one name after another.
  ///
  /// After a link the walk starts again with the path to which the link leads.
  func walk(beneath path: String, _ flags: Int32) throws(FileSystemError) -> Int32 {
    var names = try Self.normal(path.parts(between: "/"), path)
    for _ in 0...Self.mostLinks {
      switch try walk(over: names, path, flags) {
      case .opened(let descriptor): return descriptor
      case .link(let place, let target):
        var rest = Array(names[(place + 1)...])
        if target.begins(withBytesOf: "/") {
          guard let below = Self.part(of: target, below: self.path) else { throw .leadsOut(path) }
          rest = below + rest
        } else {
          rest = names[..<place] + target.parts(between: "/") + rest
        }
        names = try Self.normal(rest, path)
      }
    }
    throw FileSystemError(path, "opened", code: ELOOP)
  }

  private enum Step {
    case opened(Int32)
    /// The name at this place is a link with this target.
    case link(Int, String)
  }

  private func walk(
    over names: [String], _ path: String, _ flags: Int32
  ) throws(FileSystemError) -> Step {
    var folder = openat(descriptor, ".", tieoutOpenPath | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw FileSystemError(path, "opened", code: errno) }
    for (place, name) in names.enumerated() {
      let isLast = place == names.count - 1
      let wanted = isLast ? flags : tieoutOpenPath | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
      let next = retrying { openat(folder, name, wanted) }
      let code = errno
      defer { folder = next }
      defer { close(folder) }
      // With tieoutOpenPath a link is opened and not refused.
      if next < 0 || isLast && wanted & tieoutOpenPath != 0 {
        if let target = Self.target(ofLink: name, in: folder) {
          if next >= 0 { close(next) }
          return .link(place, target)
        }
        guard next >= 0 else { throw FileSystemError(path, "opened", code: code) }
      }
    }
    return .opened(folder)
  }

  /// The names of a path without `.` and `..`; throws if `..` leads out of the folder.
  private static func normal(
    _ names: [String], _ path: String
  ) throws(FileSystemError) -> [String] {
    var normal: [String] = []
    for name in names where name != "." {
      if name != ".." {
        normal.append(name)
      } else if normal.popLast() == nil {
        throw .leadsOut(path)
      }
    }
    return normal
  }

  /// The names after a folder in an absolute path; nil if the path leads elsewhere.
  private static func part(of target: String, below folder: String) -> [String]? {
    let names = target.parts(between: "/")
    let above = folder.parts(between: "/")
    guard folder.begins(withBytesOf: "/"), names.starts(with: above, by: { $0.isExactly($1) })
    else { return nil }
    return Array(names.dropFirst(above.count))
  }
}
