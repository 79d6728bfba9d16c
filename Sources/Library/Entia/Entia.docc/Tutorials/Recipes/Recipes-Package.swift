// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "Recipes",
  platforms: [.macOS(.v14)],
  dependencies: [.package(path: "../entia")],
  targets: [
    .target(
      name: "RecipeBook",
      dependencies: [
        .product(name: "Entia", package: "entia"),
        .product(name: "EntiaSQLite", package: "entia"),
      ]),
    .executableTarget(
      name: "Recipes",
      dependencies: ["RecipeBook", .product(name: "Entia", package: "entia")]),
  ])
