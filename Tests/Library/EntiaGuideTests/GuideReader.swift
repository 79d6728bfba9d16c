/// Collects the code blocks of a page, line by line.
struct GuideReader {
  private enum Place {
    case text
    case fence(isCode: Bool)
    case hidden
  }

  private let path: String
  private var blocks: [GuideBlock] = []
  private var place = Place.text
  /// The block whose lines are being read, or whose comments have been read.
  private var next = GuideBlock(line: 0, text: [])
  private var isCompiled = true
  private var isFirst = true
  private var hidden: (kind: String, line: Int, text: [String]) = ("", 0, [])

  init(path: String) { self.path = path }

  mutating func read(_ line: String, number: Int) throws {
    switch place {
    case .fence(let isCode):
      if line.hasPrefix("```") {
        if isCode, isCompiled { blocks.append(next) }
        reset()
      } else if isCode {
        if isFirst {
          if next.text.isEmpty { next.line = number } else { next.text.append(mark(number)) }
          isFirst = false
        }
        next.text.append(line)
      }
    case .hidden:
      if line == "-->" { try endHidden(number) } else { hidden.text.append(line) }
    case .text: try readText(line, number)
    }
  }

  mutating func finish(lineCount: Int) throws -> [GuideBlock] {
    guard case .text = place else {
      throw GuideError(path: path, line: lineCount, message: "the page ends inside a block")
    }
    return blocks
  }

  private mutating func readText(_ line: String, _ number: Int) throws {
    if line.hasPrefix("```") {
      place = .fence(isCode: line == "```swift")
    } else if line.hasPrefix("<!-- swift: "), line.hasSuffix(" -->") {
      try readMark(String(line.dropFirst(12).dropLast(4)), number)
    } else if line.hasPrefix("<!-- swift ") {
      hidden = (String(line.dropFirst(11)), number, [])
      place = .hidden
    }
  }

  private mutating func readMark(_ mark: String, _ number: Int) throws {
    if mark == "continues" {
      next.scope = .continued
    } else if mark == "new file" {
      next.scope = .newFile
    } else if mark.hasPrefix("with ") {
      next.preambles.append(String(mark.dropFirst(5)))
    } else if mark.hasPrefix("not compiled: ") {
      isCompiled = false
    } else {
      throw GuideError(path: path, line: number, message: "there is no mark \"\(mark)\"")
    }
  }

  private mutating func endHidden(_ number: Int) throws {
    place = .text
    switch hidden.kind {
    case "before":
      next.line = hidden.line + 1
      next.text += hidden.text
    case "hidden":
      next.line = hidden.line + 1
      next.text = hidden.text
      blocks.append(next)
      reset()
    case "after" where !blocks.isEmpty:
      blocks[blocks.count - 1].text += [mark(hidden.line + 1)] + hidden.text
    default:
      throw GuideError(
        path: path, line: number, message: "there is no hidden code \"\(hidden.kind)\" here")
    }
  }

  private func mark(_ line: Int) -> String {
    "#sourceLocation(file: \"\(path)\", line: \(line))"
  }

  private mutating func reset() {
    place = .text
    next = GuideBlock(line: 0, text: [])
    isCompiled = true
    isFirst = true
  }
}
