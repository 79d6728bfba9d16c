import EntiaJSON

extension ImportRun {
  /// Adds a hint to a refused input that resembles another format than the one it was read as. Only
  /// refused inputs are examined again.
  mutating func addHints() {
    let refused = Set(
      stage.problems.pending.filter { $0.severity == .error && $0.kind != .usage }
        .map(\.origin.file))
    for index in inputs.indices where refused.contains(index) {
      guard let format = inputs[index].format else { continue }
      let source = inputs[index].source
      if format == .nested, options.at == nil, let hint = pathToRecords(index),
        stage.problems.pending.contains(where: {
          $0.kind == .missingID && $0.origin.file == index && $0.origin.offset == hint.start
        })
      {
        addHint(hint.text, index)
      } else if format == .graphql, options.format == .auto, options.at == nil,
        stage.counts.read == 0, !inputs[index].hasErrors, let hint = pathToRecords(index)
      {
        // An object with nothing but data need not be a response.
        addHint(hint.text, index)
      } else if format == .tables, Schema.looksLikeSchema(source) {
        addHint("this looks like a schema instead of data; pass a schema with --schema", index)
      } else if options.format != .auto,
        case .format(let other) = FormatGuess.guess(source, hasRoot: true, at: options.at),
        other != format,
        [.django, .jsonapi, .graphql].contains(other)
      {
        addHint(
          "this looks like \(other.rawValue), and was read as \(format.rawValue); --format auto "
            + "recognizes the format", index)
      }
    }
  }

  /// Returns a hint at the position of an input's records, if its root object contains exactly one
  /// array of objects.
  func pathToRecords(_ index: Int) -> (text: String, start: Int)? {
    guard let list = inputs[index].source.onlyListOfObjects() else { return nil }
    let text =
      "the only array of objects is \(list.path); if it holds the records, add --at '\(list.path)'"
    return (text, list.start)
  }

  private func addHint(_ message: String, _ index: Int) {
    stage.problems.add(
      ImportProblem(
        in: inputs[index].source.name, severity: .warning, .typeMismatch, message), file: index)
  }
}
