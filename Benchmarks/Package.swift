// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that building the program does not build what measures it.
let package = Package(
  name: "benchmarks",
  dependencies: [
    .package(name: "tieout", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
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
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "SigningTestSupport", package: "tieout"),
        .product(name: "Verification", package: "tieout"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
  ]
}
