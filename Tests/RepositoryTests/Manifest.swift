import Foundation

/// The modules of `Package.swift` and the arrows between them.
struct Manifest {
  /// A target in Swift; its dependencies are other such targets of this package.
  struct Module {
    let folder: String
    let dependencies: Set<String>
    /// The libraries of other packages.
    let products: Set<String>
  }

  /// The modules of the program by name.
  let modules: [String: Module]
  /// The tests and the modules that only tests use, by name.
  let tests: [String: Module]
  /// The folders of the modules that only tests use.
  let supportFolders: [String]
  /// The folders of the targets with code in C or C++.
  let foldersInC: [String]
  /// The targets of the library products, which other packages can import.
  let libraries: Set<String>

  init(_ text: String) {
    var found: [String: Module] = [:]
    for target in text.split(separator: /\n    \./) {
      guard
        let head = target.prefixMatch(
          of: /(target|executableTarget|testTarget)\(\s*name: "(\w+)"/)
      else { continue }
      let name = String(head.2)
      let root = head.1 == "testTarget" ? "Tests" : "Sources"
      let folder = target.firstMatch(of: /path: "([^"]+)"/).map { String($0.1) }
      let list = target.firstMatch(of: /(?s)dependencies: \[(.*?)\]/)?.1 ?? ""
      let named = list.replacing(/\.product\([^)]*\)/, with: "").matches(of: /"(\w+)"/)
      let products = list.matches(of: /\.product\(name: "(\w+)"/)
      found[name] = Module(
        folder: folder ?? "\(root)/\(name)", dependencies: Set(named.map { String($0.1) }),
        products: Set(products.map { String($0.1) }))
    }
    let inC = found.filter { Self.isInC($0.key) }
    let inSwift = found.filter { inC[$0.key] == nil }.mapValues { module in
      Module(
        folder: module.folder,
        dependencies: module.dependencies.filter { found[$0] != nil && inC[$0] == nil },
        products: module.products)
    }
    modules = inSwift.filter { !$0.value.folder.hasPrefix("Tests/") }
    tests = inSwift.filter { $0.value.folder.hasPrefix("Tests/") }
    supportFolders = tests.filter { !$0.key.hasSuffix("Tests") }.map(\.value.folder)
    foldersInC = inC.values.map(\.folder)
    libraries = Set(
      text.matches(of: /\.library\(name: "\w+", targets: \[([^\]]*)\]/).flatMap { product in
        product.1.matches(of: /"(\w+)"/).map { String($0.1) }
      })
  }

  /// Whether a name is that of a C library or of a wrapper of one: `CZlib`, `CXXHash`.
  static func isInC(_ name: String) -> Bool {
    name.hasPrefix("C") && name.dropFirst().first?.isUppercase == true
  }

  /// All modules that a module needs, directly or through others.
  func reached(from name: String) -> Set<String> {
    var reached: Set<String> = []
    var next = Array(modules[name]?.dependencies ?? [])
    while let one = next.popLast() {
      guard reached.insert(one).inserted else { continue }
      next += modules[one]?.dependencies ?? []
    }
    return reached
  }

  /// The arrows without those that follow from others.
  var arrows: [String: Set<String>] {
    modules.mapValues { module in
      let farther = module.dependencies.reduce(into: Set<String>()) {
        $0.formUnion(reached(from: $1))
      }
      return module.dependencies.subtracting(farther)
    }.filter { !$0.value.isEmpty }
  }
}
