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

extension Target {
  /// A room of the library.
  static func library(
    _ name: String, uses: [Dependency] = [], without: [String] = []
  ) -> Target {
    .target(
      name: name, dependencies: uses, path: "Sources/Library/\(name)", exclude: without)
  }

  /// A room of the command-line tool.
  static func tool(_ name: String, uses: [Dependency], without: [String] = []) -> Target {
    .target(name: name, dependencies: uses, path: "Sources/Tool/\(name)", exclude: without)
  }

  /// The tests of a room.
  static func tests(
    _ name: String, of folder: String = "Library", uses: [Dependency], without: [String] = []
  ) -> Target {
    .testTarget(
      name: name, dependencies: uses, path: "Tests/\(folder)/\(name)", exclude: without)
  }

  /// Code that tests of several rooms share. It is no product.
  static func support(
    _ name: String, uses: [Dependency] = [], without: [String] = []
  ) -> Target {
    .target(name: name, dependencies: uses, path: "Tests/Support/\(name)", exclude: without)
  }

  /// A program that tests run as a process of its own. It is no product.
  static func program(_ name: String, uses: [Dependency]) -> Target {
    .executableTarget(name: name, dependencies: uses, path: "Tests/Support/\(name)")
  }
}

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
    // Import and export of entities as JSON, for programs and servers.
    .library(name: "EntiaJSON", targets: ["EntiaJSON"]),
    // What a running store does, as text and as a page, for debugging.
    .library(name: "EntiaInspector", targets: ["EntiaInspector"]),
    // The laws as checks of storages of your own, for test targets.
    .library(name: "EntiaLaws", targets: ["EntiaLaws"]),
    // Rows without Swift types, for programs that read any JSON.
    .library(name: "EntiaRecords", targets: ["EntiaRecords"]),
    // The command-line tool.
    .executable(name: "entia", targets: ["EntiaTool"]),
  ],
  targets: [
    // The library, from the ground up.
    .library("EntiaCollections"),
    .library("EntiaCoding"),
    .library("EntiaDatabase", uses: ["EntiaCoding", "EntiaCollections"]),
    .library("EntiaStore", uses: ["EntiaCollections", "EntiaDatabase"]),
    // Beside the plugin, because tests of a macro are built for the compiler's machine, and with
    // them everything else a second time.
    .library("EntiaMacroExpansion"),
    .macro(
      name: "EntiaMacros", dependencies: ["EntiaMacroExpansion"],
      path: "Sources/Library/EntiaMacros"),
    .library("Entia", uses: ["EntiaCollections", "EntiaDatabase", "EntiaStore", "EntiaMacros"]),
    .library("EntiaJSON", uses: ["EntiaCoding", "EntiaCollections", "EntiaDatabase"]),
    // In C, which embeds the files of the page.
    .library("EntiaExplorerWeb"),
    .library(
      "EntiaExplorer",
      uses: ["EntiaCoding", "EntiaCollections", "EntiaDatabase", "EntiaExplorerWeb"],
      without: ["Web"]),
    .library(
      "EntiaInspector",
      uses: ["EntiaCoding", "EntiaCollections", "EntiaDatabase", "EntiaExplorer", "EntiaStore"]),
    // Batches that many processes make of one database, over any log of them.
    .library(
      "EntiaSharing", uses: ["EntiaCoding", "EntiaCollections", "EntiaDatabase", "EntiaStore"]),
    .library("EntiaLaws", uses: ["EntiaCollections", "EntiaDatabase", "EntiaStore"]),

    // The tool.
    .tool("EntiaRecords", uses: ["EntiaCoding", "EntiaCollections", "EntiaDatabase", "EntiaJSON"]),
    // A library with a main file of its own: tests cannot rely on importing an executable when the
    // package also has a macro.
    .tool(
      "EntiaCLI",
      uses: [
        "EntiaCoding", "EntiaCollections", "EntiaDatabase", "EntiaExplorer", "EntiaJSON",
        "EntiaRecords",
      ],
      without: (hasSQLite ? [] : ["SQLite"]) + (hasPostgreSQL ? [] : ["PostgreSQL"])),
    .executableTarget(
      name: "EntiaTool", dependencies: ["EntiaCLI"], path: "Sources/Tool/EntiaTool"),

    // The tests.
    .support("EntiaTestSupport", without: ["Pages/check.js"]),
    // Three storages: a library, a social feed and a shop.
    .support("EntiaTestDomains", uses: ["EntiaDatabase"]),
    // A state with a shared database, edits of it for histories of several clients, and processes
    // that share it.
    .support(
      "EntiaSharedState",
      uses: ["EntiaDatabase", "EntiaLaws", "EntiaSharing", "EntiaStore", "EntiaTestDomains"]),
    // Stands for a library that an app uses beside Entia, with names that Entia has too.
    .support("EntiaNeighbor"),
    .tests(
      "EntiaCollectionsTests", uses: ["EntiaCollections", "EntiaTestSupport"],
      without: ["HashTable/Histories/Fuzzing"]),
    .tests(
      "EntiaCodingTests", uses: ["EntiaCoding", "EntiaTestSupport"], without: ["JSON/Fuzzing"]),
    .tests(
      "EntiaDatabaseTests",
      uses: [
        "EntiaCollections", "EntiaDatabase", "EntiaLaws", "EntiaTestDomains", "EntiaTestSupport",
      ]),
    .tests(
      "EntiaStoreTests",
      uses: [
        "EntiaCollections", "EntiaDatabase", "EntiaStore", "EntiaLaws", "EntiaTestDomains",
        "EntiaTestSupport",
      ]),
    .tests("EntiaMacroExpansionTests", uses: ["EntiaMacroExpansion", "EntiaTestSupport"]),
    .tests(
      "EntiaTests",
      uses: ["Entia", "EntiaDatabase", "EntiaLaws", "EntiaNeighbor", "EntiaTestSupport"],
      without: ["NotCompiling/Programs"]),
    .tests(
      "EntiaJSONTests",
      uses: [
        "Entia", "EntiaCoding", "EntiaDatabase", "EntiaJSON", "EntiaLaws", "EntiaRecords",
        "EntiaTestDomains", "EntiaTestSupport",
      ]),
    .tests(
      "EntiaLawsTests",
      uses: [
        "EntiaCollections", "EntiaDatabase", "EntiaLaws", "EntiaTestDomains", "EntiaTestSupport",
      ]),
    .tests("EntiaExplorerTests", uses: ["EntiaExplorer", "EntiaTestSupport"]),
    .tests(
      "EntiaInspectorTests",
      uses: [
        "EntiaCoding", "EntiaDatabase", "EntiaExplorer", "EntiaInspector", "EntiaStore",
        "EntiaTestDomains", "EntiaTestSupport",
      ]),
    .tests(
      "EntiaSharingTests",
      uses: [
        "EntiaCoding", "EntiaCollections", "EntiaDatabase", "EntiaLaws", "EntiaSharedState",
        "EntiaSharing", "EntiaStore", "EntiaTestDomains", "EntiaTestSupport",
      ]),
    // The code of the README, the articles and the tutorials.
    .tests(
      "EntiaGuideTests",
      uses: [
        "Entia", "EntiaCollections", "EntiaInspector", "EntiaJSON", "EntiaLaws", "EntiaRecords",
        "EntiaTestSupport",
      ],
      without: ["Preambles"]),
    .tests(
      "EntiaRecordsTests", of: "Tool",
      uses: [
        "Entia", "EntiaCoding", "EntiaDatabase", "EntiaJSON", "EntiaLaws", "EntiaRecords",
        "EntiaTestDomains", "EntiaTestSupport",
      ]),
    .tests(
      "EntiaCLITests", of: "Tool",
      uses: [
        "EntiaCLI", "EntiaCoding", "EntiaDatabase", "EntiaExplorer", "EntiaJSON", "EntiaLaws",
        "EntiaRecords", "EntiaSharing", "EntiaStore", "EntiaTestDomains", "EntiaTestSupport",
        "EntiaTool",
      ],
      without: (hasSQLite ? [] : ["SQLite"]) + (hasPostgreSQL ? [] : ["PostgreSQL"])),
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
      name: "EntiaMacroExpansionDifferentialTests",
      dependencies: ["EntiaMacroExpansion", "EntiaTestSupport"],
      path: "Tests/Library/EntiaMacroExpansionDifferentialTests",
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
      name: "EntiaSystemSQLite", path: "Sources/Library/EntiaSystemSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .yum(["sqlite-devel"]), .brew(["sqlite"])]),
    .library(
      "EntiaSQLite",
      uses: [
        "EntiaCoding", "EntiaCollections", "EntiaDatabase", "EntiaSharing", "EntiaStore",
        "EntiaSystemSQLite",
      ]),
    .tests(
      "EntiaSQLiteTests",
      uses: [
        "Entia", "EntiaCollections", "EntiaDatabase", "EntiaLaws", "EntiaSharing", "EntiaSQLite",
        "EntiaStore", "EntiaBesideChild", "EntiaFaultVFS", "EntiaKeepChild", "EntiaKeepHistories",
        "EntiaSharedState", "EntiaSystemSQLite", "EntiaTestDomains", "EntiaTestSupport",
      ]),
    // A disk for SQLite that loses power or fails to write, as a test chooses.
    .support("EntiaFaultVFS", uses: ["EntiaSystemSQLite"]),
    // The program of the guide's first file.
    .program("EntiaKeepExample", uses: ["Entia", "EntiaSQLite"]),
    // Saves a random history until the test that started it kills it.
    .program("EntiaKeepChild", uses: ["EntiaKeepHistories", "EntiaSQLite", "EntiaTestDomains"]),
    // Shares a library in a file with other processes until the test that started it kills it.
    .program(
      "EntiaBesideChild",
      uses: [
        "EntiaDatabase", "EntiaFaultVFS", "EntiaSQLite", "EntiaSharedState", "EntiaStore",
        "EntiaTestDomains",
      ]),
    .support(
      "EntiaKeepHistories",
      uses: ["EntiaCollections", "EntiaDatabase", "EntiaLaws", "EntiaSQLite", "EntiaTestDomains"]),
  ]
}

