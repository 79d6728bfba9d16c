/// The arguments of an attribute whose arguments are string literals.
struct StringArguments {
  struct Argument {
    var label: String?
    /// The text of the literal; `nil` if the argument is not a plain string literal.
    var name: String?
    var range: Range<Int>
  }

  let all: [Argument]

  init(of attribute: Attribute, in source: SourceBytes) {
    let start = attribute.range.lowerBound + 1
    let call = CallText(source.text(start..<attribute.range.upperBound))
    all = (call?.arguments ?? []).map { argument in
      let range = (start + argument.range.lowerBound)..<(start + argument.range.upperBound)
      return Argument(
        label: argument.label, name: Self.name(argument.value, in: source, at: range), range: range)
    }
  }

  private static func name(
    _ literal: String, in source: SourceBytes, at range: Range<Int>
  ) -> String? {
    let tokens = Lexer.tokens(of: SourceBytes(literal))
    guard tokens.count == 2, tokens[0].kind == .string, literal.hasPrefix("\""),
      !literal.hasPrefix("\"\"\""), !literal.contains("\\(")
    else { return nil }
    return String(literal.dropFirst().dropLast())
  }
}
