/// Text that is compared byte for byte, because Swift's own comparison treats é and e + ´ as equal.
struct ByteText: Hashable, Comparable, Sendable {
  let bytes: [UInt8]

  init(_ text: String) {
    bytes = Array(text.utf8)
  }

  /// Nil for nil and for the empty text.
  init?(_ text: String?) {
    guard let text, !text.isEmpty else { return nil }
    self.init(text)
  }

  var text: String {
    String(decoding: bytes, as: UTF8.self)
  }

  static func < (left: ByteText, right: ByteText) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

/// The id of a transaction, original transaction or line item: a number of any length, kept as
/// text.
struct StoreID: Hashable, Comparable, Sendable {
  let digits: ByteText

  init(_ text: String) {
    digits = ByteText(text)
  }

  init?(_ text: String?) {
    guard let digits = ByteText(text) else { return nil }
    self.digits = digits
  }

  /// A line item id; nil for empty and 0, which both mean that there is none.
  static func lineItem(_ text: String?) -> StoreID? {
    text == "0" ? nil : StoreID(text)
  }

  var text: String {
    digits.text
  }

  static func < (left: StoreID, right: StoreID) -> Bool {
    let (leftCount, rightCount) = (left.digits.bytes.count, right.digits.bytes.count)
    return leftCount == rightCount ? left.digits < right.digits : leftCount < rightCount
  }
}
