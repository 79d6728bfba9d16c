import EntiaJSON

/// The format of a report: for people or for programs.
enum ReportStyle: String, CaseIterable {
  case text
  case json

  /// The option that selects the format.
  static let option = OptionDescription(
    "--report", .choice(allCases.map(\.rawValue)), help: "How the report reads; default text.")

  /// The option for the number of listed problems.
  static let maximumProblems = OptionDescription(
    "--max-problems", .count("N"),
    help: "Of a text report: list at most so many problems of each kind, and count the rest; "
      + "default \(ImportProblems.maximumListed).")

  init(_ arguments: ParsedArguments) {
    self = arguments.choice(Self.option.name) ?? .text
  }

  /// Returns the report of an import.
  func render(_ report: ImportReport) -> String {
    switch self {
    case .text: report.text()
    case .json: String(decoding: report.json(), as: UTF8.self)
    }
  }

  /// Returns the report of a verification. As JSON, it is the same as for an import. As text, it
  /// omits the counts of inserted rows.
  ///
  /// - Parameter maximum: The maximum number of problems of one kind to list.
  func render(
    verification report: ImportReport, of name: String, maximum: Int
  ) -> String {
    guard self == .text else { return render(report) }
    let rows = report.entities.reduce(0) { $0 + $1.count }
    let count = report.problems.total
    let entities = report.entities.count
    let problems = Hints.explained(report.problems, option: "what verify reads")
    let lines =
      report.problems.isEmpty
      ? [
        "\(name): \(rows.counted("row")) in \(entities.counted("entity", "entities")), no problems"
      ]
      : ImportProblems(problems).lines(maximum: maximum) + [
        "\(name): \(count.counted("problem"))"
      ]
    return lines.map { $0 + "\n" }.joined()
  }
}
