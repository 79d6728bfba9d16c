// swift-tools-version: 6.1
import CompilerPluginSupport
import Foundation
import PackageDescription

// A database is kept in SQLite files where the system has SQLite; without its header everything
// else still builds. ENTIA_SQLITE=0 leaves it out, to test that.
#if os(Linux) || os(Windows) || os(Android)
  let systemHasSQLite = ["/usr/include", "/usr/local/include"]
    .contains { FileManager.default.fileExists(atPath: "\($0)/sqlite3.h") }
#else
  let systemHasSQLite = true
#endif
let hasSQLite = systemHasSQLite && Context.environment["ENTIA_SQLITE"] != "0"

// A database is shared through PostgreSQL where libpq's header is. ENTIA_POSTGRESQL=0 leaves it
// out.
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
  && Context.environment["ENTIA_POSTGRESQL"] != "0"

let package = Package(
  name: "entia",
  platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
  products: [
    // For apps: the database, the store and the macros.
    .library(name: "Entia", targets: ["Entia"]),
    // The persistent containers alone, for code without entities.
    .library(name: "EntiaCollections", targets: ["EntiaCollections"]),
    // The database alone, without a store, macros or locks.
    .library(name: "EntiaDatabase", targets: ["EntiaDatabase"]),
    // A store for any state, without macros.
    .library(name: "EntiaStore", targets: ["EntiaStore"]),
    // Import and export of JSON, for programs and servers.
    .library(name: "EntiaJSON", targets: ["EntiaJSON"]),
    // What a running store does, as text and as a page, for debugging.
    .library(name: "EntiaInspector", targets: ["EntiaInspector"]),
    // The laws as checks of storages of your own, for test targets.
    .library(name: "EntiaLaws", targets: ["EntiaLaws"]),
    // The command-line tool.
    .executable(name: "entia", targets: ["EntiaTool"]),
  ],
  targets: [
    .target(name: "EntiaCollections"),
    .target(name: "EntiaDatabase", dependencies: ["EntiaCollections"]),
    .target(name: "EntiaStore", dependencies: ["EntiaCollections", "EntiaDatabase"]),
    .macro(name: "EntiaMacros"),
    .target(
      name: "Entia",
      dependencies: ["EntiaCollections", "EntiaDatabase", "EntiaStore", "EntiaMacros"]),
    .target(name: "EntiaJSON", dependencies: ["EntiaCollections", "EntiaDatabase"]),
    .target(
      name: "EntiaInspector",
      dependencies: ["EntiaCollections", "EntiaDatabase", "EntiaJSON", "EntiaStore"]),
    .target(name: "EntiaLaws", dependencies: ["EntiaCollections", "EntiaDatabase", "EntiaStore"]),
    // The tool is a library with a main file of its own: tests cannot rely on importing an
    // executable when the package also has a macro.
    .target(name: "EntiaCLI", dependencies: ["EntiaDatabase", "EntiaInspector", "EntiaJSON"]),
    .executableTarget(name: "EntiaTool", dependencies: ["EntiaCLI"]),

    // Checks that the tests of several rooms share. It is no product.
    .target(name: "EntiaTestSupport", path: "Tests/EntiaTestSupport"),
    // Three storages that the tests of several rooms share: a library, a social feed and a shop.
    .target(
      name: "EntiaTestDomains", dependencies: ["EntiaDatabase"], path: "Tests/EntiaTestDomains"),
    // Stands for a library that an app uses beside Entia, with names that Entia has too.
    .target(name: "EntiaNeighbor", path: "Tests/EntiaNeighbor"),
    .testTarget(
      name: "EntiaCollectionsTests", dependencies: ["EntiaCollections", "EntiaTestSupport"],
      exclude: ["HashTable/Histories/Fuzzing"]),
    .testTarget(
      name: "EntiaDatabaseTests",
      dependencies: [
        "EntiaCollections", "EntiaDatabase", "EntiaLaws", "EntiaTestDomains", "EntiaTestSupport",
      ]),
    .testTarget(
      name: "EntiaStoreTests",
      dependencies: [
        "EntiaCollections", "EntiaDatabase", "EntiaStore", "EntiaLaws", "EntiaTestDomains",
      ]),
    .testTarget(name: "EntiaMacrosTests", dependencies: ["EntiaMacros"]),
    .testTarget(
      name: "EntiaTests",
      dependencies: ["Entia", "EntiaLaws", "EntiaNeighbor", "EntiaTestSupport"],
      exclude: ["NotCompiling/Programs"]),
    .testTarget(
      name: "EntiaJSONTests",
      dependencies: [
        "Entia", "EntiaDatabase", "EntiaJSON", "EntiaLaws", "EntiaTestDomains",
      ],
      exclude: ["Text/Fuzzing"]),
    .testTarget(
      name: "EntiaLawsTests",
      dependencies: ["EntiaCollections", "EntiaDatabase", "EntiaLaws", "EntiaTestDomains"]),
    .testTarget(
      name: "EntiaCLITests",
      dependencies: ["EntiaCLI", "EntiaDatabase", "EntiaJSON", "EntiaTestSupport", "EntiaTool"]),
    .testTarget(
      name: "EntiaInspectorTests",
      dependencies: [
        "EntiaDatabase", "EntiaInspector", "EntiaJSON", "EntiaStore", "EntiaTestDomains",
        "EntiaTestSupport",
      ]),
    // The code of the README, the articles and the tutorials.
    .testTarget(
      name: "EntiaGuideTests",
      dependencies: [
        "Entia", "EntiaCollections", "EntiaInspector", "EntiaJSON", "EntiaLaws", "EntiaTestSupport",
      ],
      exclude: ["Preambles"]),
  ],
  swiftLanguageModes: [.v6]
)

