import EntiaLaws
import EntiaRecords

/// A good text, and the places where it can be damaged in a way that must be noticed.
struct CorruptText {
  /// A value or a member of the text.
  struct Site {
    let range: Range<Int>
    let path: String
    /// What may stand there instead, each of a type that must not.
    var swaps: [String] = []
    /// Whether the whole may stand there twice, behind a comma.
    var isRepeatable = false
  }

  /// One damage.
  struct Damage {
    let bytes: [UInt8]
    let what: String
    /// Where it was done, if it was done to a value.
    var path: String?
  }

  let bytes: [UInt8]
  private(set) var sites: [Site] = []
  /// The bytes that hold the text together.
  private(set) var structure: [Int] = []

  /// What must not stand in the place of a member's value, by the member's name.
  private static let swaps: [String: [String]] = [
    "id": ["null", "true", "[]", "{}"], "pk": ["null", "true", "[]", "{}"],
    "code": ["null", "false", "[1]"], "album": ["null", "true", "[]"],
    "currency": ["null", "true", "[]", "{}"],
    "type": ["7", "null", "true", "[]", "{}"], "__typename": ["7", "null", "[]"],
    "model": ["7", "null", "[]"], "fields": ["7", "[]", "\"x\""],
    "next": ["true", "[\"x\"]"], "owner": ["true", "[\"x\"]"], "favorite": ["false", "[\"x\"]"],
    "others": ["true", "7", "{}", "\"x\""], "items": ["true", "7", "{}", "\"x\""],
    "notes": ["true", "7", "{}"], "replies": ["true", "7", "{}"], "prices": ["true", "7", "{}"],
    "attributes": ["7", "[]", "\"x\""], "relationships": ["7", "[]", "\"x\""],
    "data": ["7", "\"x\"", "true"], "included": ["7", "{}", "true"],
  ]
  /// Members that may hold anything, so that no damage inside them must be noticed.
  private static let plain = ["a", "z", "m n", "name", "text", "title", "amount", "width"]
  private static let lists = ["$", "$.data", "$.included", "$.data.all", "$.nodes", "$.people"]

  /// Reads a text, which must be good; of lines, each is a text of its own.
  init(_ text: String, isLines: Bool = false) throws {
    bytes = Array(text.utf8)
    if !isLines { try walk(bytes[...], .root) }
    guard isLines else { return }
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
      try walk(line, JSONPath.root.index(index))
    }
  }

  private mutating func walk(_ text: ArraySlice<UInt8>, _ root: JSONPath) throws {
    var found: [Site] = []
    var marks: [Int] = []
    let start = text.startIndex
    try JSONReader.reading(Array(text)) { (reader) throws(JSONError) in
      struct Level {
        let isObject: Bool
        let path: JSONPath
        let start: Int
        var name = ""
        var nameStart = 0
        var index = -1
        let isPlain: Bool
      }
      var levels: [Level] = []
      func end(_ path: JSONPath, _ range: Range<Int>, _ isPlain: Bool) {
        let shifted = range.lowerBound + start..<range.upperBound + start
        guard let level = levels.last else { return }
        var site = Site(range: shifted, path: path.description)
        if level.isObject, !isPlain, let swaps = Self.swaps[level.name] {
          // A relationship of JSON:API is an object, which need not say what it names.
          let isLinked = site.path.contains(".relationships.")
          site.swaps = isLinked ? swaps.filter { $0 != "{}" } : swaps
        }
        if !level.isObject, Self.lists.contains(level.path.description),
          text[shifted.lowerBound] == UInt8(ascii: "{")
        {
          site.isRepeatable = true
          site.swaps = ["7", "null", "[]", "\"x\""]
        }
        found.append(site)
        if level.isObject {
          var member = Site(
            range: level.nameStart + start..<shifted.upperBound, path: path.description)
          member.isRepeatable = true
          found.append(member)
        }
      }
      while true {
        let token = try reader.next()
        let range = reader.tokenStart..<reader.tokenEnd
        switch token {
        case .end: return
        case .name:
          levels[levels.count - 1].name = reader.string()
          levels[levels.count - 1].nameStart = range.lowerBound
          marks += [range.lowerBound + start, range.upperBound - 1 + start]
        case .endArray, .endObject:
          let level = levels.removeLast()
          marks.append(range.lowerBound + start)
          end(level.path, level.start..<range.upperBound, level.isPlain)
        default:
          var path = root
          var isPlain = false
          if let last = levels.indices.last {
            levels[last].index += 1
            let level = levels[last]
            path = level.isObject ? level.path.name(level.name) : level.path.index(level.index)
            isPlain = level.isPlain || level.isObject && Self.plain.contains(level.name)
          }
          if token == .string { marks += [range.lowerBound + start, range.upperBound - 1 + start] }
          guard token == .beginObject || token == .beginArray else {
            end(path, range, isPlain)
            continue
          }
          marks.append(range.lowerBound + start)
          levels.append(
            Level(
              isObject: token == .beginObject, path: path, start: range.lowerBound,
              isPlain: isPlain))
        }
      }
    }
    sites += found
    structure += marks
  }

  /// Damages the text.
  func damaged(using random: inout SeededGenerator) -> Damage? {
    var copy = bytes
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      guard let index = structure.randomElement(using: &random) else { return nil }
      let others = Array("{}[]:,\"x ".utf8).filter { $0 != bytes[index] }
      copy[index] = others.randomElement(using: &random) ?? 0
      return Damage(bytes: copy, what: "flip at \(index)")
    case 1:
      let index = Int.random(in: 1..<bytes.count, using: &random)
      // What is cut between two lines is whole lines.
      guard bytes[index] != UInt8(ascii: "\n"), bytes[index - 1] != UInt8(ascii: "\n") else {
        return nil
      }
      return Damage(bytes: Array(bytes[..<index]), what: "cut at \(index)")
    case 2:
      guard let site = sites.filter(\.isRepeatable).randomElement(using: &random) else {
        return nil
      }
      copy.insert(contentsOf: [UInt8(ascii: ",")] + bytes[site.range], at: site.range.upperBound)
      return Damage(bytes: copy, what: "duplicate of \(site.path)", path: site.path)
    default:
      guard let site = sites.filter({ !$0.swaps.isEmpty }).randomElement(using: &random),
        let swap = site.swaps.randomElement(using: &random)
      else { return nil }
      copy.replaceSubrange(site.range, with: Array(swap.utf8))
      return Damage(bytes: copy, what: "\(swap) at \(site.path)", path: site.path)
    }
  }
}
