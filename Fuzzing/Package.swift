// swift-tools-version: 6.2

import PackageDescription

// A package of its own: everything in it is built with -sanitize=fuzzer, which scripts/fuzz asks for.
let package = Package(
  name: "fuzzing",
  dependencies: [.package(name: "tieout", path: "..")],
  targets: [
    // The decoders of what Apple signs.
    .executableTarget(
      name: "FuzzVerification",
      dependencies: [
        .product(name: "SigningTestSupport", package: "tieout"),
        .product(name: "Verification", package: "tieout"),
      ],
      swiftSettings: [
        // libFuzzer brings the main function.
        .unsafeFlags(["-parse-as-library"]),
        .treatAllWarnings(as: .error),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