// The differential test compares our declaration parser with the one of the toolchain in use, whose
// modules lie beside its compiler. It needs unsafe flags, so it is there only when asked for.
if Context.environment["ENTIA_DIFFERENTIAL"] == "1" {
  let compiler = (Context.environment["PATH"] ?? "").split(separator: ":")
    .map { URL(fileURLWithPath: "\($0)/swiftc").resolvingSymlinksInPath() }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  let usr = compiler?.deletingLastPathComponent().deletingLastPathComponent().path ?? "/usr"
  let host = "\(usr)/lib/swift/host"
  package.targets.append(
    .testTarget(
      name: "EntiaMacrosDifferentialTests",
      dependencies: ["EntiaMacros"],
      swiftSettings: [.unsafeFlags(["-I", host])],
      linkerSettings: [
        .unsafeFlags(["-L", host, "-Xlinker", "-rpath", "-Xlinker", host]),
        .linkedLibrary("SwiftSyntax"),
        .linkedLibrary("SwiftParser"),
      ]))
}

if hasSQLite {
  package.products.append(
    // A database kept in a SQLite file.
    .library(name: "EntiaSQLite", targets: ["EntiaSQLite"]))
  package.targets += [
    .systemLibrary(
      name: "EntiaSystemSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .yum(["sqlite-devel"]), .brew(["sqlite"])]),
    .target(
      name: "EntiaSQLite",
      dependencies: ["EntiaCollections", "EntiaDatabase", "EntiaStore", "EntiaSystemSQLite"]),
    // Files of records for the tool.
    .target(
      name: "EntiaSQLiteRecords",
      dependencies: ["EntiaCollections", "EntiaDatabase", "EntiaJSON", "EntiaSQLite"]),
    // The program of the README. It is no product.
    .executableTarget(
      name: "EntiaKeepExample", dependencies: ["Entia", "EntiaSQLite"],
      path: "Tests/EntiaKeepExample"),
    .testTarget(
      name: "EntiaSQLiteRecordsTests",
      dependencies: [
        "EntiaDatabase", "EntiaJSON", "EntiaKeepExample", "EntiaLaws", "EntiaSQLite",
        "EntiaSQLiteRecords", "EntiaTestSupport",
      ]),
    .testTarget(
      name: "EntiaSQLiteTests",
      dependencies: [
        "Entia", "EntiaCollections", "EntiaDatabase", "EntiaLaws", "EntiaSQLite", "EntiaStore",
        "EntiaFaultVFS", "EntiaKeepChild", "EntiaKeepHistories", "EntiaSystemSQLite",
        "EntiaTestDomains", "EntiaTestSupport",
      ]),
    // A disk for SQLite that loses power or fails to write, as a test chooses.
    .target(
      name: "EntiaFaultVFS", dependencies: ["EntiaSystemSQLite"], path: "Tests/EntiaFaultVFS"),
    // Saves a random history until the test that started it kills it. It is no product.
    .executableTarget(
      name: "EntiaKeepChild",
      dependencies: ["EntiaKeepHistories", "EntiaSQLite", "EntiaTestDomains"],
      path: "Tests/EntiaKeepChild"),
    .target(
      name: "EntiaKeepHistories",
      dependencies: [
        "EntiaCollections", "EntiaDatabase", "EntiaLaws", "EntiaSQLite", "EntiaTestDomains",
      ],
      path: "Tests/EntiaKeepHistories"),
  ]
}

if hasPostgreSQL {
  package.products.append(
    // A database shared through PostgreSQL.
    .library(name: "EntiaPostgreSQL", targets: ["EntiaPostgreSQL"]))
  package.targets += [
    .systemLibrary(
      name: "EntiaSystemPostgreSQL", pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .yum(["libpq-devel"]), .brew(["libpq"])]),
    .target(
      name: "EntiaPostgreSQL",
      dependencies: [
        "EntiaCollections", "EntiaDatabase", "EntiaJSON", "EntiaStore", "EntiaSystemPostgreSQL",
      ]),
    .testTarget(
      name: "EntiaPostgreSQLTests",
      dependencies: [
        "Entia", "EntiaCollections", "EntiaDatabase", "EntiaJSON", "EntiaLaws", "EntiaPostgreSQL",
        "EntiaLocalServer", "EntiaShareChild", "EntiaStore", "EntiaSystemPostgreSQL",
        "EntiaTestDomains", "EntiaTestSupport",
      ]),
    // Spaces of records for the tool.
    .target(
      name: "EntiaPostgreSQLRecords",
      dependencies: ["EntiaCollections", "EntiaDatabase", "EntiaJSON", "EntiaPostgreSQL"]),
    .testTarget(
      name: "EntiaPostgreSQLRecordsTests",
      dependencies: [
        "EntiaDatabase", "EntiaJSON", "EntiaLaws", "EntiaLocalServer", "EntiaPostgreSQL",
        "EntiaPostgreSQLRecords", "EntiaTestSupport",
      ]),
    // The server that the tests start. It is no product.
    .target(name: "EntiaLocalServer", path: "Tests/EntiaLocalServer"),
    // Shares a library with other processes until the test that started it kills it. It is no
    // product.
    .executableTarget(
      name: "EntiaShareChild",
      dependencies: [
        "EntiaDatabase", "EntiaLaws", "EntiaPostgreSQL", "EntiaStore", "EntiaTestDomains",
      ],
      path: "Tests/EntiaShareChild"),
  ]
}

