/// A command line taken apart, with everything that was wrong with it.
///
/// Problems are collected rather than thrown, because inputs are looked for before options are
/// judged: who misspells a file and forgets an option hears of the file first.
struct ParsedArguments: Equatable {
  /// The files, in the order given.
  private(set) var operands: [String] = []
  /// The files and other inputs that are surely meant as such, in the order given.
  private(set) var inputs: [String] = []
  /// The files that are written, in the order given.
  private(set) var outputs: [String] = []
  /// The files that are read if they are there, and then written.
  private(set) var changed: [String] = []
  /// What is wrong, in the order found.
  private(set) var problems: [String] = []
  /// Whether `--help` was asked for; it outranks every problem.
  private(set) var asksForHelp = false
  private var values: [String: [String]] = [:]

  /// The value of an option that is given at most once.
  func value(_ option: String) -> String? {
    values[option]?.first
  }

  /// Every value of an option that may be repeated, in the order given.
  func values(_ option: String) -> [String] {
    values[option] ?? []
  }

  /// Whether an option was given at all.
  func has(_ option: String) -> Bool {
    values[option] != nil
  }

  /// The value of an option that takes a whole number; nil when it was not given.
  func count(_ option: String) -> Int? {
    value(option).flatMap { Int($0) }
  }

  /// The value of an option that takes one of an enumeration's words; nil when it was not given.
  func choice<Choice: RawRepresentable<String>>(_ option: String) -> Choice? {
    value(option).flatMap(Choice.init)
  }

  mutating func note(problem: String) {
    problems.append(problem)
  }

  mutating func noteHelp() {
    asksForHelp = true
  }

  /// Takes a word without dashes.
  ///
  /// A word behind an unknown option may have been meant as that option's value, so it is not
  /// looked for as a file.
  mutating func add(operand: String, isInput: Bool) {
    operands.append(operand)
    if isInput { inputs.append(operand) }
  }

  mutating func add(option: OptionDescription, value: String?) {
    switch (option.argument, value) {
    case (.input, .some(let value)): inputs.append(value)
    case (.output, .some(let value)): outputs.append(value)
    case (.inputAndOutput, .some(let value)): changed.append(value)
    default: break
    }
    values[option.name, default: []] += value.map { [$0] } ?? []
  }
}
