import Configuration
import DamageTestSupport
import Foundation
import NightRun
import ReconciliationTestSupport
import Reports
import Runs
import Testing

@Suite("Closed periods in the chain of manifests") struct ClosedFilesTests {
  /// October closed and approved, and a night that published after it.
  private func october() throws -> TestNight { try TestNight(copyOf: Self.certified.get()) }

  /// The night that is copied; no test connects to its database.
  nonisolated(unsafe) private static let certified: Result<TestNight, any Error> = Result {
    let night = try TestNight.october()
    let acts = try ClosingActs.of(night)
    _ = try acts.close(Period("2026-10"))
    _ = try acts.approve(Period("2026-10"))
    return night.removedAtExit()
  }

  private func reports(_ night: TestNight) -> PublishedReports { PublishedReports(night.reports) }

  /// The names of the files of closed periods in the manifest of a day, in its order.
  private func closed(_ night: TestNight, _ day: String) throws -> [Substring] {
    let text = String(decoding: try reports(night).bytes("\(day)/manifest.json"), as: UTF8.self)
    let list = try #require(text.firstMatch(of: /"closed":\[(.*?)\]/)?.1)
    return list.matches(of: /"name":"(.*?)"/).map(\.1)
  }

  @Test("the next edition names the packs and certificates; until then a note names them")
  func named() throws {
    let night = try october()
    defer { withExtendedLifetime(night) {} }
    #expect(try closed(night, "2026-11-02") == [])
    #expect(
      try reports(night).verify().notes
        == [
          "2 packs and certificates of closed periods are in no manifest yet: "
            + "2026-10, 2026-10.certificate-1.json"
        ])
    try night.transactions(
      TestNight.sales + "3 | map | 2026-10-12 10:00 | 4.00 | USD | 2026-10-12 10:00 |")
    try night.run(asOf: "2026-11-03 03:00")
    #expect(try closed(night, "2026-11-03") == ["2026-10", "2026-10.certificate-1.json"])
    #expect(try reports(night).verify().notes == [])
    // Approved once more, reopened, and closed again: nothing that was named goes.
    _ = try ClosingActs.of(night).approve(Period("2026-10"))
    #expect(
      try reports(night).verify().notes
        == [
          "1 pack or certificate of a closed period is in no manifest yet: "
            + "2026-10.certificate-2.json"
        ])
    try ClosingActs.of(night).reopen(Period("2026-10"), because: "a test")
    _ = try ClosingActs.of(night).close(Period("2026-10"))
    try night.run(asOf: "2026-11-04 03:00")
    #expect(
      try closed(night, "2026-11-04") == [
        "2026-10", "2026-10.2", "2026-10.certificate-1.json", "2026-10.certificate-2.json",
      ])
    #expect(try reports(night).verify().notes == [])
  }

  @Test("a pack or certificate that is missing or is another one is a fault")
  func changed() throws {
    let night = try october()
    defer { withExtendedLifetime(night) {} }
    try night.run(asOf: "2026-11-03 03:00")
    let published = reports(night)
    let certificate = "closed/2026-10.certificate-1.json"
    let bytes = try published.bytes(certificate)
    // Another approver, in the form that the program writes.
    let text = String(decoding: bytes, as: UTF8.self)
    let forged = text.replacing(/"approved_by":"[^"]*"/, with: #""approved_by":"nobody""#)
    #expect(forged != text)
    try published.write(Array(forged.utf8), certificate)
    var fault = try #require(try published.fault())
    #expect(
      fault.contains("/\(certificate) should have the SHA-256 \(PublishedReports.hash(bytes))"))
    #expect(fault.contains("/2026-11-03/manifest.json says"), "\(fault)")
    try published.remove(certificate)
    fault = try #require(try published.fault())
    #expect(fault.contains("/\(certificate) is missing:"), "\(fault)")
    try published.write(bytes, certificate)
    #expect(try published.fault() == nil)
    // A pack with correct checksums of its own, and no certificate that contradicts it.
    try published.forgePack("2026-10")
    fault = try #require(try published.fault())
    #expect(fault.contains("closed/2026-10/manifest.json"), "\(fault)")
    try published.remove(certificate)
    fault = try #require(try published.fault())
    #expect(fault.contains("closed/2026-10/manifest.json should have the SHA-256"), "\(fault)")
    try published.remove("closed")
    fault = try #require(try published.fault())
    #expect(fault.contains("closed/2026-10/manifest.json is missing:"), "\(fault)")
    // An archive of the days alone.
    try published.remove("editions.txt")
    #expect(try published.fault() == nil)
  }

  @Test("a certificate that was changed before the next night is found by that night's manifest")
  func changedBeforeItIsNamed() throws {
    let night = try october()
    defer { withExtendedLifetime(night) {} }
    let certificate = "closed/2026-10.certificate-1.json"
    let text = String(decoding: try reports(night).bytes(certificate), as: UTF8.self)
    try reports(night).write(
      Array(text.replacing(/"approved_at":"2/, with: #""approved_at":"1"#).utf8), certificate)
    try night.run(asOf: "2026-11-03 03:00")
    let fault = try #require(try reports(night).fault())
    #expect(fault.contains("/\(certificate) should have the SHA-256"), "\(fault)")
  }

  @Test("a pack alone is verified as a pack, whatever the name of its folder is")
  func alone() throws {
    let night = try october()
    defer { withExtendedLifetime(night) {} }
    let published = reports(night)
    try FileManager.default.copyItem(
      at: published.folder.appending(path: "closed/2026-10"),
      to: published.folder.appending(path: "closed/sent"))
    for path in ["closed/2026-10", "closed/sent"] {
      let result = try published.verify(path)
      #expect(result.isPack && result.packs == 1 && result.files == 5 && result.proven == 0)
      #expect(throws: ReconciliationError.self) {
        try published.verify(path, anchor: published.folder.appending(path: "editions.txt"))
      }
      for file in ["period.csv", "manifest.json", "SHA256SUMS"] {
        let right = try published.bytes("\(path)/\(file)")
        for wrong in [right.dropLast(), right + [10]] {
          try published.write(Array(wrong), "\(path)/\(file)")
          let fault = try published.fault(path)
          #expect(fault?.contains("\(path)/\(file) ") == true, "\(file): \(fault ?? "nothing")")
        }
        try published.write(right, "\(path)/\(file)")
      }
    }
    try published.remove("closed/2026-10/manifest.json")
    #expect(try published.fault("closed/2026-10")?.contains("manifest.json is missing.") == true)
  }

  @Test("a manifest names only what is in its own reports folder")
  func otherFolder() throws {
    let night = try october()
    defer { withExtendedLifetime(night) {} }
    let other = night.folder.appending(path: "other")
    night.settings.reports = other.path
    try night.run(asOf: "2026-11-03 03:00")
    #expect(try PublishedReports(other).verify().notes == [])
    night.settings.reports = night.reports.path
    try night.run(asOf: "2026-11-04 03:00")
    #expect(try closed(night, "2026-11-04").count == 2)
    #expect(try reports(night).verify().notes == [])
  }
}

extension PublishedReports {
  /// Changes an amount of a pack, and corrects its manifest and checksums.
  fileprivate func forgePack(_ name: String) throws {
    let path = "closed/\(name)"
    let old = try bytes("\(path)/period.csv")
    let new = Array(String(decoding: old, as: UTF8.self).replacing("1.00", with: "7.00").utf8)
    try #require(new != old)
    try write(new, "\(path)/period.csv")
    var pairs = [(Self.hash(old), Self.hash(new))]
    for file in ["manifest.json", "SHA256SUMS"] {
      let before = try bytes("\(path)/\(file)")
      var text = String(decoding: before, as: UTF8.self)
      for (one, other) in pairs { text = text.replacing(one, with: other) }
      try write(Array(text.utf8), "\(path)/\(file)")
      pairs.append((Self.hash(before), Self.hash(Array(text.utf8))))
    }
  }
}
