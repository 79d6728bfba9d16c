/// The tool: selects the command, checks its inputs and options, and runs it.
package enum EntiaCommand {
  static let version = "0.1.0"
  static let commands: [any Command.Type] = [
    ImportCommand.self, VerifyCommand.self, ExportCommand.self, DenormalizeCommand.self,
    SchemaCommand.self,
    DiffCommand.self, StatsCommand.self, ExploreCommand.self, GetCommand.self, PatchCommand.self,
    DeleteCommand.self, EvictCommand.self, GenerateCommand.self, PushCommand.self, PullCommand.self,
    ShareInstallCommand.self,
  ]

  /// Runs the tool with the process's arguments and ends the process.
  package static func main() -> Never {
    SystemCalls.returnFreedMemory()
    SystemCalls.ignoreBrokenPipes()
    SignalHandling.installHandlers()
    let code = run(Array(CommandLine.arguments.dropFirst()), console: Console())
    SystemCalls.endProcess(code.rawValue)
  }

  static func run(_ words: [String], console: Console) -> ExitCode {
    do throws(CommandFailure) {
      guard let first = words.first else { throw unknown(nil) }
      switch first {
      case "--help", "-h", "help":
        return try help(Array(words.dropFirst()), console: console)
      case "--version", "-v":
        try console.print("entia \(version)\n")
        return .success
      default:
        let (command, rest) = try command(of: words)
        guard let command else {
          try console.print(HelpText.overview(of: group(first).map { $0.description }))
          return .success
        }
        return run(command, rest, console: console)
      }
    } catch {
      console.complain(error.messages.map { "entia: " + $0 })
      return error.exitCode
    }
  }

  /// Prints the help of the tool, or of a command.
  private static func help(
    _ words: [String], console: Console
  ) throws(CommandFailure) -> ExitCode {
    guard let word = words.first, !word.hasPrefix("-") else {
      try console.print(HelpText.overview(of: commands.map { $0.description }))
      return .success
    }
    let (command, _) = try command(
      of: words.count > 1 || group(word).isEmpty ? words : [word, "-h"])
    guard let command else {
      try console.print(HelpText.overview(of: group(word).map { $0.description }))
      return .success
    }
    try console.print(HelpText.help(of: command.description))
    return .success
  }

  /// Returns the command that the first one or two words name, and the other words (`rest`). The
  /// command is `nil` if the words request the help of a group of commands.
  ///
  /// - Throws: A failure with `usage` if there is no such command.
  private static func command(
    of words: [String]
  ) throws(CommandFailure) -> (command: (any Command.Type)?, rest: [String]) {
    let first = words[0]
    if let command = commands.first(where: { $0.description.name == first }) {
      return (command, Array(words.dropFirst()))
    }
    let group = group(first)
    if group.isEmpty { throw unknown(first) }
    guard words.count > 1 else {
      throw unknown(nil, among: group.map { $0.description.name })
    }
    if [CommandDescription.help.name, "-h"].contains(words[1]) { return (nil, []) }
    let name = "\(first) \(words[1])"
    guard let command = group.first(where: { $0.description.name == name }) else {
      // The second word may be a command outside the group, as in `share push`.
      if commands.contains(where: { $0.description.name == words[1] }) {
        throw unknown(name, suggestion: "entia \(words[1])")
      }
      throw unknown(name)
    }
    return (command, Array(words.dropFirst(2)))
  }

  /// Returns the commands of a group. Their two-word names begin with the word of the group.
  private static func group(_ word: String) -> [any Command.Type] {
    commands.filter { $0.description.name.hasPrefix(word + " ") }
  }

  private static func run(
    _ command: any Command.Type, _ words: [String], console: Console
  ) -> ExitCode {
    let description = command.description
    let arguments = ArgumentParser.parse(words, as: description)
    do throws(CommandFailure) {
      if arguments.requestsHelp {
        try console.print(HelpText.help(of: description))
        return .success
      }
      let missing = arguments.inputs.filter { !InputFile(name: $0).exists }
      if !missing.isEmpty { throw InputFile.missing(missing) }
      if !arguments.problems.isEmpty {
        throw CommandFailure(.usage, arguments.problems, showsUsage: true)
      }
      try Overwriting.refuse(arguments)
      if !arguments.has("--dry-run") {
        // If the file that the command changes is also an output, it keeps its format, even if it
        // is a database.
        let changed = arguments.changed.compactMap { OutputFile(name: $0).identity }
        for name in arguments.outputs {
          var output = OutputFile(name: name)
          if let identity = output.identity, changed.contains(identity) {
            output.replacesDatabases = true
          }
          try output.check()
        }
      }
      return try command.run(arguments, console: console)
    } catch {
      // Programs read the JSON report, so one is printed for each failure, too.
      if description.option(named: ReportStyle.option.name) != nil, !error.messages.isEmpty,
        ReportStyle(arguments) == .json
      {
        let report = ReportStyle.json.render(error.report)
        let stream: Console.Stream =
          arguments.value("-o") == OutputFile.standardOutput ? .error : .output
        do { try console.print(report, to: stream) } catch {}
      }
      console.complain(
        error.messages.map { $0.hasPrefix(" ") ? $0 : "entia \(description.name): " + $0 })
      if error.showsUsage {
        console.complain([
          HelpText.usage(of: description), "'entia \(description.name) --help' prints more.",
        ])
      }
      return error.exitCode
    }
  }

  private static func unknown(
    _ word: String?, among group: [String]? = nil, suggestion: String? = nil
  ) -> CommandFailure {
    let names = group ?? commands.map { $0.description.name }
    let known = names + ["--help", "--version"]
    let ending = "'entia --help' prints more."
    guard let word else {
      let list = names.count == 1 ? names[0] : "one of \(names.joined(separator: ", "))"
      return CommandFailure(.usage, ["missing command: \(list)", ending])
    }
    let kind = word.hasPrefix("-") ? "option" : "command"
    let phrase =
      suggestion.map { "; did you mean '\($0)'?" } ?? DidYouMean.phrase(for: word, among: known)
    return CommandFailure(.usage, ["unknown \(kind) '\(word)'" + phrase, ending])
  }
}
