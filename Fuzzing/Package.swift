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
        .product(name: "LibCrypto", package: "tieout"),
        .product(name: "SigningTestSupport", package: "tieout"),
        .product(name: "Verification", package: "tieout"),
      ]),
    // Files of the inbox, in every form: JSON, CSV, property lists, other XML, compressed or not.
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
    // libFuzzer brings the main function.
    .unsafeFlags(["-parse-as-library"]),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