if hasPostgreSQL {
  package.products.append(
    // A database shared through PostgreSQL.
    .library(name: "EntiaPostgreSQL", targets: ["EntiaPostgreSQL"]))
  package.targets += [
    .systemLibrary(
      name: "EntiaSystemPostgreSQL", path: "Sources/Library/EntiaSystemPostgreSQL",
      pkgConfig: "libpq",
      providers: [.apt(["libpq-dev"]), .yum(["libpq-devel"]), .brew(["libpq"])]),
    .library(
      "EntiaPostgreSQL",
      uses: [
        "EntiaCoding", "EntiaCollections", "EntiaDatabase", "EntiaSharing", "EntiaStore",
        "EntiaSystemPostgreSQL",
      ]),
    .tests(
      "EntiaPostgreSQLTests",
      uses: [
        "Entia", "EntiaCoding", "EntiaCollections", "EntiaDatabase", "EntiaLaws",
        "EntiaPostgreSQL", "EntiaLocalServer", "EntiaShareChild", "EntiaSharedState",
        "EntiaSharing", "EntiaStore", "EntiaSystemPostgreSQL", "EntiaTestDomains",
        "EntiaTestSupport",
      ]),
    // The server that the tests start.
    .support("EntiaLocalServer"),
    // Shares a library with other processes until the test that started it kills it.
    .program(
      "EntiaShareChild",
      uses: [
        "EntiaDatabase", "EntiaPostgreSQL", "EntiaSharedState", "EntiaStore", "EntiaTestDomains",
      ]),
  ]
}

