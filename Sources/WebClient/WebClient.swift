import CCurl
import Effects
import WebHosts

/// Sends requests to web servers, one at a time.
///
/// Connections stay open for the next request.
///
/// The first client of the process initializes libcurl and its TLS library, so that a run without
/// requests does not need the time for it. Proxies come from the environment, as libcurl documents
/// it (`https_proxy`, `no_proxy`, …). All calls block. A client is for one thread at a time.
package final class WebClient {
  private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  private let userAgent: String
  private let shouldStop: () -> Bool
  private let curl: UnsafeMutableRawPointer?

  /// Creates a client.
  ///
  /// - Parameters:
  ///   - userAgent: The User-Agent header, such as `tieout/1.0.0`.
  ///   - shouldStop: Called about once a second; true ends the transfer.
  package init(userAgent: String, shouldStop: @escaping () -> Bool) {
    self.userAgent = userAgent
    self.shouldStop = shouldStop
    curl = Self.isReady ? curl_easy_init() : nil
  }

  deinit {
    if let curl { curl_easy_cleanup(curl) }
  }

  /// Sends a request and waits for the complete answer.
  ///
  /// Any HTTP status is an answer.
  package func ask(_ request: WebRequest) throws(WebError) -> WebAnswer {
    guard let curl else { throw WebError(.unreachable, "libcurl cannot be set up") }
    if Effect.question.systemError(request.address) != nil {
      throw WebError(.unreachable, "refused by a test")
    }
    // libcurl must not keep the pointers that it gets below.
    defer { curl_easy_reset(curl) }
    let transfer = Transfer(limitBytes: request.limitBytes, shouldStop: shouldStop)
    var words = [CChar](repeating: 0, count: Int(CURL_ERROR_SIZE))
    let lines = headerList(of: request)
    defer { curl_slist_free_all(lines) }
    let result = withExtendedLifetime(transfer) {
      words.withUnsafeMutableBufferPointer { words in
        (request.body ?? []).withUnsafeBufferPointer { body in
          setUp(curl, request)
          receive(curl, transfer)
          tieoutCurlSetPointer(curl, CURLOPT_ERRORBUFFER, words.baseAddress)
          tieoutCurlSetPointer(curl, CURLOPT_HTTPHEADER, lines)
          if request.body != nil {
            tieoutCurlSetNumber(curl, CURLOPT_POST, 1)
            tieoutCurlSetPointer(curl, CURLOPT_POSTFIELDS, body.baseAddress)
            tieoutCurlSetSize(curl, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
          }
          return curl_easy_perform(curl)
        }
      }
    }
    guard result == CURLE_OK else { throw error(result, transfer, words) }
    guard transfer.isHeaderWhole else { throw WebError(.unreachable, "the answer broke off") }
    var status = 0
    tieoutCurlStatus(curl, &status)
    var retryAfter: curl_off_t = 0
    tieoutCurlRetryAfter(curl, &retryAfter)
    return WebAnswer(
      status: status, headers: transfer.headers, retryAfter: Int(retryAfter), body: transfer.body)
  }

  private func headerList(of request: WebRequest) -> UnsafeMutablePointer<curl_slist>? {
    var list: UnsafeMutablePointer<curl_slist>?
    // Without this, libcurl waits a second for a `100 Continue` before it sends a large body. Many
    // servers never send that answer.
    for line in request.headers + (request.body == nil ? [] : ["Expect:"]) {
      list = curl_slist_append(list, line)
    }
    return list
  }

  private func setUp(_ curl: UnsafeMutableRawPointer, _ request: WebRequest) {
    let isEncrypted = request.address.lowercased().hasPrefix("https:")
    let texts = [
      (CURLOPT_URL, request.address), (CURLOPT_USERAGENT, userAgent),
      (CURLOPT_PROTOCOLS_STR, "http,https"),
      (CURLOPT_REDIR_PROTOCOLS_STR, isEncrypted ? "https" : "http,https"),
      // All encodings that libcurl can decompress; the limit counts decompressed bytes.
      (CURLOPT_ACCEPT_ENCODING, ""),
    ]
    // A secret for this machine must not go to a proxy.
    let own = Self.isOfThisMachine(request.address) ? [(CURLOPT_NOPROXY, "*")] : []
    // libcurl copies these strings.
    for (option, text) in texts + own {
      _ = text.withCString { tieoutCurlSetPointer(curl, option, $0) }
    }
    let connect = Int(request.patience.connect / .milliseconds(1))
    let total = Int(request.patience.total / .milliseconds(1))
    let slow = Int(request.patience.slow / .seconds(1))
    let numbers = [
      (CURLOPT_NOSIGNAL, 1), (CURLOPT_NOPROGRESS, 0),
      (CURLOPT_FOLLOWLOCATION, request.followsRedirects ? 1 : 0), (CURLOPT_MAXREDIRS, 5),
      (CURLOPT_CONNECTTIMEOUT_MS, connect), (CURLOPT_TIMEOUT_MS, total),
      (CURLOPT_LOW_SPEED_LIMIT, 100), (CURLOPT_LOW_SPEED_TIME, slow),
      (
        CURLOPT_NETRC,
        Int(
          request.takesNamesFromNetrc ? CURL_NETRC_OPTIONAL.rawValue : CURL_NETRC_IGNORED.rawValue)
      ),
    ]
    for (option, number) in numbers { tieoutCurlSetNumber(curl, option, number) }
  }

  /// Whether an address names this machine itself, as libcurl reads the address.
  static func isOfThisMachine(_ address: String) -> Bool {
    guard let url = curl_url() else { return false }
    defer { curl_url_cleanup(url) }
    var found: UnsafeMutablePointer<CChar>?
    defer { curl_free(found) }
    guard curl_url_set(url, CURLUPART_URL, address, 0) == CURLUE_OK,
      curl_url_get(url, CURLUPART_HOST, &found, 0) == CURLUE_OK, let host = found
    else { return false }
    return WebHost.isThisMachine(String(cString: host))
  }

  private func receive(_ curl: UnsafeMutableRawPointer, _ transfer: Transfer) {
    let context = Unmanaged.passUnretained(transfer).toOpaque()
    tieoutCurlSetPointer(curl, CURLOPT_WRITEDATA, context)
    tieoutCurlSetReceiver(curl, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      guard let bytes, let context else { return 0 }
      let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      return transfer.take(UnsafeRawBufferPointer(start: bytes, count: size * count))
        ? size * count : 0
    }
    tieoutCurlSetPointer(curl, CURLOPT_HEADERDATA, context)
    tieoutCurlSetReceiver(curl, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      guard let bytes, let context else { return 0 }
      let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      transfer.takeHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
      return size * count
    }
    tieoutCurlSetPointer(curl, CURLOPT_XFERINFODATA, context)
    tieoutCurlSetProgress(curl) { context, _, _, _, _ in
      guard let context else { return 1 }
      return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().goesOn() ? 0 : 1
    }
  }

  private func error(_ result: CURLcode, _ transfer: Transfer, _ words: [CChar]) -> WebError {
    if transfer.isStopped { return WebError(.stopped, "stopped") }
    if transfer.isTooLarge { return WebError(.tooLarge, "the answer is larger than allowed") }
    let said = String(
      decoding: words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let message = said.isEmpty ? String(cString: curl_easy_strerror(result)) : said
    return switch result {
    case CURLE_OPERATION_TIMEDOUT: WebError(.timedOut, message)
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT: WebError(.otherProtocol, message)
    default: WebError(.unreachable, message)
    }
  }
}
