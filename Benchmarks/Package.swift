// swift-tools-version: 6.2

import PackageDescription

// This is a separate package, so that building the program does not build its benchmarks.
let package = Package(
  name: "benchmarks",
  dependencies: [
    .package(name: "tieout", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    // Without its traits the package does not count allocations and does not need jemalloc.
    .package(url: "https://github.com/ordo-one/benchmark", exact: "1.38.1", traits: []),
  ],
  targets: [
    // Generates an inbox of any size, similar to real ones.
    .executableTarget(
      name: "GenerateInbox",
      dependencies: [
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "SigningTestSupport", package: "tieout"),
      ]),
    // Measures how many documents of each signed form are verified per second.
    .executableTarget(
      name: "MeasureVerification",
      dependencies: [
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "LibCrypto", package: "tieout"),
        .product(name: "SignatureVerification", package: "tieout"),
        .product(name: "SigningTestSupport", package: "tieout"),
      ]),
    // The parsers, the encoder, the hashes and the verifiers, each alone. ordo-one/benchmark
    // expects this folder.
    .executableTarget(
      name: "MicroBenchmarks",
      dependencies: [
        .product(name: "Benchmark", package: "benchmark"),
        .product(name: "CopyFormat", package: "tieout"),
        .product(name: "CXXHash", package: "tieout"),
        .product(name: "LibCrypto", package: "tieout"),
        .product(name: "Intake", package: "tieout"),
        .product(name: "SignatureVerification", package: "tieout"),
        .product(name: "SigningTestSupport", package: "tieout"),
      ],
      path: "MicroBenchmarks",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
  // The main file that ordo-one/benchmark generates uses pointers.
  if target.name != "MicroBenchmarks" { target.swiftSettings?.append(.strictMemorySafety()) }
}
