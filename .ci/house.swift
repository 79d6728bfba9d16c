// Checks what a reader of the sources relies on, without building them:
//
// - The first-level folders of a room use each other in no circle: names of types that are declared
//   in one file of the room and used in another lead down only.
// - No more than six files of a room need each other in a circle.
// - Doc comments speak one dialect.
// - Lines of comments, which the formatter does not check, have at most 100 characters.
// - Each folder of a room's tests has the name of a folder of the room.
// - The table of folders in CONTRIBUTING.md has the folders of each room.
//
// Prints a line for each violation, and exits with 1 when there is one.
import Foundation

struct SourceFile {
  let path: String
  /// The room in `Library` or `Tool`, such as `Library/EntiaStore`.
  let room: String
  /// The first-level folder in the room; empty for files at its top.
  let folder: String
  let lines: [Substring]
  let words: Set<Substring>
  let declared: Set<Substring>
}

/// Returns the words of a text that begin with a capital letter, without comments and string
/// literals, and those among them that a line without indentation declares: nested types are used
/// by their full names, and often share the last part with generic parameters.
func names(in text: String) -> (words: Set<Substring>, declared: Set<Substring>) {
  let keywords: Set<Substring> = [
    "struct", "class", "enum", "protocol", "actor", "typealias", "macro",
  ]
  var words: Set<Substring> = []
  var declared: Set<Substring> = []
  var last: Substring = ""
  var isIndented = false
  let code = text.utf8
  var index = code.startIndex
  func byte(_ offset: Int) -> UInt8? {
    code.index(index, offsetBy: offset, limitedBy: code.endIndex)
      .flatMap { $0 < code.endIndex ? code[$0] : nil }
  }
  func skip(past end: [UInt8], escapes: Bool) {
    while index < code.endIndex {
      if escapes, code[index] == UInt8(ascii: "\\") {
        index = code.index(index, offsetBy: 2, limitedBy: code.endIndex) ?? code.endIndex
        continue
      }
      if code[index...].starts(with: end) {
        index = code.index(index, offsetBy: end.count)
        return
      }
      code.formIndex(after: &index)
    }
  }
  let quotes = Array("\"\"\"".utf8)
  while index < code.endIndex {
    switch code[index] {
    case UInt8(ascii: "/") where byte(1) == UInt8(ascii: "/"):
      skip(past: [10], escapes: false)
    case UInt8(ascii: "\""):
      let isLong = code[index...].starts(with: quotes)
      index = code.index(index, offsetBy: isLong ? 3 : 1)
      skip(past: isLong ? quotes : [UInt8(ascii: "\"")], escapes: true)
    case let first where isLetter(first):
      let start = index
      while index < code.endIndex, isLetter(code[index]) || (48...57).contains(code[index]) {
        code.formIndex(after: &index)
      }
      let word = text[start..<index]
      let before = start == code.startIndex ? 10 : code[code.index(before: start)]
      if before == 10 { isIndented = false }
      if (65...90).contains(first) {
        words.insert(word)
        if keywords.contains(last), !isIndented { declared.insert(word) }
      }
      last = word
    case UInt8(ascii: " "):
      if index == code.startIndex || code[code.index(before: index)] == 10 { isIndented = true }
      code.formIndex(after: &index)
    default:
      code.formIndex(after: &index)
    }
  }
  return (words, declared)
}

func isLetter(_ byte: UInt8) -> Bool {
  (65...90).contains(byte) || (97...122).contains(byte) || byte == UInt8(ascii: "_")
}

/// Returns the paths of the Swift files below a folder, in order; documentation catalogs are left
/// out.
func swiftFiles(below folder: String) -> [String] {
  let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
  return paths.filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }.sorted()
}

