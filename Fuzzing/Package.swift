// swift-tools-version: 6.2

import PackageDescription

// This is a separate package because everything in it is built with -sanitize=fuzzer; scripts/fuzz
// sets this option.
let package = Package(
  name: "fuzzing",
  dependencies: [.package(name: "tieout", path: "..")],
  targets: [
    // Decoders of documents that Apple signs.
    .executableTarget(
      name: "FuzzVerification",
      dependencies: [
        .product(name: "LibCrypto", package: "tieout"),
        .product(name: "SigningTestSupport", package: "tieout"),
        .product(name: "SignatureVerification", package: "tieout"),
      ]),
    // Files of the inbox in every form: JSON, CSV, property lists, other XML, compressed or not.
    .executableTarget(
      name: "FuzzIntake",
      dependencies: [
        .product(name: "CopyFormat", package: "tieout"),
        .product(name: "Intake", package: "tieout"),
      ]),
    // The settings file.
    .executableTarget(
      name: "FuzzConfiguration",
      dependencies: [.product(name: "Configuration", package: "tieout")]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings = [
    // libFuzzer provides the main function.
    .unsafeFlags(["-parse-as-library"]),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
