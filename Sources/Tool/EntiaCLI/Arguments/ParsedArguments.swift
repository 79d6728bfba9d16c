/// A parsed command line with all its problems.
///
/// Problems are collected rather than thrown, because missing inputs are reported before problems
/// of options. If a file name is misspelled and an option is missing, the file is reported first.
struct ParsedArguments: Equatable {
  /// The operands, in the given order.
  private(set) var operands: [String] = []
  /// The operands and option values that can only be input files, in the given order.
  private(set) var inputs: [String] = []
  /// The files that are written, in the given order.
  private(set) var outputs: [String] = []
  /// The files that are read if they exist, and then written.
  private(set) var changed: [String] = []
  /// The problems, in the order in which they were found.
  private(set) var problems: [String] = []
  /// Whether `--help` was given, which takes precedence over every problem.
  private(set) var requestsHelp = false
  private var values: [String: [String]] = [:]

  /// Returns the value of an option that is given at most once.
  func value(_ option: String) -> String? {
    values[option]?.first
  }

  /// Returns all values of an option that may repeat, in the given order.
  func values(_ option: String) -> [String] {
    values[option] ?? []
  }

  /// Whether an option was given at all.
  func has(_ option: String) -> Bool {
    values[option] != nil
  }

  /// Returns the value of an option that takes an integer, or `nil` if it was not given.
  func count(_ option: String) -> Int? {
    value(option).flatMap { Int($0) }
  }

  /// Returns the value of an option that takes one of an enumeration's words, or `nil` if the
  /// option was not given.
  func choice<Choice: RawRepresentable<String>>(_ option: String) -> Choice? {
    value(option).flatMap(Choice.init)
  }

  /// The output file; standard output by default.
  var output: OutputFile { OutputFile(name: value("-o") ?? OutputFile.standardOutput) }

  mutating func note(problem: String) {
    problems.append(problem)
  }

  mutating func noteHelp() {
    requestsHelp = true
  }

  /// Adds an operand.
  ///
  /// A word after an unknown option may be that option's value. `isInput` is then `false`, so that
  /// the word is not reported as a missing file.
  mutating func add(operand: String, isInput: Bool) {
    operands.append(operand)
    if isInput { inputs.append(operand) }
  }

  mutating func add(option: OptionDescription, value: String?) {
    switch (option.argument, value) {
    case (.input, .some(let value)): inputs.append(value)
    case (.output, .some(let value)), (.database, .some(let value)): outputs.append(value)
    case (.inputAndOutput, .some(let value)): changed.append(value)
    default: break
    }
    values[option.name, default: []] += value.map { [$0] } ?? []
  }
}
