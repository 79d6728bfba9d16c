import Foundation

/// The Swift files for the code of a page.
///
/// Declarations are at file scope and private, so that every page can have its own `Book`. The
/// statements of a block are the body of a function.
struct GuideProgram {
  private let page: GuidePage
  private let preamble: (String) throws -> String

  /// Creates a program.
  /// - Parameters:
  ///   - page: The page.
  ///   - preamble: Returns the text of the preamble with a name.
  init(_ page: GuidePage, preamble: @escaping (String) throws -> String) {
    self.page = page
    self.preamble = preamble
  }

  /// Returns the texts of the files.
  func files() throws -> [String] {
    var files: [GuideFile] = []
    for block in page.blocks {
      if files.isEmpty || block.scope == .newFile { files.append(GuideFile()) }
      var file = files.removeLast()
      for name in block.preambles {
        let text = try preamble(name).components(separatedBy: "\n")
        file.addPreamble(text, name: "\(name).swift")
      }
      file.add(block.text, line: block.line, of: page.path, continues: block.scope == .continued)
      files.append(file)
    }
    return files.map(\.text)
  }
}

/// One file: imports, declarations and functions.
private struct GuideFile {
  private var imports: [String] = []
  private var declarations: [String] = []
  private var functions: [[String]] = []

  var text: String {
    let bodies = functions.enumerated().flatMap { number, lines in
      ["private func statements\(number)() async throws {"] + lines
        + ["#sourceLocation()", "}"]
    }
    return (imports + declarations + ["#sourceLocation()"] + bodies).joined(separator: "\n") + "\n"
  }

  mutating func add(_ lines: [String], line: Int, of path: String, continues: Bool) {
    if !continues { functions.append([]) }
    let numbers = Self.numbers(of: lines, from: line)
    for item in items(of: lines) {
      let number = numbers[item.startIndex]
      let place = "#sourceLocation(file: \"\(path)\", line: \(number))"
      switch Self.kind(of: item) {
      case .imports:
        let named = item.filter { $0.hasPrefix("import ") && !imports.contains($0) }
        imports += named
      case .declaration: declarations += [place] + Self.privately(item)
      case .statements: functions[functions.count - 1] += [place] + item
      }
    }
    if functions.last?.isEmpty == true { functions.removeLast() }
  }

  /// Returns the numbers of lines, which a `#sourceLocation` changes.
  private static func numbers(of lines: [String], from first: Int) -> [Int] {
    var number = first - 1
    return lines.map { line in
      number += 1
      if line.hasPrefix("#sourceLocation("), let last = line.split(separator: " ").last,
        let next = Int(last.dropLast())
      {
        number = next - 1
      }
      return number
    }
  }

  /// Adds a file whose declarations, variables included, are at file scope as they are.
  mutating func addPreamble(_ lines: [String], name: String) {
    let head = lines.filter { $0.hasPrefix("import ") }
    imports += head.filter { !imports.contains($0) }
    let rest = lines.map { $0.hasPrefix("import ") ? "" : $0 }
    declarations += ["#sourceLocation(file: \"\(name)\", line: 1)"] + rest
  }

  private enum Kind { case imports, declaration, statements }

  private static let keywords: Set<Substring> = [
    "struct", "enum", "class", "protocol", "actor", "func", "extension", "typealias",
  ]

  private static func kind(of item: ArraySlice<String>) -> Kind {
    for line in item where !line.isEmpty && !line.hasPrefix("//") {
      if line.hasPrefix("import ") { return .imports }
      if isAttribute(line) { continue }
      return keyword(of: line) == nil ? .statements : .declaration
    }
    return .statements
  }

  /// Returns whether a line is an attribute alone, such as `@Entity(id: "slug")`.
  private static func isAttribute(_ line: String) -> Bool {
    line.hasPrefix("@") && (!line.contains(" ") || line.firstIndex(of: ")") == line.indices.last)
  }

  /// Returns the word of a line that introduces a declaration, after attributes and modifiers.
  private static func keyword(of line: String) -> Substring? {
    let modifiers: Set<Substring> = ["final", "public", "indirect", "nonisolated", "private"]
    for word in line.split(separator: " ") {
      if keywords.contains(word) { return word }
      if !modifiers.contains(word), !word.hasPrefix("@") { return nil }
    }
    return nil
  }

  /// Returns a declaration that no other file sees.
  private static func privately(_ item: ArraySlice<String>) -> [String] {
    var lines = Array(item)
    guard let index = lines.firstIndex(where: { keyword(of: $0) != nil && !$0.hasPrefix(" ") }),
      let word = keyword(of: lines[index]), !lines[index].hasPrefix("private")
    else { return lines }
    var line = lines[index].replacingOccurrences(of: "public ", with: "")
    if word == "extension" {
      let head = line.prefix { $0 != "{" }
      let isConformance = head.contains(":")
      if !isConformance { line = "fileprivate " + line }
    } else if let range = line.range(of: "\(word) ") {
      line.insert(contentsOf: "fileprivate ", at: range.lowerBound)
    }
    lines[index] = line
    return lines
  }

  /// Splits code into items: each begins at a line outside of braces that closes nothing.
  private func items(of lines: [String]) -> [ArraySlice<String>] {
    var items: [ArraySlice<String>] = []
    var start = 0
    var depth = 0
    for (index, line) in lines.enumerated() {
      defer { depth += Self.opened(in: line) }
      guard index > start, depth == 0, let first = line.first, !" }.)]".contains(first),
        !line.hasPrefix("#e"), !line.hasPrefix("#sourceLocation")
      else { continue }
      let previous = lines[index - 1]
      if Self.isAttribute(previous) || previous.hasPrefix("//") { continue }
      items.append(lines[start..<index])
      start = index
    }
    items.append(lines[start...])
    return items
  }

  /// Returns the number of braces that a line opens and does not close; `#if` counts as one.
  private static func opened(in line: String) -> Int {
    if line.hasPrefix("#if") { return 1 }
    if line.hasPrefix("#endif") { return -1 }
    var depth = 0
    var isText = false
    var previous: Character = " "
    for character in line {
      if character == "\"", previous != "\\" { isText.toggle() }
      if !isText {
        if character == "/", previous == "/" { break }
        if "{([".contains(character) { depth += 1 }
        if "})]".contains(character) { depth -= 1 }
      }
      previous = character
    }
    return depth
  }
}
