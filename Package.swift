// swift-tools-version: 6.2

import PackageDescription

// The command, the night, its steps, and the modules that they use, in this order.
// CONTRIBUTING.md says what each contains.
let package = Package(
  name: "tieout",
  products: [
    .executable(name: "tieout", targets: ["tieout"]),
    // For the packages of the benchmarks and of fuzzing.
    .library(name: "Intake", targets: ["Intake"]),
    .library(name: "Configuration", targets: ["Configuration"]),
    .library(name: "CopyFormat", targets: ["CopyFormat"]),
    .library(name: "CXXHash", targets: ["CXXHash"]),
    .library(name: "LibCrypto", targets: ["LibCrypto"]),
    .library(name: "SignatureVerification", targets: ["SignatureVerification"]),
    .library(name: "SigningTestSupport", targets: ["SigningTestSupport"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/hummingbird-project/swift-mustache", exact: "2.1.1"),
    .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
  ],
  targets: [
    .executableTarget(
      name: "tieout",
      dependencies: [
        "CLinux", "Configuration", "ExactText", "Explain", "FileSystem", "Findings", "Inbox",
        "Ledger", "NightRun", "Page", "PostgreSQL", "PrivateServer", "Remote", "Reports", "Rules",
        "Runs",
        "Waiting", "WebClient",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    .target(
      name: "Configuration",
      dependencies: ["FileSystem", "WebHosts", "YAML", .product(name: "Yams", package: "Yams")]),
    .target(
      name: "NightRun",
      dependencies: [
        "Configuration", "ExactText", "FileSystem", "Findings", "Inbox", "Intake", "Ledger", "Page",
        "PostgreSQL", "ReconciliationSQL", "Remote", "Reports", "Rules", "Runs",
        "SignatureVerification",
        "Waiting",
        .product(name: "Logging", package: "swift-log"),
      ]),
    .target(
      name: "Explain",
      dependencies: [
        "ExactText", "PostgreSQL", "ReconciliationSQL", "Rules", "Runs", "Waiting",
        .product(name: "Logging", package: "swift-log"),
      ]),
    .target(
      name: "Remote",
      dependencies: [
        "Configuration", "ExactText", "FileSystem", "Inbox", "Intake", "Ledger", "LibCrypto",
        "PostgreSQL",
        "ReconciliationSQL", "Runs", "Waiting", "WebClient",
        .product(name: "Logging", package: "swift-log"),
      ]),
    .target(
      name: "Reports",
      dependencies: [
        "CanonicalJSON", "Configuration", "Effects", "ExactText", "FileSystem", "Intake",
        "LibCrypto",
        "Page",
        "PostgreSQL", "ReconciliationSQL", "ReportReading", "Runs", "Waiting",
        "Workbook",
      ]),
    .target(
      name: "Findings",
      dependencies: [
        "Configuration", "LibCrypto", "PostgreSQL", "ReconciliationSQL", "Rules", "Runs",
      ]),
    .target(
      name: "Rules",
      dependencies: ["PostgreSQL", "ReconciliationSQL", "Runs"]),
    .target(
      name: "Ledger",
      dependencies: [
        "Configuration", "CopyFormat", "ExactText", "FileSystem", "Inbox", "Intake", "LibCrypto",
        "PostgreSQL",
        "ReconciliationSQL", "Runs", "Waiting",
      ]),
    .target(
      name: "Inbox",
      dependencies: [
        "Configuration", "ExactText", "FileSystem", "Intake", "PostgreSQL", "ReconciliationSQL",
        "Runs",
        "SignatureVerification",
      ]),
    .target(
      name: "Runs",
      dependencies: [
        "Configuration", "LibCrypto", "PostgreSQL", "ReconciliationSQL", "Waiting",
        .product(name: "Logging", package: "swift-log"),
      ]),
    .target(
      name: "Intake",
      dependencies: [
        "CBzip2", "CExpat", "CLzma", "CopyFormat", "CSimdJSON", "CXXHash", "CZlib", "CZstd",
        "ExactText", "FileSystem", "LibCrypto", "SignatureVerification", "YAML",
        .product(name: "Yams", package: "Yams"),
      ],
      // Debian's package has no file for pkg-config.
      linkerSettings: [.linkedLibrary("bz2")]),
    .target(
      name: "SignatureVerification", dependencies: ["LibCrypto"]),
    .target(name: "LibCrypto", dependencies: ["CLibCrypto"]),
    .target(
      name: "Page",
      dependencies: [
        "ExactText", "LibCrypto", .product(name: "Mustache", package: "swift-mustache"),
      ],
      plugins: ["EmbedText"]),
    .target(name: "CanonicalJSON"),
    .target(name: "Workbook", dependencies: ["CXlsxWriter", "ExactText", "ReportReading"]),
    .target(name: "ReportReading"),
    .target(name: "CopyFormat"),
    .target(
      name: "ReconciliationSQL",
      path: "sql",
      exclude: ["README.md"],
      plugins: ["EmbedText"]),
    .plugin(name: "EmbedText", capability: .buildTool()),
    .target(name: "PostgreSQL", dependencies: ["CLibPQ", "Effects", "Waiting"]),
    .target(name: "WebClient", dependencies: ["CCurl", "Effects", "WebHosts"]),
    .target(
      name: "PrivateServer",
      dependencies: ["CLinux", "Effects", "ExactText", "FileSystem", "PostgreSQL", "Waiting"]),
    .target(name: "FileSystem", dependencies: ["CLinux", "Effects", "ExactText"]),
    .target(name: "WebHosts"),
    .target(name: "ExactText"),
    .target(name: "YAML", dependencies: [.product(name: "Yams", package: "Yams")]),
    .target(name: "Effects"),
    .target(name: "Waiting"),

    .target(name: "CLinux"),
    // C libraries, each from Debian.
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(
      name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(
      name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(
      name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
    .systemLibrary(
      name: "CLzma", pkgConfig: "liblzma", providers: [.apt(["liblzma-dev"])]),
    .systemLibrary(name: "CBzip2", providers: [.apt(["libbz2-dev"])]),
    .systemLibrary(
      name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    // Only a header: its code is compiled in, so nothing is linked.
    .systemLibrary(name: "CXXHash", providers: [.apt(["libxxhash-dev"])]),
    .systemLibrary(
      name: "CXlsxWriter", pkgConfig: "xlsxwriter", providers: [.apt(["libxlsxwriter-dev"])]),
    .target(name: "CSimdJSON", linkerSettings: [.linkedLibrary("simdjson")]),

    // Tests and what they share.
    .target(
      name: "ReconciliationTestSupport",
      dependencies: [
        "CZlib", "Configuration", "Ledger", "NightRun", "PostgreSQL", "Rules", "Runs",
        "SigningTestSupport", "Waiting",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/ReconciliationTestSupport"),
    .target(
      name: "SigningTestSupport", dependencies: ["CLibCrypto", "LibCrypto"],
      path: "Tests/SigningTestSupport"),
    .target(
      name: "Oracle", dependencies: ["DamageTestSupport", "LibCrypto"], path: "Tests/Oracle"),
    .target(name: "WebTestSupport", path: "Tests/WebTestSupport"),
    .target(name: "DamageTestSupport", path: "Tests/DamageTestSupport"),
    .target(name: "TestNeeds", path: "Tests/TestNeeds"),
    .testTarget(
      name: "ConfigurationTests", dependencies: ["Configuration", "DamageTestSupport"]),
    .testTarget(name: "FileSystemTests", dependencies: ["CLinux", "FileSystem", "TestNeeds"]),
    .testTarget(
      name: "IntakeTests",
      dependencies: [
        "CBzip2", "CLzma", "CopyFormat", "CZlib", "CZstd", "DamageTestSupport", "Intake",
        "LibCrypto", "SignatureVerification", "SigningTestSupport", "TestNeeds",
      ]),
    .testTarget(name: "PageTests", dependencies: ["LibCrypto", "Page", "TestNeeds"]),
    .testTarget(
      name: "WorkbookTests",
      dependencies: [
        "DamageTestSupport", "ReconciliationTestSupport", "ReportReading", "TestNeeds", "Workbook",
      ]),
    .testTarget(name: "LibCryptoTests", dependencies: ["LibCrypto", "SigningTestSupport"]),
    .testTarget(
      name: "SignatureVerificationTests",
      dependencies: [
        "DamageTestSupport", "LibCrypto", "SignatureVerification", "SigningTestSupport",
        "TestNeeds",
      ]),
    .testTarget(name: "WebClientTests", dependencies: ["WebClient", "WebTestSupport"]),
    .testTarget(
      name: "PrivateServerTests", dependencies: ["PrivateServer", "TestNeeds", "Waiting"]),
    .testTarget(
      name: "ReconciliationTests",
      dependencies: [
        "CanonicalJSON", "CLinux", "Configuration", "CopyFormat", "DamageTestSupport", "Explain",
        "FileSystem", "Findings",
        "Inbox", "Intake", "Ledger", "LibCrypto", "NightRun", "Oracle", "Page", "PostgreSQL",
        "ReconciliationSQL", "ReconciliationTestSupport", "Remote", "Reports", "Rules", "Runs",
        "SigningTestSupport", "TestNeeds", "Waiting", "WebClient", "WebTestSupport", "Workbook",
        .product(name: "Logging", package: "swift-log"),
      ]),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "DamageTestSupport", "LibCrypto", "Oracle", "PostgreSQL", "ReconciliationTestSupport",
        "Reports", "Runs", "SigningTestSupport", "TestNeeds", "tieout", "WebTestSupport",
      ]),
    .testTarget(
      name: "RepositoryTests",
      dependencies: [
        "Configuration", "Explain", "Intake", "Page", "PostgreSQL", "ReconciliationSQL", "Reports",
        "Rules", "TestNeeds",
      ]),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

let unsafeTargets: Set = [
  "CSimdJSON", "CopyFormat", "FileSystem", "Intake", "LibCrypto", "PostgreSQL", "PrivateServer",
  "Waiting", "WebClient", "WebTestSupport", "Workbook",
]
// Tests run these modules on many thousands of records or nights, so a debug build optimizes them, too.
let optimizedTargets: Set = [
  "CopyFormat", "DamageTestSupport", "Intake", "LibCrypto", "Oracle", "Page",
  "ReconciliationTestSupport", "SignatureVerification", "SigningTestSupport",
]
let isCompiledAsSwift = { (target: Target) in
  target.type != .system && target.type != .plugin
    && !["CLinux", "CSimdJSON"].contains(target.name)
}
for target in package.targets where isCompiledAsSwift(target) {
  target.swiftSettings = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
  if optimizedTargets.contains(target.name) {
    target.swiftSettings?.append(.unsafeFlags(["-O"], .when(configuration: .debug)))
  }
  // Only the modules of `unsafeTargets` may use pointers: elsewhere unsafe code is an error.
  if !unsafeTargets.contains(target.name) && target.type != .test {
    target.swiftSettings?.append(.strictMemorySafety())
  }
}
