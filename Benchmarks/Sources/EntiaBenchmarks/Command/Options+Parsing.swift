import BenchmarkReport

extension Options {
  private static let names = [
    "--suite", "--sizes", "--case", "--rounds", "--smoke", "--from", "--json", "--html", "--readme",
    "--compare", "--check", "--help",
  ]

  /// Parses the command line.
  /// - Throws: `UsageError` if the command line is invalid.
  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    var runOptions: [String] = []
    var sizesAreGiven = false
    while let argument = rest.popFirst() {
      switch argument {
      case "--suite": suites = try Self.suites(named: Self.values(of: argument, from: &rest))
      case "--sizes":
        sizes = try Self.sizes(Self.values(of: argument, from: &rest))
        sizesAreGiven = true
      case "--case": filter = try Self.value(of: argument, from: &rest)
      case "--rounds": rounds = try Self.rounds(Self.value(of: argument, from: &rest))
      case "--from": sourcePath = try Self.value(of: argument, from: &rest)
      case "--json": jsonPath = try Self.value(of: argument, from: &rest)
      case "--html": htmlPath = try Self.value(of: argument, from: &rest)
      case "--readme": readmePath = try Self.value(of: argument, from: &rest)
      case "--compare": comparedPath = try Self.value(of: argument, from: &rest)
      case "--check": isChecking = true
      case "--smoke": isSmoke = true
      case "--help", "-h": wantsHelp = true
      default:
        throw UsageError(
          description: "unknown option “\(argument)”" + suggestion(for: argument, among: Self.names)
        )
      }
      if ["--suite", "--sizes", "--case", "--rounds", "--smoke"].contains(argument) {
        runOptions.append(argument)
      }
    }
    if sourcePath != nil, let first = runOptions.first {
      throw UsageError(description: "--from runs nothing, so \(first) makes no sense beside it")
    }
    if isSmoke, !sizesAreGiven { sizes = [200] }
    if readmePath != nil, !runOptions.contains("--suite") {
      suites = suites.filter { ReadmeTable.suites.contains($0.name) }
    }
  }

  /// Returns the value of an option.
  private static func value(
    of option: String, from rest: inout ArraySlice<String>
  ) throws -> String {
    guard let value = rest.first, value == "-" || !value.hasPrefix("-") else {
      throw UsageError(description: "\(option) needs a value")
    }
    return rest.removeFirst()
  }

  private static func rounds(_ text: String) throws -> Int {
    guard let rounds = Int(text), (1...1_000).contains(rounds) else {
      throw UsageError(description: "“\(text)” is no number of rounds from 1 to 1000")
    }
    return rounds
  }

  /// Returns the values up to the next option, split at commas.
  private static func values(
    of option: String, from rest: inout ArraySlice<String>
  ) throws -> [String] {
    var values: [String] = []
    while let value = rest.first, !value.hasPrefix("-") {
      values += value.split(separator: ",").map(String.init)
      rest.removeFirst()
    }
    if values.isEmpty { throw UsageError(description: "\(option) needs a value") }
    return values
  }

  private static func suites(named names: [String]) throws -> [Suite] {
    let existing = Suite.all.map(\.name)
    for name in names where !existing.contains(name) {
      throw UsageError(
        description: "there is no suite “\(name)”\(suggestion(for: name, among: existing)); "
          + "there are \(existing.joined(separator: ", "))")
    }
    return Suite.all.filter { names.contains($0.name) }
  }

  private static func sizes(_ texts: [String]) throws -> [Int] {
    let sizes = try texts.map { text in
      guard let size = Int(text), (1...10_000_000).contains(size) else {
        throw UsageError(description: "“\(text)” is no size from 1 to 10000000")
      }
      return size
    }
    return Set(sizes).sorted()
  }
}

/// Returns “; did you mean …?” if one of the names is near.
private func suggestion(for text: String, among names: [String]) -> String {
  let nearest = names.map { (name: $0, distance: editDistance(text, $0)) }
    .min { $0.distance < $1.distance }
  guard let nearest, nearest.distance <= max(2, text.count / 3) else { return "" }
  return "; did you mean “\(nearest.name)”?"
}

/// Returns the number of characters to change, insert or remove to turn one text into the other.
private func editDistance(_ a: String, _ b: String) -> Int {
  let b = Array(b)
  var row = Array(0...b.count)
  for (i, character) in a.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for j in b.indices {
      let cost = character == b[j] ? diagonal : 1 + min(diagonal, row[j], row[j + 1])
      diagonal = row[j + 1]
      row[j + 1] = cost
    }
  }
  return row[b.count]
}
