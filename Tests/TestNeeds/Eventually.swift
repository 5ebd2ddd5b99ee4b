import Glibc

/// Waits until a condition holds, for about a minute at most, and returns whether it holds.
public func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  for _ in 0..<6000 {
    if try condition() { return true }
    usleep(10_000)
  }
  return try condition()
}
