import Foundation
import Testing

@Suite("Modules and their arrows")
struct ModuleTests {
  private static let manifest = Result { Manifest(try Repository.text("Package.swift")) }

  @Test("the picture in CONTRIBUTING.md has the arrows of Package.swift")
  func picture() throws {
    let page = try Repository.text("CONTRIBUTING.md")
    let picture = try #require(page.firstMatch(of: /(?s)```mermaid\n(.*?)```/)?.1)
    var drawn: [String: Set<String>] = [:]
    for line in picture.split(separator: "\n").dropFirst() {
      let sides = line.split(separator: " --> ")
      try #require(sides.count == 2, "\(line)")
      let name = sides[0].trimmingCharacters(in: .whitespaces)
      #expect(drawn[name] == nil, "\(name) has two lines")
      drawn[name] = Set(sides[1].split(separator: " & ").map(String.init))
    }
    #expect(try drawn == Self.manifest.get().arrows)
    #expect(drawn.count > 10)
  }

  @Test("the table in CONTRIBUTING.md names the folder of each module and of each test support")
  func table() throws {
    let page = MarkdownText(try Repository.text("CONTRIBUTING.md"))
    let rows = page.section("Where things are").text.split(separator: "\n")
    let named = rows.filter { $0.hasPrefix("| `") }.flatMap { row in
      row.split(separator: "|")[0].matches(of: /`((?:Sources|Tests)\/\w+)`/).map { String($0.1) }
    }
    let manifest = try Self.manifest.get()
    let folders = manifest.modules.values.map(\.folder).filter { $0.hasPrefix("Sources/") }
    #expect(named.sorted() == (folders + manifest.foldersInC + manifest.supportFolders).sorted())
    #expect(manifest.foldersInC.count > 1 && manifest.supportFolders.count > 3)
  }

  @Test("a module or test imports the modules that Package.swift names for it, and each of them")
  func imports() throws {
    let manifest = try Self.manifest.get()
    #expect(manifest.tests.count > 15)
    let all = manifest.modules.merging(manifest.tests) { module, _ in module }
    let products = Set(all.values.flatMap(\.products))
    for (name, module) in all {
      var imported: Set<String> = []
      for file in try Repository.files(below: module.folder, ending: ".swift") {
        let text = try Repository.text(file)
        imported.formUnion(text.matches(of: /(?m)^(?:@?\w+ )?import (\w+)$/).map { String($0.1) })
      }
      let own = imported.filter { all[$0] != nil }
      #expect(own == module.dependencies, "\(name)")
      #expect(imported.intersection(products) == module.products, "\(name)")
    }
  }

  /// Public declarations are for other packages: those of the benchmarks and of fuzzing.
  @Test("a module that is in no library is open to this package only")
  func access() throws {
    let manifest = try Self.manifest.get()
    let names = manifest.modules.keys.filter { !manifest.libraries.contains($0) }
    #expect(names.count > 15 && names.count < manifest.modules.count)
    for name in names {
      let folder = try #require(manifest.modules[name]).folder
      for file in try Repository.files(below: folder, ending: ".swift") {
        #expect(try !Repository.text(file).contains(#/(?m)^ *(@\w+ )?public /#), "\(file)")
      }
    }
    // It writes declarations of such modules.
    #expect(try !Repository.text("Plugins/EmbedText/EmbedText.swift").contains("public "))
  }

  @Test("arrows that follow from others are left out, and libraries have targets")
  func reduced() {
    let manifest = Manifest(
      """
      \n    .library(name: "L", targets: ["A", "B"]),
          .target(name: "A", dependencies: ["B", "C", "CZlib", .product(name: "X", package: "x")]),
          .target(name: "B", dependencies: ["C"]),
          .target(name: "C"),
          .testTarget(name: "T", dependencies: ["A"]),
      """)
    #expect(manifest.arrows == ["A": ["B"], "B": ["C"]])
    #expect(manifest.reached(from: "A") == ["B", "C"])
    #expect(manifest.modules["A"]?.products == ["X"])
    #expect(manifest.libraries == ["A", "B"])
    #expect(manifest.tests["T"]?.dependencies == ["A"])
  }
}
