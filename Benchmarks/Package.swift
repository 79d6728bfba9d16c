// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that the library stays without dependencies and what is measured is what
// a user gets: another module.
let package = Package(
  name: "entia-benchmarks",
  platforms: [.macOS(.v14)],
  products: [
    .executable(name: "entia-benchmarks", targets: ["EntiaBenchmarks"])
  ],
  dependencies: [
    .package(name: "entia", path: "..")
  ],
  targets: [
    .target(name: "CBenchmarkSupport"),
    .executableTarget(
      name: "EntiaBenchmarks",
      dependencies: [
        "CBenchmarkSupport",
        .product(name: "EntiaCollections", package: "entia"),
        .product(name: "EntiaDatabase", package: "entia"),
        .product(name: "EntiaStore", package: "entia"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
