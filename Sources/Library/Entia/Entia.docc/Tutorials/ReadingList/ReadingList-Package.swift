// swift-tools-version: 6.1
import PackageDescription

let package = Package(
  name: "ReadingList",
  platforms: [.macOS(.v14)],
  dependencies: [.package(path: "../entia")],
  targets: [
    .executableTarget(
      name: "ReadingList",
      dependencies: [.product(name: "Entia", package: "entia")])
  ])
