/// Refuses outputs that would destroy an input.
enum Overwriting {
  /// Throws `usage` when a file that is written is one that is read, whatever its names are.
  ///
  /// A file that is read and written back, such as `--into`'s, may be the output as well.
  static func refuse(_ arguments: ParsedArguments) throws(CommandFailure) {
    let inputs = arguments.inputs.map(InputFile.init)
    var problems: [String] = []
    var outputs = arguments.outputs
    if outputs.isEmpty { outputs = arguments.changed }
    for name in outputs where name != OutputFile.standardOutput {
      guard let output = OutputFile(name: name).identity,
        let input = inputs.first(where: { $0.identity == output })
      else { continue }
      problems.append(
        "'\(name)' would be overwritten, and it is an input\(other(input.name, name)); name another "
          + "file to write")
    }
    if let output = OutputFile(name: OutputFile.standardOutput).identity,
      let input = inputs.first(where: { $0.identity == output })
    {
      problems.append(
        "standard output goes into the input \(spoken(input.name)); send it to another file")
    }
    if !problems.isEmpty { throw CommandFailure(.usage, problems) }
  }

  /// How the input is called, if it has another name than the output.
  private static func other(_ input: String, _ output: String) -> String {
    input == output ? "" : ", named \(spoken(input))"
  }

  private static func spoken(_ name: String) -> String {
    name == InputFile.standardInput ? "standard input" : "'\(name)'"
  }
}
