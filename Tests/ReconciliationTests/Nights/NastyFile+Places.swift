import Foundation
import Glibc
import ReconciliationTestSupport

extension NastyFile {
  /// Entries that are bad as files: their type, their compression, their name.
  static let ofPlaces: [NastyFile] = [
    NastyFile(
      "a gzip bomb", "receipts/n.json.gz", ["1 receipt too_large", " file gzip_bomb"]
    ) {
      let member = try gzipMember([UInt8](repeating: 0x78, count: 16 << 20))
      return try gzipMember([0x7b]) + member + member + member + member + member
    },
    NastyFile(
      "several gzip members, the last one cut", "receipts/n.gz",
      [
        "1 receipt status_21003", "2 receipt status_21003", "3 receipt status_21003",
        " file truncated_gzip",
      ]
    ) {
      let line = try gzipMember(Array("{\"status\":21003}\n".utf8))
      return line + line + line.dropLast(9)
    },
    NastyFile(
      "gzip followed by other bytes", "deliveries/n.gz",
      ["1 delivery bad_status", " file corrupt_gzip"]
    ) { try gzipMember(Array(delivery(#""status":"lost""#).utf8)) + [1, 2, 3] },
    NastyFile("a name that says gzip", "client/n.gz", [" file not_gzip"], "product_id\n"),
    NastyFile("a link to itself", "deliveries/loop", [" file unreadable"]) {
      symlink("loop", $0)
    },
    NastyFile("two links to each other", "deliveries/there", [" file unreadable"]) {
      // The other link is not read because of its name.
      symlink(URL(filePath: $0).lastPathComponent + "~", $0)
      symlink(URL(filePath: $0).lastPathComponent, $0 + "~")
    },
    NastyFile("a link to a folder above", "receipts/up", [" file link_outside"]) {
      symlink("../../..", $0)
    },
    NastyFile("a pipe", "catalog/pipe", [" file not_a_file"]) { mkfifo($0, 0o600) },
    NastyFile("a link to a device without an end", "client/zero", [" file link_outside"]) {
      symlink("/dev/zero", $0)
    },
    NastyFile("a link to the program's memory", "receipts/mem", [" file link_outside"]) {
      symlink("/proc/self/mem", $0)
    },
    NastyFile(
      "a name with line ends, quotes and a formula", "deliveries/=1+2\r\n\"x\",\u{1b}[2J/\n-rf",
      ["1 delivery bad_status"], delivery(#""server":"1","status":"lost""#)),
    NastyFile(
      "a name that would lead out of the inbox", "deliveries/a..%2f..\\..\\etc/passwd\n..",
      ["1 delivery bad_status"], delivery(#""server":"2","status":"lost""#)),
    NastyFile(
      "a whole log in the wrong folder", "receipts/log.csv", [" file wrong_folder"],
      "\(header)\n\(row)\n"),
  ]
}
