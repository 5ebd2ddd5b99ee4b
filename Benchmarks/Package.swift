// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that building the program does not build what measures it.
let package = Package(
  name: "benchmarks",
  dependencies: [
    .package(name: "tieout", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    // Without its traits: it then counts no allocations and needs no jemalloc.
    .package(url: "https://github.com/ordo-one/benchmark", exact: "1.38.1", traits: []),
  ],
  targets: [
    // An inbox of any size, shaped like real ones.
    .executableTarget(
      name: "GenerateInbox",
      dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")]),
    // How many documents a second are verified, for each form that Apple signs.
    .executableTarget(
      name: "MeasureVerification",
      dependencies: [
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "LibCrypto", package: "tieout"),
        .product(name: "SigningTestSupport", package: "tieout"),
        .product(name: "Verification", package: "tieout"),
      ]),
    // The parsers, the encoder, the hashes and the verifiers, one by one. The folder lies where
    // ordo-one/benchmark looks for it.
    .executableTarget(
      name: "MicroBenchmarks",
      dependencies: [
        .product(name: "Benchmark", package: "benchmark"),
        .product(name: "CopyFormat", package: "tieout"),
        .product(name: "CXXHash", package: "tieout"),
        .product(name: "LibCrypto", package: "tieout"),
        .product(name: "Intake", package: "tieout"),
        .product(name: "SigningTestSupport", package: "tieout"),
        .product(name: "Verification", package: "tieout"),
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
