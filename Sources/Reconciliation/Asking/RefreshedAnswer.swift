import Foundation
import Intake

/// Apple's answer about a receipt as a file of the inbox: one more piece of evidence.
struct RefreshedAnswer {
  /// Where the answers of all days lie, below the inbox; nothing is asked about from there.
  static let folder = "receipts/refreshed"

  let receipt: RawReceipt
  let answer: [UInt8]
  let receivedAt: Date

  /// Removes what a killed refresh left beside the answers of its day.
  static func removeRemains(in inbox: String) {
    let days = (try? FileManager.default.contentsOfDirectory(atPath: "\(inbox)/\(folder)")) ?? []
    for day in days { DurableFile.removeRemains(in: "\(inbox)/\(folder)/\(day)") }
  }

  /// Writes the file; it appears whole.
  ///
  /// - Returns: The path below the inbox.
  func put(into inbox: String) throws -> String {
    let time = receivedAt.ISO8601Format()
    let name = receipt.hash.hexadecimal
    let day = "\(Self.folder)/\(time.prefix(10))"
    var path = "\(day)/\(name).json"
    if FileManager.default.fileExists(atPath: "\(inbox)/\(path)") {
      // An earlier answer of the day stays: the files are the truth.
      path = "\(day)/\(name)-\(time.dropFirst(11).filter(\.isNumber)).json"
    }
    try DurableFile.write(try envelope(time), to: "\(inbox)/\(path)")
    return path
  }

  private func envelope(_ time: String) throws -> [UInt8] {
    let members = [
      ("received_at", time), ("account_id", receipt.accountID), ("device_id", receipt.deviceID),
      ("storefront", receipt.storefront),
    ]
    var text = "{"
    for case (let name, let value?) in members {
      let encoded = try JSONEncoder().encode(value)
      text += "\"\(name)\":\(String(decoding: encoded, as: UTF8.self)),"
    }
    return [UInt8]("\(text)\"verifyReceiptResponse\":".utf8) + answer + [UInt8]("}\n".utf8)
  }
}

extension [UInt8] {
  /// Two digits a byte, in lower case.
  var hexadecimal: String {
    map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
