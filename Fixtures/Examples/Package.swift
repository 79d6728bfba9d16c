// swift-tools-version: 6.1
import Foundation
import PackageDescription

let entia: Target.Dependency = .product(name: "Entia", package: "entia")
let json: Target.Dependency = .product(name: "EntiaJSON", package: "entia")
let sqlite: Target.Dependency = .product(name: "EntiaSQLite", package: "entia")
let postgreSQL: Target.Dependency = .product(name: "EntiaPostgreSQL", package: "entia")

let package = Package(
  name: "entia-examples",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "entia", path: "../..")],
  targets: [
    .executableTarget(name: "BooksToRead", dependencies: [entia]),
    .executableTarget(name: "ImportJob", dependencies: [entia, json]),
    .executableTarget(name: "NewsFeed", dependencies: [entia, json]),
    .executableTarget(name: "Server", dependencies: [entia]),
    .executableTarget(name: "OutlineEditor", dependencies: [entia]),
    .executableTarget(name: "TaskApp", dependencies: [entia]),
  ]
)

// Entia has the products EntiaSQLite and EntiaPostgreSQL where the headers of SQLite and libpq are.
func hasHeader(_ name: String, in folders: String...) -> Bool {
  folders.contains { FileManager.default.fileExists(atPath: "\($0)/\(name)") }
}

#if os(Linux)
  let hasSQLite = hasHeader("sqlite3.h", in: "/usr/include", "/usr/local/include")
  let hasPostgreSQL = hasHeader(
    "libpq-fe.h", in: "/usr/include/postgresql", "/usr/include", "/usr/local/include/postgresql",
    "/usr/local/include")
#else
  let hasSQLite = true
  let hasPostgreSQL = hasHeader(
    "libpq-fe.h", in: "/opt/homebrew/opt/libpq/include", "/usr/local/opt/libpq/include")
#endif

if hasSQLite {
  let recipes = "Sources/Recipes"
  package.targets += [
    .executableTarget(name: "KeptNotes", dependencies: [entia, sqlite]),
    // Two programs on one file, and what they have in common.
    .target(name: "TodayList", dependencies: [entia]),
    .executableTarget(name: "TodayApp", dependencies: [entia, sqlite, "TodayList"]),
    .executableTarget(name: "TodayWidget", dependencies: [entia, sqlite, "TodayList"]),
    .target(name: "RecipeBook", dependencies: [entia, sqlite], path: "\(recipes)/Model"),
    .executableTarget(
      name: "Recipes", dependencies: [entia, "RecipeBook"], path: "\(recipes)/Terminal"),
    .executableTarget(
      name: "RecipesApp", dependencies: [entia, "RecipeBook"], path: "\(recipes)/App"),
  ]
}
if hasPostgreSQL {
  for name in ["SharedTasks", "SharedNotes"] {
    package.targets.append(.executableTarget(name: name, dependencies: [entia, postgreSQL]))
  }
}
