/// The matching brackets, computed once for all tokens, so that parsing takes linear time even with
/// unclosed brackets.
struct BracketMatches: Sendable {
  /// For each token, the index after it; for an opening bracket, the index after its group.
  let indexAfterGroup: [Int]
  /// For each `<` that begins generic parameters or arguments, the index after the closing `>`;
  /// else `nil`.
  let indexAfterAngles: [Int?]

  init(_ tokens: [Token]) {
    indexAfterGroup = Self.matchGroups(tokens)
    indexAfterAngles = Self.matchAngles(tokens, indexAfterGroup)
  }

  /// Matches brackets. A closing bracket of an outer group also ends the unclosed inner groups
  /// before it.
  private static func matchGroups(_ tokens: [Token]) -> [Int] {
    var result = Array(1...max(1, tokens.count))
    var open: [Int] = []
    for (index, token) in tokens.enumerated() {
      if token.isOpener {
        open.append(index)
      } else if token.isCloser {
        let opener = token.text == ")" ? "(" : token.text == "]" ? "[" : "{"
        // A brace ends the unclosed groups inside it. Other brackets do not match across a brace.
        let match = open.lastIndex { tokens[$0].text == opener || tokens[$0].text == "{" }
        guard let match, tokens[open[match]].text == opener else { continue }
        for unclosed in open[(match + 1)...] { result[unclosed] = index }
        result[open[match]] = index + 1
        open.removeSubrange(match...)
      }
    }
    for unclosed in open { result[unclosed] = tokens.count - 1 }
    return result
  }

  /// Matches `<` and `>` inside each group. If a token between them cannot be part of a type, the
  /// two are comparison operators and do not match.
  private static func matchAngles(_ tokens: [Token], _ indexAfterGroup: [Int]) -> [Int?] {
    var result = [Int?](repeating: nil, count: tokens.count)
    var groupEnds = [tokens.count]
    var open: [[Int]] = [[]]
    for (index, token) in tokens.enumerated() {
      while index >= groupEnds[groupEnds.count - 1], groupEnds.count > 1 {
        groupEnds.removeLast()
        open.removeLast()
      }
      if token.isOperator("<") {
        open[open.count - 1].append(index)
      } else if token.isOperator(">") {
        guard !isArrowHead(index, tokens) else { continue }
        if let opener = open[open.count - 1].popLast() { result[opener] = index + 1 }
      } else if !mayStandInAngles(index, tokens) {
        open[open.count - 1].removeAll()
      }
      if token.isOpener {
        groupEnds.append(indexAfterGroup[index])
        open.append([])
      }
    }
    return result
  }

  private static func isArrowHead(_ index: Int, _ tokens: [Token]) -> Bool {
    index > 0 && tokens[index].remainingRun == 1 && tokens[index - 1].isOperator("-")
      && tokens[index - 1].remainingRun == 2
  }

  private static func mayStandInAngles(_ index: Int, _ tokens: [Token]) -> Bool {
    let token = tokens[index]
    switch token.kind {
    case .identifier, .number: return true
    case .punctuation: return !token.isCloser && !["{", ";", "\\"].contains(token.text)
    case .operator:
      // `==` is a requirement; `=` and `<=` end a type.
      if token.text == "=" {
        return token.remainingRun == 2 || (index > 0 && tokens[index - 1].isOperator("="))
      }
      return ["&", "?", "!", "-", ".", "~"].contains(token.text)
    default: return false
    }
  }
}
