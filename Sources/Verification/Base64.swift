/// Base64 of RFC 4648 in both alphabets.
public enum Base64 {
  /// Decodes a receipt as apps and archives keep it.
  ///
  /// Takes the standard alphabet and that of URLs, line breaks and spaces anywhere, `%2B`, `%2F` and
  /// `%3D`, with or without padding.
  ///
  /// - Returns: The bytes, or nothing if it is not base64.
  public static func decoded(_ text: Span<UInt8>) -> [UInt8]? { nil }
}
