import Glibc

/// The system allows no further thread.
package struct ThreadError: Error, CustomStringConvertible {
  /// The system's error text.
  let words: String

  /// The problem.
  package var problem: String { "The system allows no further thread (\(words))." }

  /// What to do.
  package var remedy: String {
    """
    End other programs, or allow more processes and threads \
    (TasksMax of a systemd unit, --pids-limit of a container, ulimit -u), and run again.
    """
  }

  /// One line for people: the problem, and what to do.
  package var description: String { "\(problem) \(remedy)" }
}

/// Starts work on a thread of its own, for which nothing waits.
///
/// `Thread` of Foundation does not say whether the thread has started. A wait for its work would
/// then never end.
///
/// - Parameter stackBytes: The size of its stack; nil: the limit of the process (`ulimit -s`).
/// - Throws: ``ThreadError`` if the system allows no further thread.
package func startThread(
  stackBytes: Int? = nil, _ work: @escaping @Sendable () -> Void
) throws(ThreadError) {
  // The thread takes over the work, and frees it.
  let given = Unmanaged.passRetained(Work(work))
  let failure = withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { place in
    guard let attributes = place.baseAddress else { return ENOMEM }
    unsafe pthread_attr_init(attributes)
    defer { unsafe pthread_attr_destroy(attributes) }
    if let stackBytes { unsafe pthread_attr_setstacksize(attributes, stackBytes) }
    unsafe pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread: pthread_t = 0
    return unsafe pthread_create(
      &thread, attributes,
      { pointer in
        guard let pointer else { return nil }
        Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().work()
        return nil
      }, given.toOpaque())
  }
  guard failure == 0 else {
    given.release()
    throw ThreadError(words: String(cString: strerror(failure)))
  }
}

/// The work of a thread.
private final class Work {
  let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) {
    self.work = work
  }
}
