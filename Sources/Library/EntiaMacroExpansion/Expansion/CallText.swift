/// A call, parsed from its text: `.init(\.authorID, onDelete: .cascade)`.
struct CallText: Equatable, Sendable {
  struct Argument: Equatable, Sendable {
    var label: String?
    /// The tokens of the value, without spaces: `.cascade`.
    var value: String
    /// The range of the value in the call.
    var range: Range<Int>
  }

  /// The type whose initializer is called; `nil` for `.init`.
  let type: String?
  let arguments: [Argument]

  /// Parses a call of an initializer with nothing after its parentheses; returns `nil` for any
  /// other expression.
  init?(_ expression: String) {
    let source = SourceBytes(expression)
    var parser = DeclarationParser(source)
    if parser.consume(punctuation: ".") {
      guard parser.current.isWord("init") else { return nil }
      parser.advance()
      type = nil
    } else {
      guard let range = parser.parseType() else { return nil }
      let text = source.text(range)
      type = text.hasSuffix(".init") ? String(text.dropLast(5)) : text
    }
    guard parser.current.isPunctuation("(") else { return nil }
    let open = parser.index
    let end = parser.indexAfterGroup(at: open)
    parser.index = end
    guard parser.isAtEnd, parser.tokens[end - 1].isPunctuation(")") else { return nil }
    arguments = Self.arguments(parser, in: (open + 1)..<(end - 1), source)
  }

  private static func arguments(
    _ parser: DeclarationParser, in range: Range<Int>, _ source: SourceBytes
  ) -> [Argument] {
    var arguments: [Argument] = []
    var start = range.lowerBound
    var index = start
    func take(upTo end: Int) {
      guard start < end else { return }
      let isLabelled =
        end - start > 1 && parser.tokens[start].kind == .identifier
        && parser.tokens[start + 1].isPunctuation(":")
      let value = parser.tokens[(isLabelled ? start + 2 : start)..<end]
      arguments.append(
        Argument(
          label: isLabelled ? parser.tokens[start].text.withoutBackticks : nil,
          value: value.map { source.text($0.range) }.joined(),
          range: parser.tokens[value.startIndex].range
            .lowerBound..<parser.tokens[end - 1].range.upperBound))
    }
    while index < range.upperBound {
      if parser.tokens[index].isPunctuation(",") {
        take(upTo: index)
        start = index + 1
      }
      index = parser.indexAfterGroup(at: index)
    }
    take(upTo: range.upperBound)
    return arguments
  }
}
