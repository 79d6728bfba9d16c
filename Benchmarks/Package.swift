// swift-tools-version: 6.1
import Foundation
import PackageDescription

// SQLite is a contestant where the system has it; without its header everything else still builds.
// ENTIA_BENCHMARKS_SQLITE=0 leaves it out, to see that this holds.
#if os(macOS)
  let systemHasSQLite = true
#else
  let systemHasSQLite = FileManager.default.fileExists(atPath: "/usr/include/sqlite3.h")
#endif
let hasSQLite = systemHasSQLite && Context.environment["ENTIA_BENCHMARKS_SQLITE"] != "0"

// So is PostgreSQL, where libpq's header is. ENTIA_BENCHMARKS_POSTGRESQL=0 leaves it out.
#if os(Linux)
  let foldersOfLibpq = [
    "/usr/include/postgresql", "/usr/include", "/usr/local/include/postgresql",
    "/usr/local/include",
  ]
#elseif os(macOS)
  let foldersOfLibpq = ["/opt/homebrew/opt/libpq/include", "/usr/local/opt/libpq/include"]
#else
  let foldersOfLibpq: [String] = []
#endif
let hasPostgreSQL =
  foldersOfLibpq.contains { FileManager.default.fileExists(atPath: "\($0)/libpq-fe.h") }
  && Context.environment["ENTIA_BENCHMARKS_POSTGRESQL"] != "0"

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
    .target(name: "BenchmarkReport"),
    .executableTarget(
      name: "EntiaBenchmarks",
      dependencies: [
        "BenchmarkReport",
        "CBenchmarkSupport",
        // The macros.
        .product(name: "Entia", package: "entia"),
        .product(name: "EntiaCollections", package: "entia"),
        .product(name: "EntiaDatabase", package: "entia"),
        .product(name: "EntiaJSON", package: "entia"),
        .product(name: "EntiaRecords", package: "entia"),
        .product(name: "EntiaStore", package: "entia"),
      ]),
    .testTarget(name: "BenchmarkReportTests", dependencies: ["BenchmarkReport"]),
  ],
  swiftLanguageModes: [.v6]
)

if hasSQLite {
  package.targets.append(
    .systemLibrary(
      name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .yum(["sqlite-devel"])]))
  package.targets.first { $0.name == "EntiaBenchmarks" }?.dependencies += [
    "CSQLite", .product(name: "EntiaSQLite", package: "entia"),
  ]
}

if hasPostgreSQL {
  package.targets.append(
    .systemLibrary(
      name: "CPostgreSQL", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .yum(["libpq-devel"]), .brew(["libpq"])]))
  package.targets.first { $0.name == "EntiaBenchmarks" }?.dependencies += [
    "CPostgreSQL", .product(name: "EntiaPostgreSQL", package: "entia"),
  ]
}

// What reports is also tested without building what is measured.
if let chosen = Context.environment["ENTIA_TARGETS"] {
  let rooms = chosen.split(whereSeparator: \.isWhitespace).map(String.init)
  package.products.removeAll()
  package.dependencies.removeAll()
  package.targets.removeAll { !rooms.contains($0.name) }
}

for target in package.targets where target.type != .system && target.name != "CBenchmarkSupport" {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
