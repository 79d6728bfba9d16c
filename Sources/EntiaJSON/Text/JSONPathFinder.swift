/// Finds the paths of offsets in a text, in one pass over it.
///
/// Readers keep offsets only, which cost nothing; paths are found when there is a problem to tell.
struct JSONPathFinder {
  /// The steps of a path that are told at its beginning and at its end.
  private static let toldAtStart = 24
  private static let toldAtEnd = 8

  private struct Level {
    let isObject: Bool
    /// The element or member that was begun last; -1 before the first.
    var index = -1
    /// Where the name of that member begins.
    var nameStart = 0
    /// The name, once the member turns out to have parts of its own: what is read of the input may
    /// be gone by the time it is asked for.
    var name: String?
  }

  private var reader: JSONReader
  private let prefix: [JSONPath.Step]
  private var levels: [Level] = []

  private init(_ reader: JSONReader, prefix: [JSONPath.Step]) {
    self.reader = reader
    self.prefix = prefix
  }

  /// Gives the path of each offset: of the value or member that begins there, else of what encloses
  /// it. The offsets come in ascending order.
  ///
  /// - Complexity: O(length of the text up to the last offset + offsets).
  static func paths(
    at offsets: [Int], in bytes: UnsafeBufferPointer<UInt8>, prefix: [JSONPath.Step] = []
  ) -> [JSONPath] {
    find(offsets, in: JSONReader(bytes, maximumDepth: .max), prefix: prefix)
  }

  /// Gives the same for a text that a reader has at hand.
  static func find(
    _ offsets: [Int], in reader: JSONReader, prefix: [JSONPath.Step] = []
  ) -> [JSONPath] {
    var finder = JSONPathFinder(reader, prefix: prefix)
    return finder.find(offsets)
  }

  private mutating func find(_ offsets: [Int]) -> [JSONPath] {
    var paths: [JSONPath] = []
    while paths.count < offsets.count {
      let before = reader.tokenEnd
      // An error tells of the bytes since the last token, and a path of the innermost name.
      reader.keptFrom =
        levels.last.map { $0.isObject ? min($0.nameStart, before) : before } ?? before
      do {
        let token = try reader.next()
        begin(token, at: reader.tokenStart)
        while paths.count < offsets.count, offsets[paths.count] <= reader.tokenStart {
          paths.append(path())
        }
        if token == .endArray || token == .endObject { levels.removeLast() }
        if token == .end { break }
      } catch {
        beginBroken(after: before, at: error.offset, isAfterName: reader.state == .value)
        break
      }
    }
    while paths.count < offsets.count { paths.append(path()) }
    return paths
  }

  private mutating func begin(_ token: JSONToken, at start: Int) {
    switch token {
    case .name:
      levels[levels.count - 1].index += 1
      levels[levels.count - 1].nameStart = start
      levels[levels.count - 1].name = nil
    case .endArray, .endObject:
      // The end belongs to the whole, not to its last part.
      levels[levels.count - 1].index = -1
    case .end:
      break
    default:
      if let last = levels.indices.last {
        if !levels[last].isObject {
          levels[last].index += 1
        } else if token.opens {
          levels[last].name = name(at: levels[last].nameStart)
        }
      }
      if token.opens { levels.append(Level(isObject: token == .beginObject)) }
    }
  }

  /// Says where the text breaks: in a part that has begun, or in the whole.
  private mutating func beginBroken(after before: Int, at offset: Int, isAfterName: Bool) {
    guard let last = levels.indices.last else { return }
    if levels[last].isObject {
      if !isAfterName { levels[last].index = -1 }
      return
    }
    let between = reader.bytes(min(before, offset)..<min(offset, reader.count))
    let hasBegun = levels[last].index < 0 || between.contains(Byte.comma)
    levels[last].index = hasBegun ? levels[last].index + 1 : -1
  }

  private func path() -> JSONPath {
    var steps = prefix
    let told = Self.toldAtStart + Self.toldAtEnd
    for level in levels.prefix(Self.toldAtStart) { append(level, to: &steps) }
    if levels.count > told { steps.append(.skipped(levels.count - told)) }
    let rest = max(Self.toldAtStart, levels.count - Self.toldAtEnd)
    for level in levels.dropFirst(rest) { append(level, to: &steps) }
    return JSONPath(steps)
  }

  private func append(_ level: Level, to steps: inout [JSONPath.Step]) {
    guard level.index >= 0 else { return }
    guard level.isObject else { return steps.append(.index(level.index)) }
    if let name = level.name ?? name(at: level.nameStart) {
      steps.append(.name(name))
    } else {
      steps.append(.index(level.index))
    }
  }

  private func name(at start: Int) -> String? {
    var reader = reader.reader(from: start)
    do {
      // The name was read before, so it is read again without an error.
      return try reader.next() == .string ? reader.string() : nil
    } catch {
      return nil
    }
  }
}