func readSources() throws -> [SourceFile] {
  try swiftFiles(below: "Sources").map { path in
    let text = try String(contentsOfFile: "Sources/\(path)", encoding: .utf8)
    let parts = path.split(separator: "/")
    let (words, declared) = names(in: text)
    return SourceFile(
      path: "Sources/\(path)", room: "\(parts[0])/\(parts[1])",
      folder: parts.count > 3 ? String(parts[2]) : "",
      lines: text.split(separator: "\n", omittingEmptySubsequences: false), words: words,
      declared: declared)
  }
}

/// Names of the standard library that nested types have too: a plain `Set` means the former.
let common: Set<Substring> = [
  "Set", "Array", "Dictionary", "Hash", "Result", "Optional", "Error", "Sequence", "Collection",
  "Iterator", "Element", "Index", "Key", "Value", "String", "Int", "Bool", "Range", "Comparable",
  "Lock", "Task", "Output", "Input", "Body", "Content", "State", "Activity", "Storage", "Contents",
  "Entity", "Row", "Table", "Unique", "Sorted", "Ordered", "Main",
]

/// Returns a line for each circle of folders.
func circles(in files: [SourceFile]) -> [String] {
  var homes: [Substring: [SourceFile]] = [:]
  for file in files { for name in file.declared { homes[name, default: []].append(file) } }
  var uses: [String: [String: String]] = [:]
  for file in files {
    for word in file.words where !common.contains(word) {
      guard let home = homes[word], home.count == 1, home[0].folder != file.folder else { continue }
      uses[file.folder, default: [:]][home[0].folder] = "\(file.path) uses \(word)"
    }
  }
  // Folders that no folder uses, or that use none, are in no circle.
  while true {
    let users = uses.filter { folder, used in
      !used.isEmpty && uses.values.contains { $0[folder] != nil }
    }
    let rest = users.mapValues { used in used.filter { users[$0.key] != nil } }
    if rest == uses { break }
    uses = rest
  }
  if uses.isEmpty { return [] }
  let folders = uses.keys.sorted().map { $0.isEmpty ? "(top)" : $0 }.joined(separator: ", ")
  let examples = uses.values.flatMap(\.values).sorted().map { "  \($0)" }
  return ["\(files[0].room): a circle of folders among \(folders):"] + examples
}

/// Returns a line for each circle of more than six files.
func largeCircles(in files: [SourceFile]) -> [String] {
  var homes: [Substring: [Int]] = [:]
  for (index, file) in files.enumerated() {
    for name in file.declared { homes[name, default: []].append(index) }
  }
  let uses = files.indices.map { index in
    Set(
      files[index].words.compactMap { word -> Int? in
        guard !common.contains(word), let home = homes[word], home.count == 1, home[0] != index
        else { return nil }
        return home[0]
      })
  }
  /// Returns the files that a file uses, directly or not.
  func reached(from start: Int) -> Set<Int> {
    var reached: Set<Int> = []
    var open = Array(uses[start])
    while let next = open.popLast() {
      if reached.insert(next).inserted { open += uses[next] }
    }
    return reached
  }
  let reach = files.indices.map(reached)
  var found: [String] = []
  var isListed: Set<Int> = []
  for index in files.indices where !isListed.contains(index) {
    let circle = reach[index].filter { reach[$0].contains(index) }.sorted()
    isListed.formUnion(circle)
    guard circle.count > 6 else { continue }
    let names = circle.map { String(files[$0].path.split(separator: "/").last ?? "") }
    found.append("\(files[index].room): a circle of files: \(names.joined(separator: ", "))")
  }
  return found
}

