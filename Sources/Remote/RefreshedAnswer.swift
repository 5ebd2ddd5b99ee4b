import FileSystem
import Foundation
import Intake
import LibCrypto
import Runs

/// Apple's answer about a receipt, as a file of the inbox: one more piece of evidence.
struct RefreshedAnswer {
  /// The folder of all answers, below the inbox; receipts in it are never asked about.
  static let folder = "receipts/refreshed"

  let receipt: RawReceipt
  let answer: [UInt8]
  let receivedAt: Date

  /// Removes unfinished files that a killed refresh left among the answers.
  static func removeRemains(in inbox: OpenFolder) {
    guard let answers = try? inbox.folder(folder), let days = try? answers.entries() else { return }
    for day in days { try? answers.folder(day.name).removeRemains() }
  }

  /// Writes the file, which appears only when it is complete.
  ///
  /// - Returns: The path below the inbox.
  /// - Throws: ``ReconciliationError`` with `reports`.
  func put(into inbox: OpenFolder) throws -> String {
    let time = receivedAt.ISO8601Format()
    let hash = receipt.hash.hexadecimal
    let day = "\(Self.folder)/\(time.prefix(10))"
    var name = "\(hash).json"
    do {
      let folder = try inbox.folder(day, making: 0o750)
      if folder.status(of: name) != nil {
        // An earlier answer of the day stays, because the files are the source of all data.
        name = "\(hash)-\(time.dropFirst(11).filter(\.isNumber)).json"
      }
      try folder.write(try envelope(time), as: name, mode: 0o640)
    } catch let error as FileSystemError {
      throw ReconciliationError(.reports, "\(error). Is the disk full?")
    }
    return "\(day)/\(name)"
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
