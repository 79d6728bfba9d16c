import EntiaExplorer
import EntiaRecords
import Foundation

/// `entia explore`: writes a page that shows a database in a browser.
enum ExploreCommand: Command {
  static let description = CommandDescription(
    name: "explore",
    summary: "Write a page that shows a database in a browser",
    discussion: [
      """
      Writes one HTML file with the rows, the links between them in both directions, what deleting \
      a row does, the schema as a diagram, orphans and the largest fan-outs. The page loads nothing \
      and needs no network.
      """,
      """
      With two databases the page shows the newer one, and what changed since the older. The page is \
      written next to the database, DB.html or NEW.changes.html, unless -o names another file.
      """,
      DatabaseInput.note,
    ],
    operands: [
      OperandDescription(
        placeholder: "DB",
        help: "What import -o wrote, JSON or SQLite, or an app's SQLite database; with NEW, the "
          + "older one. '-' reads standard input."),
      OperandDescription(placeholder: "NEW", isOptional: true, help: "The newer database."),
    ],
    options: DatabaseInput.options + [
      OptionDescription(
        "-o", .output("PAGE.html"), help: "Write the page there; '-' is standard output."),
      OptionDescription(openOption, help: "Open the page in the browser."),
    ])

  private static let openOption = "--open"

  static func run(
    _ arguments: ParsedArguments, console: Console
  ) throws(CommandFailure) -> ExitCode {
    let output = try output(of: arguments)
    let names = arguments.operands
    let databases = try DatabaseInput.read(names, arguments, console: console)
    let (name, database) = (names[names.count - 1], databases[databases.count - 1])
    let records = NumberedRecords(database)
    let rules = try SQLiteFile.deleteRules(of: name)
    var page = ExplorePage(records.page(rules: rules), name: title(of: name))
    if names.count > 1 {
      page.difference = records.page(
        database.difference(from: databases[0]), from: databases[0], named: title(of: names[0]))
    }
    try output.write(showing: console) { (put) throws(SystemCalls.Failure) in
      try page.write(to: put)
    }
    if !output.isStandardOutput { try console.print("wrote '\(output.name)'\n") }
    SystemCalls.keepUntilEnd(databases)
    if arguments.has(openOption) { try Browser.open(output.name) }
    return .success
  }

  /// Returns the file of the page: the file of the option, or a file next to the newest database.
  private static func output(of arguments: ParsedArguments) throws(CommandFailure) -> OutputFile {
    if arguments.has("-o") {
      if arguments.output.isStandardOutput, arguments.has(openOption) {
        throw CommandFailure(.usage, "\(openOption) needs a file; name it with -o PAGE.html")
      }
      return arguments.output
    }
    let name = arguments.operands[arguments.operands.count - 1]
    if name == InputFile.standardInput {
      throw CommandFailure(.usage, "standard input has no name; name the page with -o PAGE.html")
    }
    let ending = arguments.operands.count > 1 ? ".changes.html" : ".html"
    let output = OutputFile(name: withoutEnding(name) + ending)
    try output.check()
    // The user did not choose this name. An existing file must therefore be kept, unless it is a
    // page of this command.
    let existing = InputFile(name: output.name)
    if existing.size > 0, try !existing.begins(with: ExplorePage.mark) {
      throw CommandFailure(
        .cannotWrite,
        "'\(output.name)' exists and is not a page of entia explore; name another file with -o")
    }
    return output
  }

  /// Returns a file's name without its folder.
  private static func title(of name: String) -> String {
    name == InputFile.standardInput
      ? "standard input" : String(name.dropFirst(SystemCalls.folder(of: name).count))
  }

  /// Returns a path without the ending of its file name, and without the ending of a compressed
  /// file.
  private static func withoutEnding(_ path: String) -> String {
    let folder = SystemCalls.folder(of: path)
    var name = path.dropFirst(folder.count)
    if name.lowercased().hasSuffix(".gz") { name = name.dropLast(3) }
    // A name whose only dot is the first character has no ending.
    if let dot = name.lastIndex(of: "."), dot > name.startIndex { name = name[..<dot] }
    return folder + name
  }
}

/// The browser of the user.
enum Browser {
  #if os(macOS)
    private static let program = "open"
  #else
    private static let program = "xdg-open"
  #endif

  /// Opens a page in the browser, with the system's program for this.
  ///
  /// - Throws: A failure with `unavailable` if there is no such program, or if it fails.
  static func open(_ name: String) throws(CommandFailure) {
    let process = Process()
    // `env` searches for the program in the user's path.
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program, name.hasPrefix("/") ? name : "./" + name]
    var reason = "'\(program)' failed"
    do {
      try process.run()
      process.waitUntilExit()
      if process.terminationReason == .exit, process.terminationStatus == 0 { return }
    } catch {
      reason = "'\(program)' cannot be run"
    }
    throw CommandFailure(
      .unavailable, "cannot open '\(name)': \(reason); open the file in a browser")
  }
}
