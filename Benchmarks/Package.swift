// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that building the program does not build what measures it.
let package = Package(
  name: "benchmarks",
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    // An inbox of any size, shaped like real ones.
    .executableTarget(
      name: "GenerateInbox",
      dependencies: [.product(name: "ArgumentParser", package: "swift-argument-parser")],
      swiftSettings: [
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .strictMemorySafety(),
      ])
  ],
  swiftLanguageModes: [.v6]
)
