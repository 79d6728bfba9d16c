// swift-tools-version: 6.1
import CompilerPluginSupport
import PackageDescription

let package = Package(
  name: "entia",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [
    .library(name: "Entia", targets: ["Entia"]),
    .library(name: "EntiaCollections", targets: ["EntiaCollections"]),
    .library(name: "EntiaDatabase", targets: ["EntiaDatabase"]),
    .library(name: "EntiaStore", targets: ["EntiaStore"]),
    .library(name: "EntiaJSON", targets: ["EntiaJSON"]),
    .library(name: "EntiaLaws", targets: ["EntiaLaws"]),
    .executable(name: "entia", targets: ["EntiaCLI"]),
  ],
  targets: [
    .target(name: "EntiaCollections"),
    .target(name: "EntiaDatabase", dependencies: ["EntiaCollections"]),
    .target(name: "EntiaStore", dependencies: ["EntiaDatabase"]),
    .macro(name: "EntiaMacros"),
    .target(
      name: "Entia",
      dependencies: ["EntiaCollections", "EntiaDatabase", "EntiaStore", "EntiaMacros"]),
    .target(name: "EntiaJSON", dependencies: ["EntiaDatabase"]),
    .target(name: "EntiaLaws", dependencies: ["EntiaCollections", "EntiaDatabase", "EntiaStore"]),
    .executableTarget(name: "EntiaCLI", dependencies: ["EntiaJSON"]),

    .testTarget(name: "EntiaCollectionsTests", dependencies: ["EntiaCollections"]),
    .testTarget(
      name: "EntiaDatabaseTests",
      dependencies: ["EntiaCollections", "EntiaDatabase", "EntiaLaws"]),
    .testTarget(name: "EntiaStoreTests", dependencies: ["EntiaStore", "EntiaLaws"]),
    .testTarget(name: "EntiaMacrosTests", dependencies: ["EntiaMacros"]),
    .testTarget(name: "EntiaTests", dependencies: ["Entia", "EntiaLaws"]),
    .testTarget(name: "EntiaJSONTests", dependencies: ["EntiaJSON", "EntiaLaws"]),
    .testTarget(
      name: "EntiaLawsTests",
      dependencies: ["EntiaCollections", "EntiaDatabase", "EntiaLaws"]),
    .testTarget(name: "EntiaCLITests", dependencies: ["EntiaCLI"]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
