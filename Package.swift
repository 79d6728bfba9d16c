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
    .executable(name: "entia", targets: ["EntiaTool"]),
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
    .target(name: "EntiaLaws", dependencies: ["EntiaDatabase", "EntiaStore"]),
    // The tool's room is a library with a door: tests cannot rely on importing an executable when
    // the package also has a macro.
    .target(name: "EntiaCLI", dependencies: ["EntiaJSON"], exclude: ["Main"]),
    .executableTarget(
      name: "EntiaTool", dependencies: ["EntiaCLI"], path: "Sources/EntiaCLI/Main"),

    .testTarget(name: "EntiaCollectionsTests", dependencies: ["EntiaCollections"]),
    .testTarget(name: "EntiaDatabaseTests", dependencies: ["EntiaDatabase", "EntiaLaws"]),
    .testTarget(name: "EntiaStoreTests", dependencies: ["EntiaStore", "EntiaLaws"]),
    .testTarget(name: "EntiaMacrosTests", dependencies: ["EntiaMacros"]),
    .testTarget(name: "EntiaTests", dependencies: ["Entia", "EntiaLaws"]),
    .testTarget(name: "EntiaJSONTests", dependencies: ["EntiaJSON", "EntiaLaws"]),
    .testTarget(name: "EntiaLawsTests", dependencies: ["EntiaLaws"]),
    .testTarget(name: "EntiaCLITests", dependencies: ["EntiaCLI", "EntiaTool"]),
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
