// swift-tools-version: 6.2

import PackageDescription

// From the outside in: the command, the night, its stations, and what they stand on.
let package = Package(
  name: "tieout",
  products: [
    .executable(name: "tieout", targets: ["tieout"]),
    // For the packages of the benchmarks and of fuzzing.
    .library(name: "Intake", targets: ["Intake"]),
    .library(name: "Configuration", targets: ["Configuration"]),
    .library(name: "CopyFormat", targets: ["CopyFormat"]),
    .library(name: "CXXHash", targets: ["CXXHash"]),
    .library(name: "Verification", targets: ["Verification"]),
    .library(name: "SigningTestSupport", targets: ["SigningTestSupport"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-asn1", from: "1.7.4"),
    .package(url: "https://github.com/apple/swift-certificates", from: "1.21.1"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    // The command: options in, exit status out.
    .executableTarget(
      name: "tieout",
      dependencies: [
        "Configuration", "PostgreSQL", "PrivateServer", "Reconciliation",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    // The settings: file, environment and command line into values.
    .target(
      name: "Configuration",
      dependencies: [.product(name: "Yams", package: "Yams")]),
    // The night: load, judge, report.
    .target(
      name: "Reconciliation",
      dependencies: [
        "CLinux", "Configuration", "CopyFormat", "Effects", "Intake", "Page", "PostgreSQL",
        "ReconciliationSQL", "Verification", "WebClient", "Workbook",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    // Input files into rows or rejections. Knows no database.
    .target(
      name: "Intake",
      dependencies: [
        "CExpat", "CopyFormat", "CSimdJSON", "CXXHash", "CZlib", "Verification",
        .product(name: "Crypto", package: "swift-crypto"),
      ]),
    // What Apple signed: receipts and signed transactions, checked and decoded.
    .target(
      name: "Verification",
      dependencies: [
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ]),
    // A night as one page of HTML: numbers and words in, bytes out. Knows no database.
    .target(
      name: "Page",
      dependencies: [
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "Mustache", package: "swift-mustache"),
      ],
      resources: [.embedInCode("Templates")]),
    // Statements as a spreadsheet, row by row.
    .target(name: "Workbook", dependencies: ["CXlsxWriter"]),
    // Rows in the form that PostgreSQL's binary COPY takes.
    .target(name: "CopyFormat"),
    // The statements: schema, load, judge, rules, reports.
    .target(
      name: "ReconciliationSQL",
      path: "sql",
      exclude: ["README.md"],
      resources: [
        .embedInCode("schema"), .embedInCode("load"), .embedInCode("judge"),
        .embedInCode("reached"), .embedInCode("carried"), .embedInCode("rules"),
        .embedInCode("findings"), .embedInCode("forget"), .embedInCode("rebuild"),
        .embedInCode("retention"), .embedInCode("reports"), .embedInCode("page"),
        .embedInCode("explain"), .embedInCode("roles"),
      ]),
    // One connection to PostgreSQL.
    .target(name: "PostgreSQL", dependencies: ["CLibPQ", "Effects"]),
    // One question to a web server, and its answer.
    .target(name: "WebClient", dependencies: ["CCurl", "Effects"]),
    // The PostgreSQL that the program keeps for itself.
    .target(name: "PrivateServer", dependencies: ["CLinux", "Effects"]),
    // What is done outside of the process, named so that tests can break it off.
    .target(name: "Effects"),

    // C libraries, each from Debian, and the two calls of Linux that Foundation lacks.
    .systemLibrary(name: "CLinux"),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(
      name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(
      name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CXXHash", pkgConfig: "libxxhash", providers: [.apt(["libxxhash-dev"])]),
    .systemLibrary(
      name: "CXlsxWriter", pkgConfig: "xlsxwriter", providers: [.apt(["libxlsxwriter-dev"])]),
    .target(name: "CSimdJSON", linkerSettings: [.linkedLibrary("simdjson")]),

    // Tests and what they share.
    .target(
      name: "ReconciliationTestSupport",
      dependencies: [
        "CZlib", "Configuration", "PostgreSQL", "Reconciliation", "SigningTestSupport",
        .product(name: "Logging", package: "swift-log"),
      ]),
    .target(
      name: "SigningTestSupport",
      dependencies: [
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "CryptoExtras", package: "swift-crypto"),
        .product(name: "SwiftASN1", package: "swift-asn1"),
        .product(name: "X509", package: "swift-certificates"),
      ]),
    .target(
      name: "Oracle", dependencies: [.product(name: "Crypto", package: "swift-crypto")],
      path: "Tests/Oracle"),
    .target(name: "WebTestSupport", path: "Tests/WebTestSupport"),
    .target(name: "DamageTestSupport", path: "Tests/DamageTestSupport"),
    .testTarget(
      name: "ConfigurationTests", dependencies: ["Configuration", "DamageTestSupport"]),
    .testTarget(
      name: "IntakeTests",
      dependencies: [
        "CopyFormat", "CZlib", "DamageTestSupport", "Intake", "SigningTestSupport", "Verification",
        .product(name: "Crypto", package: "swift-crypto"),
      ]),
    .testTarget(
      name: "PageTests",
      dependencies: ["Page", .product(name: "Crypto", package: "swift-crypto")]),
    .testTarget(
      name: "WorkbookTests",
      dependencies: ["DamageTestSupport", "ReconciliationTestSupport", "Workbook"]),
    .testTarget(name: "VerificationTests", dependencies: ["SigningTestSupport", "Verification"]),
    .testTarget(name: "WebClientTests", dependencies: ["WebClient", "WebTestSupport"]),
    .testTarget(name: "PrivateServerTests", dependencies: ["PrivateServer"]),
    .testTarget(
      name: "ReconciliationTests",
      dependencies: [
        "Configuration", "Intake", "Oracle", "PostgreSQL", "Reconciliation", "ReconciliationSQL",
        "ReconciliationTestSupport", "SigningTestSupport", "WebClient", "WebTestSupport",
      ]),
    .testTarget(
      name: "CommandTests",
      dependencies: ["Reconciliation", "ReconciliationTestSupport", "tieout", "WebTestSupport"]),
    .testTarget(
      name: "RepositoryTests",
      dependencies: ["Intake", "Reconciliation", "ReconciliationSQL"]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

let unsafeTargets: Set = [
  "CSimdJSON", "CopyFormat", "Intake", "PostgreSQL", "PrivateServer", "WebClient",
  "WebTestSupport", "Workbook",
]
for target in package.targets where target.type != .system && target.name != "CSimdJSON" {
  target.swiftSettings = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
  // Only the modules that stand next to C may touch pointers; the compiler keeps the others from it.
  if !unsafeTargets.contains(target.name) && target.type != .test {
    target.swiftSettings?.append(.strictMemorySafety())
  }
}
