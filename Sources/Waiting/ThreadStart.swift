import Glibc

/// The system allows no further thread.
package struct ThreadError: Error, CustomStringConvertible {
  /// The system's error text.
  let words: String

  /// One line for people: the problem, and what to do.
  package var description: String {
    """
    The system allows no further thread (\(words)). End other programs, or allow more processes and threads \
    (TasksMax of a systemd unit, --pids-limit of a container, ulimit -u), and run again.
    """
  }
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
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  if let stackBytes { pthread_attr_setstacksize(&attributes, stackBytes) }
  // The thread takes over the work, and frees it.
  let given = Unmanaged.passRetained(Work(work))
  var thread = pthread_t()
  let failure = pthread_create(
    &thread, &attributes,
    { pointer in
      guard let pointer else { return nil }
      Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().work()
      return nil
    }, given.toOpaque())
  guard failure == 0 else {
    given.release()
    throw ThreadError(words: String(cString: strerror(failure)))
  }
  pthread_detach(thread)
}

/// The work of a thread.
private final class Work {
  let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) {
    self.work = work
  }
}
