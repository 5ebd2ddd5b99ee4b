import Foundation
import Intake
import LibCrypto
import SigningTestSupport
import Testing

/// Evidence in the encodings that tools and databases write.
@Suite("Encoded evidence")
struct EncodedTextTests {
  private static func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
    ([0xfeff] + Array(text.utf16)).flatMap { unit in
      let bytes = [UInt8(unit >> 8), UInt8(unit & 0xff)]
      return isBigEndian ? bytes : bytes.reversed()
    }
  }

  private static func wrapped(_ text: String, _ width: Int, _ end: String = "\n") -> String {
    var lines: [String] = []
    var rest = text[...]
    while !rest.isEmpty {
      lines.append(String(rest.prefix(width)))
      rest = rest.dropFirst(width)
    }
    return lines.joined(separator: end) + end
  }

  @Test("UTF-16 with a byte order mark gives the same rows as UTF-8, in every folder")
  func utf16() throws {
    let files: [(Folder, String)] =
      try EvidenceDocument.all().map { (.receipts, $0.text) } + [
        (
          .deliveries,
          DeliveryTests.header + ",error\r\nd,1,a,failed,2026-11-19T03:04:05Z,\"é🎉\"\r\n"
        ),
        (.client, ClientTests.reportHeader + "\na,2026-11-19T03:04:05Z,1\n"),
        (.catalog, #"["a","ü"]"#),
        (.catalog, "<plist><array><string>a</string><string>ü</string></array></plist>"),
        (.receipts, FileTests.document + "\n" + FileTests.document + "\n"),
      ]
    for (folder, text) in files {
      let expected = try stage(text, in: folder, OwnStore.settings())
      for isBigEndian in [true, false] {
        let bytes = Self.utf16(text, isBigEndian: isBigEndian)
        for blockBytes in [1, 1 << 20] {
          let settings = try OwnStore.settings(blockBytes: blockBytes)
          #expect(try stage(bytes, in: folder, settings) == expected, "\(text)")
        }
        #expect(try stage(gzip(bytes), in: folder, OwnStore.settings()) == expected, "\(text)")
      }
    }
  }

  @Test("a property list in UTF-16 can say that it is", arguments: ["UTF-16", "utf-16"])
  func declared(encoding: String) throws {
    let list = "<plist><array><string>a</string><string>ü</string></array></plist>"
    let text = "<?xml version=\"1.0\" encoding=\"\(encoding)\"?>\n\(list)"
    let expected = try stage(list, in: .catalog)
    #expect(!expected.catalogue.isEmpty)
    #expect(try stage(Self.utf16(text, isBigEndian: true), in: .catalog) == expected)
  }

  @Test("invalid UTF-16 rejects only its record")
  func brokenUTF16() throws {
    let document = FileTests.document + "\n"
    var bytes = Self.utf16(document, isBigEndian: false)
    bytes += [0x00, 0xd8, 0x7b, 0x00, 0x0a, 0x00]
    bytes += Self.utf16(document, isBigEndian: false).dropFirst(2)
    let staged = try stage(bytes, in: .receipts)
    #expect(staged.documents.count == 2 && staged.rejections.count == 1)
    let odd = try stage(bytes + [0x7b], in: .receipts)
    #expect(odd.documents.count == 2 && odd.rejections.count == 2)
  }

  @Test(
    "a receipt is read from hexadecimal digits, PEM, a data URI, a form, quotes, or a line",
    arguments: ReceiptForm.Encoding.allCases)
  func receipts(encoding: ReceiptForm.Encoding) throws {
    var form = ReceiptForm()
    form.encoding = encoding
    let receipt = try OwnStore.authority.get().appReceipt(OwnStore.receipt, form: form)
    let expected = ShapedRows(try stage(receipt, in: .receipts, OwnStore.settings()))
    #expect(expected.evidence.count == 2)
    let text = base64(receipt)
    let escaped = text.replacing("+", with: "%2B").replacing("/", with: "%2F")
      .replacing("=", with: "%3D")
    let hex = receipt.hexadecimal
    let pem = Self.wrapped(text, 64)
    let files = [
      hex, hex.uppercased() + "\n", "\\x" + hex, "\\\\x" + hex, "0x" + hex, "\"\\\\x\(hex)\"",
      "-----BEGIN PKCS7-----\n\(pem)-----END PKCS7-----\n",
      "-----BEGIN CMS-----\r\n\(Self.wrapped(text, 64, "\r\n"))-----END CMS-----\r\n",
      "data:application/octet-stream;base64,\(text)", "receipt-data=\(escaped)&password=x",
      "receipt-data=\(text)", "password=x&receipt-data=\(escaped)\n", "\"\(text)\"",
      "\"\(text)\"\n",
      #"{"receipt-data":"\#(hex)"}"#, #"{"receipt-data":"data:;base64,\#(text)"}"#,
      #"{"receipt-data":\#(try json("-----BEGIN PKCS7-----\n\(pem)-----END PKCS7-----"))}"#,
    ]
    for file in files {
      let staged = try stage(file, in: .receipts, OwnStore.settings())
      #expect(ShapedRows(staged) == expected, "\(file.prefix(60))")
    }
    for end in ["\n", "\r\n"] {
      let staged = try stage(receipt + Array(end.utf8), in: .receipts, OwnStore.settings())
      #expect(ShapedRows(staged) == expected)
    }
  }

  @Test("a receipt of iOS 6 is read from PEM")
  func propertyListInPEM() throws {
    let list = try OwnStore.authority.get().transactionReceipt(OwnStore.purchaseFields)
    let text = base64(list)
    let expected = ShapedRows(try stage(text, in: .receipts, OwnStore.settings()))
    #expect(expected.evidence.count == 1)
    for end in ["\n", "\r\n"] {
      for body in [
        Self.wrapped(text, 64, end), Self.wrapped(text, 76, end), text + end,
      ] {
        let pem = "-----BEGIN RECEIPT-----\(end)\(body)-----END RECEIPT-----"
        for file in [pem, pem + end, #"{"receipt-data":\#(try json(pem))}"#] {
          let staged = try stage(file, in: .receipts, OwnStore.settings())
          #expect(ShapedRows(staged) == expected, "\(file.prefix(100)): \(staged.rejections)")
        }
      }
    }
  }

  @Test("a signed text that is wrapped at any column is one text", arguments: [40, 64, 76, 500])
  func wrappedSignedText(width: Int) throws {
    let signed = try OwnStore.sign(OwnStore.payload())
    let expected = ShapedRows(try stage(signed, in: .receipts, OwnStore.settings()))
    for end in ["\n", "\r\n"] {
      let text = Self.wrapped(signed, width, end)
      #expect(
        ShapedRows(try stage(text, in: .receipts, OwnStore.settings())) == expected, "\(width)")
      #expect(
        ShapedRows(
          try stage(#"{"body":\#(try json(text))}"#, in: .receipts, OwnStore.settings()))
          == expected)
    }
  }
}