// Pages show files where SQLite is, and sharing where libpq is.
package.targets.first { $0.name == "EntiaGuideTests" }?.dependencies +=
  (hasSQLite ? ["EntiaSQLite"] : []) + (hasPostgreSQL ? ["EntiaPostgreSQL"] : [])

// Some rooms are also tested in builds of another kind, and those are builds without the others.
if let chosen = Context.environment["ENTIA_TARGETS"] {
  var rooms = chosen.split(whereSeparator: \.isWhitespace).map(String.init)
  rooms += ["EntiaTestSupport", "EntiaNeighbor"]
  if rooms.contains("EntiaDatabase") { rooms.append("EntiaTestDomains") }
  if rooms.contains("EntiaSQLiteRecordsTests") { rooms.append("EntiaKeepExample") }
  if rooms.contains("EntiaPostgreSQLTests") { rooms += ["EntiaLocalServer", "EntiaShareChild"] }
  if rooms.contains("EntiaPostgreSQLRecordsTests") { rooms.append("EntiaLocalServer") }
  if rooms.contains("EntiaSQLiteTests") {
    rooms += ["EntiaFaultVFS", "EntiaKeepChild", "EntiaKeepHistories"]
  }
  package.products.removeAll()
  package.targets.removeAll { !rooms.contains($0.name) }
}

// With it, collections check their invariants after every change.
if Context.environment["ENTIA_INTERNAL_CHECKS"] == "1" {
  package.targets.first { $0.name == "EntiaCollections" }?.swiftSettings = [
    .define("ENTIA_INTERNAL_CHECKS")
  ]
}

// The tool reads and writes SQLite files where it can; elsewhere it names the package to install.
if package.targets.contains(where: { $0.name == "EntiaSQLiteRecords" }) {
  for target in package.targets where ["EntiaCLI", "EntiaCLITests"].contains(target.name) {
    target.dependencies +=
      target.name == "EntiaCLI" ? ["EntiaSQLiteRecords"] : ["EntiaSQLite", "EntiaTestDomains"]
    target.swiftSettings = (target.swiftSettings ?? []) + [.define("ENTIA_SQLITE")]
  }
}

// So it is with shared spaces.
if package.targets.contains(where: { $0.name == "EntiaPostgreSQLRecords" }) {
  for target in package.targets where ["EntiaCLI", "EntiaCLITests"].contains(target.name) {
    target.dependencies +=
      target.name == "EntiaCLI"
      ? ["EntiaCollections", "EntiaPostgreSQL", "EntiaPostgreSQLRecords", "EntiaStore"]
      : ["EntiaLocalServer"]
    target.swiftSettings = (target.swiftSettings ?? []) + [.define("ENTIA_POSTGRESQL")]
  }
}

for target in package.targets where target.type != .system && target.name != "EntiaFaultVFS" {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
