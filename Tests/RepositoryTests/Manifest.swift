import Foundation

/// The modules of `Package.swift` and the arrows between them.
struct Manifest {
  /// A target in Swift that is neither a test nor support for tests.
  struct Module {
    let folder: String
    let dependencies: Set<String>
  }

  /// The modules by name; their dependencies are modules of this package, too.
  let modules: [String: Module]
  /// The folders of the modules that only tests use.
  let supportFolders: [String]
  /// The folders of the targets with code in C or C++.
  let foldersInC: [String]
  /// The targets of the library products, which other packages can import.
  let libraries: Set<String>

  init(_ text: String) {
    var found: [String: Module] = [:]
    for target in text.split(separator: /\n    \./) {
      guard let head = target.prefixMatch(of: /(?:target|executableTarget)\(\s*name: "(\w+)"/)
      else { continue }
      let name = String(head.1)
      let folder = target.firstMatch(of: /path: "([^"]+)"/).map { String($0.1) }
      let list = target.firstMatch(of: /(?s)dependencies: \[(.*?)\]/)?.1 ?? ""
      let named = list.replacing(/\.product\([^)]*\)/, with: "").matches(of: /"(\w+)"/)
      found[name] = Module(
        folder: folder ?? "Sources/\(name)", dependencies: Set(named.map { String($0.1) }))
    }
    let support = found.filter { $0.value.folder.hasPrefix("Tests/") }
    let inC = found.filter { Self.isInC($0.key) }
    let modules = found.filter { name, _ in support[name] == nil && inC[name] == nil }
    supportFolders = support.values.map(\.folder)
    foldersInC = inC.values.map(\.folder)
    libraries = Set(
      text.matches(of: /\.library\(name: "\w+", targets: \[([^\]]*)\]/).flatMap { product in
        product.1.matches(of: /"(\w+)"/).map { String($0.1) }
      })
    self.modules = modules.mapValues { module in
      Module(folder: module.folder, dependencies: module.dependencies.filter { modules[$0] != nil })
    }
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