// Pages show files where SQLite is, and sharing where libpq is; the tool reads and writes both, and
// elsewhere it names the package to install.
for target in package.targets {
  switch target.name {
  case "EntiaGuideTests":
    if hasSQLite { target.dependencies.append("EntiaSQLite") }
    if hasPostgreSQL { target.dependencies.append("EntiaPostgreSQL") }
  case "EntiaCLI", "EntiaCLITests":
    if hasSQLite {
      target.dependencies.append("EntiaSQLite")
      if target.name == "EntiaCLITests" {
        target.dependencies += ["EntiaBesideChild", "EntiaKeepExample", "EntiaSharedState"]
      }
      target.swiftSettings = (target.swiftSettings ?? []) + [.define("ENTIA_SQLITE")]
    }
    if hasPostgreSQL {
      target.dependencies.append("EntiaPostgreSQL")
      if target.name == "EntiaCLITests" {
        target.dependencies.append("EntiaLocalServer")
      } else {
        target.dependencies += ["EntiaSharing", "EntiaStore"]
      }
      target.swiftSettings = (target.swiftSettings ?? []) + [.define("ENTIA_POSTGRESQL")]
    }
  default: break
  }
}

// Some rooms are also tested in builds of another kind, and those are builds without the others.
if let chosen = Context.environment["ENTIA_TARGETS"] {
  var rooms = chosen.split(whereSeparator: \.isWhitespace).map(String.init)
  rooms += ["EntiaTestSupport", "EntiaNeighbor"]
  if rooms.contains("EntiaMacros") { rooms.append("EntiaMacroExpansion") }
  if rooms.contains("EntiaDatabase") { rooms.append("EntiaTestDomains") }
  if rooms.contains("EntiaExplorer") { rooms.append("EntiaExplorerWeb") }
  if rooms.contains("EntiaSharingTests") { rooms.append("EntiaSharedState") }
  if rooms.contains("EntiaPostgreSQLTests") {
    rooms += ["EntiaLocalServer", "EntiaShareChild", "EntiaSharedState"]
  }
  if rooms.contains("EntiaSQLiteTests") {
    rooms += [
      "EntiaBesideChild", "EntiaFaultVFS", "EntiaKeepChild", "EntiaKeepHistories",
      "EntiaSharedState",
    ]
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

let targetsInC = ["EntiaExplorerWeb", "EntiaFaultVFS"]
for target in package.targets where target.type != .system && !targetsInC.contains(target.name) {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
}
