import Foundation
import Testing

@Suite("Dependencies and their licences")
struct DependencyTests {
  private struct Dependency: Hashable {
    let name: String
    let rule: String
    let version: String
  }

  private static let manifests = [
    "Package.swift", "Benchmarks/Package.swift", "Fuzzing/Package.swift",
  ]

  /// The packages in a manifest.
  private static func packages(of manifest: String) throws -> [Dependency] {
    try Repository.text(manifest)
      .matches(of: /\.package\(\s*url: "[^"]*\/([^"\/]+)", (\w+): "([^"]+)"/)
      .map { Dependency(name: "\($0.1)", rule: "\($0.2)", version: "\($0.3)") }
  }

  @Test("packages have exact versions, the same in each manifest")
  func exact() throws {
    var versions: [String: String] = [:]
    for manifest in Self.manifests {
      let packages = try Self.packages(of: manifest)
      let urls = try Repository.text(manifest).matches(of: /url:/).count
      #expect(packages.count == urls, "\(manifest) has a package whose version is not understood")
      for package in packages {
        #expect(package.rule == "exact", "\(manifest): \(package.name)")
        #expect(
          versions[package.name] ?? package.version == package.version,
          "\(manifest): \(package.name)")
        versions[package.name] = package.version
      }
    }
    #expect(!versions.isEmpty)
  }

  @Test("docs/licences.md lists each package with its version, and no other")
  func packages() throws {
    let page = MarkdownText(try Repository.text("docs/licences.md"))
    let packages = try Self.packages(of: "Package.swift")
    #expect(page.names(inTableOf: "package") == packages.map(\.name))
    for package in packages {
      #expect(page.text.contains("\n| `\(package.name)` | \(package.version) | "), "\(package)")
    }
    for package in try Self.manifests.flatMap({ try Self.packages(of: $0) }) {
      #expect(page.text.contains("`\(package.name)`"), "\(package)")
    }
  }

  @Test("docs/licences.md lists each linked library, and no other")
  func libraries() throws {
    let manifest = try Repository.text("Package.swift")
    let linked =
      manifest.matches(of: /pkgConfig: "([^"]+)"/).map { String($0.1) }
      + manifest.matches(of: /linkedLibrary\("([^"]+)"/).map { String($0.1) }
    #expect(linked.count >= 7)
    let page = MarkdownText(try Repository.text("docs/licences.md"))
    #expect(page.names(inTableOf: "library").sorted() == linked.sorted())
  }

  @Test("each library's package is one that scripts/install-needed installs")
  func installed() throws {
    let script = try Repository.text("scripts/install-needed")
    let packages = try Repository.text("docs/licences.md").matches(of: /\| `([a-z0-9-]+-dev)` \|/)
    #expect(packages.count >= 7)
    for package in packages { #expect(script.contains(" \(package.1) "), "\(package.1)") }
  }
}
