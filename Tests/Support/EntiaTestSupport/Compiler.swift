import Foundation

/// An error as the compiler reports it.
public struct CompilerError: Hashable, Sendable, CustomStringConvertible {
  /// The name of the file.
  public var file: String
  /// The line, counted from 1.
  public var line: Int
  /// The message.
  public var message: String

  /// Creates an error.
  public init(file: String, line: Int, message: String) {
    self.file = file
    self.line = line
    self.message = message
  }

  /// The place and the message, as the compiler writes them.
  public var description: String { "\(file):\(line): error: \(message)" }

  /// Whether an error is the one that this describes, where `…` stands for any text.
  public func matches(_ error: CompilerError) -> Bool {
    file == error.file && line == error.line && matchesMessage(of: error)
  }

  /// Whether the message is the one that this describes, where `…` stands for any text.
  public func matchesMessage(of error: CompilerError) -> Bool {
    if message == error.message { return true }
    let pieces = message.components(separatedBy: "…")
    guard pieces.count > 1, let first = pieces.first, let last = pieces.last else { return false }
    var rest = Substring(error.message)
    guard rest.hasPrefix(first) else { return false }
    rest = rest.dropFirst(first.count)
    for piece in pieces.dropFirst().dropLast() {
      guard let range = rest.range(of: piece) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(last)
  }
}

/// The Swift compiler of the toolchain that this test runs with, and where the test was built.
public struct Compiler: Sendable {
  private let command: [String]

  /// The compiler; `nil` where there is none.
  public static let found: Compiler? = {
    #if os(macOS)
      return Compiler(command: ["/usr/bin/xcrun", "swiftc"])
    #else
      let environment = ProcessInfo.processInfo.environment
      let searched = (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/swiftc" }
      let path = ([besideRuntime].compactMap { $0 } + searched).first {
        FileManager.default.isExecutableFile(atPath: $0)
      }
      return path.map { Compiler(command: [$0]) }
    #endif
  }()

  /// Where the compiler is in the toolchain whose runtime is loaded: `usr/bin` beside `usr/lib`.
  private static var besideRuntime: String? {
    guard let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8) else {
      return nil
    }
    let line = maps.split(separator: "\n").first { $0.hasSuffix("/libswiftCore.so") }
    guard let path = line.flatMap({ $0.firstIndex(of: "/").map($0.suffix(from:)) }) else {
      return nil
    }
    let usr = URL(fileURLWithPath: String(path)).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return usr.appendingPathComponent("bin/swiftc").path
  }

  /// The folder of the modules and of the macro's plugin that this test was built with.
  private func products() throws -> (modules: String, plugin: String, cache: String) {
    var folder = Self.executable.deletingLastPathComponent()
    let files = FileManager.default
    while folder.path != "/" {
      let modules = [folder.appendingPathComponent("Modules"), folder].first {
        files.fileExists(atPath: $0.appendingPathComponent("Entia.swiftmodule").path)
      }
      let plugin = ["EntiaMacros-tool", "EntiaMacros"].map(folder.appendingPathComponent).first {
        files.isExecutableFile(atPath: $0.path)
      }
      if let modules, let plugin {
        let cache = folder.appendingPathComponent("ModuleCache")
        return (modules.path, plugin.path, cache.path)
      }
      folder.deleteLastPathComponent()
    }
    throw ProductsMissing(executable: Self.executable.path)
  }

  private static var executable: URL {
    #if os(macOS)
      let bundles = Bundle.allBundles.map(\.bundleURL)
      if let bundle = bundles.first(where: { $0.pathExtension == "xctest" }) { return bundle }
      return bundles.first ?? Bundle.main.bundleURL
    #else
      return URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    #endif
  }

  /// Whether a module is among those that this test was built with.
  public func hasModule(_ name: String) throws -> Bool {
    let folder = URL(fileURLWithPath: try products().modules)
    let path = folder.appendingPathComponent("\(name).swiftmodule").path
    return FileManager.default.fileExists(atPath: path)
  }

  /// Type-checks files as one module and returns the errors, those in expansions of macros too.
  ///
  /// - Parameters:
  ///   - paths: The paths of the files.
  ///   - includePaths: Folders with further modules.
  ///   - options: Further options of the compiler.
  /// - Returns: The errors; none if the files compile.
  /// - Throws: `CompilerFailure` if the compiler fails without an error in the files.
  public func errors(
    in paths: [String], includePaths: [String] = [], options: [String] = []
  ) throws -> [CompilerError] {
    let products = try products()
    var arguments = command + ["-typecheck", "-whole-module-optimization", "-parse-as-library"]
    arguments += ["-swift-version", "6", "-enable-upcoming-feature", "ExistentialAny"]
    arguments += ["-module-name", "Programs", "-suppress-warnings", "-diagnostic-style", "llvm"]
    arguments += ["-I", products.modules, "-module-cache-path", products.cache]
    for path in includePaths { arguments += ["-I", path] }
    arguments += ["-Xfrontend", "-load-plugin-executable"]
    arguments += ["-Xfrontend", "\(products.plugin)#EntiaMacros"]
    let (output, status) = try run(arguments + options + paths)
    let errors = output.split(separator: "\n").compactMap { line -> CompilerError? in
      guard let range = line.range(of: ": error: ") else { return nil }
      let place = line[..<range.lowerBound].split(separator: ":")
      guard place.count == 3, let number = Int(place[1]) else { return nil }
      let message = line[range.upperBound...].trimmingCharacters(in: .whitespaces)
      let file = URL(fileURLWithPath: String(place[0])).lastPathComponent
      return CompilerError(file: file, line: number, message: message)
    }
    // Without errors of its own it failed for another reason, such as modules it cannot read.
    if errors.isEmpty, status != 0 { throw CompilerFailure(output: output) }
    return errors
  }

  private func run(_ command: [String]) throws -> (output: String, status: Int32) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (String(decoding: output, as: UTF8.self), process.terminationStatus)
  }
}

/// The error for a test that was built without the modules and the plugin.
public struct ProductsMissing: Error, CustomStringConvertible {
  let executable: String

  /// A sentence that names the test.
  public var description: String {
    "the modules and the macro's plugin are in no folder above \(executable)"
  }
}

/// The error for a compiler that fails without an error in the files.
public struct CompilerFailure: Error, CustomStringConvertible {
  let output: String

  /// A sentence with the output of the compiler.
  public var description: String { "the compiler reports no error in the files:\n\(output)" }
}
