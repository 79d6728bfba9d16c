/// Refuses outputs that would destroy an input.
enum Overwriting {
  /// Throws a failure with `usage` if an output file is also an input, under any of its names.
  ///
  /// A file that is read and written back, such as that of `--into`, may also be the output.
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

  /// Returns the name of the input, if it differs from that of the output.
  private static func other(_ input: String, _ output: String) -> String {
    input == output ? "" : ", named \(spoken(input))"
  }

  private static func spoken(_ name: String) -> String {
    name == InputFile.standardInput ? "standard input" : "'\(name)'"
  }
}
