#if DEBUG
  import Foundation
  import Glibc
  import Synchronization

  /// The plan of a test for the points of one process, from the environment variable
  /// `TIEOUT_EFFECTS`.
  ///
  /// Its words: the file into which the points are written (or `-`), then nothing more, or one of
  /// - `kill N`: SIGKILL right before point N;
  /// - `kill N unanswered`: SIGKILL while the server does what was sent at point N;
  /// - `stop N`: SIGTERM right before point N, which is then done;
  /// - `halt N`: SIGSTOP right before point N, which is done after a SIGCONT;
  /// - `fail N errno E`, `fail N lost`, `fail N unanswered`, `fail N state S`: point N fails;
  /// - `fails …`: point N fails, and so do all later points that can fail in this way.
  ///
  /// A release build has no such plan, and refuses the variable as an unknown setting.
  final class EffectPlan: Sendable {
    /// The plan of this process; nil if none was given.
    static let shared = EffectPlan(ProcessInfo.processInfo.environment["TIEOUT_EFFECTS"])

    private enum Action {
      case kill, stop, halt
      case fail(Fault)
    }

    private let number: Int
    private let isLasting: Bool
    private let action: Action?
    private let state: Mutex<(count: Int, list: FileHandle?)>

    init?(_ text: String?) {
      guard let words = text?.split(separator: " ").map(String.init), !words.isEmpty else {
        return nil
      }
      number = words.count > 2 ? Int(words[2]) ?? 0 : 0
      isLasting = words.count > 1 && words[1] == "fails"
      action = Self.action(words.dropFirst().map { $0 })
      let list = words[0] == "-" ? nil : Self.list(words[0])
      state = Mutex((0, list))
    }

    private static func action(_ words: [String]) -> Action? {
      switch (words.first, words.dropFirst(2).first, words.last) {
      case (nil, _, _): nil
      case ("kill", nil, _): .kill
      case ("kill", _, _): .fail(.killedUnanswered)
      case ("stop", _, _): .stop
      case ("halt", _, _): .halt
      case (_, "errno", let number): .fail(.systemError(number.flatMap { Int32($0) } ?? EIO))
      case (_, "state", let state): .fail(.refused(sqlState: state ?? ""))
      case (_, "unanswered", _): .fail(.answerLost)
      case (_, _, _): .fail(.connectionLost)
      }
    }

    private static func list(_ path: String) -> FileHandle? {
      _ = FileManager.default.createFile(atPath: path, contents: nil)
      return FileHandle(forWritingAtPath: path)
    }

    func arrive(at effect: Effect, _ what: String) -> Fault? {
      // The list is written under the same lock, so that its lines are in the order of their
      // numbers.
      let count = state.withLock { state in
        state.count += 1
        let words = what.replacing("\n", with: " ")
        try? state.list?.write(contentsOf: Data("\(effect.rawValue)\t\(words)\n".utf8))
        return state.count
      }
      guard count == number || isLasting && count > number else { return nil }
      switch action {
      case .kill: Glibc.kill(getpid(), SIGKILL)
      case .stop: Glibc.kill(getpid(), SIGTERM)
      case .halt: Glibc.kill(getpid(), SIGSTOP)
      case .fail(let fault): return fault
      case nil: break
      }
      return nil
    }
  }
#endif
