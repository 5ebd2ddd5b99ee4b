import Foundation

/// A queue between threads that holds few elements.
///
/// `put` waits while the queue is full, and `take` waits while it is empty. So memory use stays
/// constant, whichever side is slower. These waits have no limit: a side that ends early closes the
/// queue. Its variables are used only while `condition` is locked.
final class BoundedQueue<Element: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private let capacity: Int
  private var elements: [Element] = []
  private var isClosed = false

  init(capacity: Int) {
    self.capacity = capacity
  }

  /// Adds an element; false if the queue was closed and the element is not wanted.
  func put(_ element: Element) -> Bool {
    condition.lock()
    defer { condition.unlock() }
    while elements.count >= capacity, !isClosed { condition.wait() }
    guard !isClosed else { return false }
    elements.append(element)
    condition.broadcast()
    return true
  }

  /// Removes the first element; nil if the queue was closed and is empty.
  func take() -> Element? {
    condition.lock()
    defer { condition.unlock() }
    while elements.isEmpty, !isClosed { condition.wait() }
    guard !elements.isEmpty else { return nil }
    let element = elements.removeFirst()
    condition.broadcast()
    return element
  }

  /// Closes the queue: no more elements are coming, or none are wanted.
  func close(discardingElements: Bool) {
    condition.lock()
    defer { condition.unlock() }
    isClosed = true
    if discardingElements { elements.removeAll() }
    condition.broadcast()
  }
}