/// Returns a line for each doc comment that departs from the dialect.
func dialect(of file: SourceFile) -> [String] {
  let openings = ["Gives ", "Makes ", "Tells ", "Says ", "How many ", "Who ", "Whoever "]
  let sections = ["Parameters", "Parameter", "Returns", "Throws", "Complexity"]
  var found: [String] = []
  var isInside = false
  var isFenced = false
  for (number, line) in file.lines.enumerated() {
    let trimmed = line.drop { $0 == " " }
    guard trimmed.hasPrefix("///") else {
      isInside = false
      isFenced = false
      continue
    }
    let text = trimmed.dropFirst(3).drop { $0 == " " }
    if text.hasPrefix("```") { isFenced.toggle() }
    defer { isInside = true }
    if isFenced { continue }
    let place = "\(file.path):\(number + 1)"
    if !isInside, let opening = openings.first(where: text.hasPrefix) {
      found.append("\(place): a summary begins with \"\(opening.dropLast())\"")
    }
    guard let section = sections.first(where: { text.hasPrefix("- \($0):") }) else { continue }
    let rest = text.dropFirst(section.count + 3).drop { $0 == " " }
    if let first = rest.first, first.isLowercase {
      found.append("\(place): \(section) begins with a small letter")
    }
  }
  return found
}

/// Returns a line for each comment of more than 100 characters that can be wrapped: a row of a
/// table cannot.
func longComments(in path: String, _ lines: [Substring]) -> [String] {
  lines.enumerated().compactMap { number, line in
    let trimmed = line.drop { $0 == " " }
    guard line.count > 100, trimmed.hasPrefix("//"), !trimmed.hasPrefix("/// |")
    else { return nil }
    return "\(path):\(number + 1): the comment has \(line.count) characters, more than 100"
  }
}

/// Returns a line for each folder of tests that has no folder in the room.
func unmatchedFolders(rooms: [String: Set<String>]) throws -> [String] {
  let helping: Set<String> = ["Support"]
  return try rooms.keys.sorted().flatMap { room -> [String] in
    let tests = "Tests/\(room)Tests"
    guard let folders = rooms[room], folders.count > 1,
      FileManager.default.fileExists(atPath: tests)
    else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: tests).sorted().filter { name in
      !name.hasSuffix(".swift") && !folders.contains(name) && !helping.contains(name)
    }.map { "\(tests)/\($0): \(room) has no folder \($0)" }
  }
}

/// Returns a line for each room whose folders the table in CONTRIBUTING.md does not have.
func unlistedFolders(rooms: [String: Set<String>]) throws -> [String] {
  let page = try String(contentsOfFile: "CONTRIBUTING.md", encoding: .utf8)
  let table =
    page.components(separatedBy: "| Room | Folders, from the ground |\n").dropFirst()
    .first?.components(separatedBy: "\n\n").first ?? ""
  var listed: [String: Set<String>] = [:]
  for row in table.split(separator: "\n") {
    let names = row.replacing(/\([^)]*\)/, with: "").matches(of: /`(\w+)`/).map { String($0.1) }
    if let room = names.first { listed[room] = Set(names.dropFirst()) }
  }
  return rooms.keys.sorted().compactMap { room in
    let name = room.split(separator: "/").last.map(String.init) ?? room
    let folders = rooms[room, default: []].subtracting([""])
    let difference = folders.symmetricDifference(listed[name, default: []]).sorted()
    return difference.isEmpty
      ? nil
      : "CONTRIBUTING.md: the table of folders differs from \(room): "
        + difference.joined(separator: ", ")
  }
}

let files = try readSources()
let rooms = Dictionary(grouping: files, by: \.room)
var found: [String] = []
for room in rooms.keys.sorted() {
  found += circles(in: rooms[room, default: []]) + largeCircles(in: rooms[room, default: []])
}
for file in files { found += dialect(of: file) + longComments(in: file.path, file.lines) }
for path in swiftFiles(below: "Tests") {
  let text = try String(contentsOfFile: "Tests/\(path)", encoding: .utf8)
  found += longComments(
    in: "Tests/\(path)", text.split(separator: "\n", omittingEmptySubsequences: false))
}
let folders = rooms.mapValues { Set($0.map(\.folder)) }
found += try unmatchedFolders(rooms: folders) + unlistedFolders(rooms: folders)
print(found.isEmpty ? "\(files.count) files, nothing found" : found.joined(separator: "\n"))
exit(found.isEmpty ? 0 : 1)
