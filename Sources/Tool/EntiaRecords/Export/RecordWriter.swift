import EntiaCoding
import EntiaDatabase
import EntiaJSON

/// Writes rows of one entity, each on one line under its ID: first the ID, then the members.
///
/// A line is first composed in separate memory, because `JSONWriter` would check for each short
/// text whether another copy shares its bytes.
struct RecordWriter: ~Copyable {
  /// The member names of the row that was written last.
  private var names = MemberNames.empty
  /// The texts before the row's values, such as `,"name":`, and the end of each.
  private var prefixes = ScratchList<UInt8>()
  private var prefixEnds = ScratchList<Int>()
  /// The text before the ID.
  private var begin = ScratchList<UInt8>()
  /// The ID of the current row as JSON.
  private var key = ScratchList<UInt8>()
  private var line = ScratchList<UInt8>(capacity: 1024)

  init(idName: String) {
    begin.append(Byte.openBrace)
    Self.append(name: idName, to: &begin)
  }

  private static func append(name: String, to bytes: inout ScratchList<UInt8>) {
    JSONWriter.append(string: name, to: &bytes)
    bytes.append(Byte.colon)
  }

  /// Writes a row as a member whose name is the ID.
  mutating func write(_ row: Record, to writer: inout JSONWriter) {
    key.removeAll()
    line.removeAll()
    row.body.withUnsafeMutablePointerToHeader { head in
      if head.pointee.names !== names { adopt(head.pointee.names) }
      Self.append(head.pointee.id.node.key, to: &key)
    }
    if key[0] == Byte.quote {
      writer.name(json: key.elements)
    } else {
      line.append(Byte.quote)
      line.append(contentsOf: key.elements)
      line.append(Byte.quote)
      writer.name(json: line.elements)
      line.removeAll()
    }
    line.append(contentsOf: begin.elements)
    line.append(contentsOf: key.elements)
    var position = 0
    var start = 0
    row.forEachPart { text, targets in
      line.append(contentsOf: prefixes.elements(in: start..<prefixEnds[position]))
      start = prefixEnds[position]
      position += 1
      switch text.first {
      case RecordBody.oneMark: Self.append(targets, to: &line)
      case RecordBody.manyMark:
        line.append(Byte.openBracket)
        Self.append(targets, to: &line)
        line.append(Byte.closeBracket)
      default: line.append(contentsOf: text)
      }
    }
    line.append(Byte.closeBrace)
    writer.text(line.elements)
  }

  private mutating func adopt(_ names: MemberNames) {
    self.names = names
    prefixes.removeAll()
    prefixEnds.removeAll()
    for name in names.names {
      prefixes.append(Byte.comma)
      Self.append(name: name.string, to: &prefixes)
      prefixEnds.append(prefixes.count)
    }
  }

  private static func append(_ targets: Record.PartTargets, to bytes: inout ScratchList<UInt8>) {
    var isFirst = true
    targets.visit { id in
      if !isFirst { bytes.append(Byte.comma) }
      isFirst = false
      append(id.node.key, to: &bytes)
    }
  }

  private static func append(_ key: RecordKey, to bytes: inout ScratchList<UInt8>) {
    switch key {
    case .number(let number):
      var text = number.text
      text.withUTF8 { bytes.append(contentsOf: $0) }
    case .string(let string): JSONWriter.append(string: string, to: &bytes)
    }
  }
}

/// A relationship to follow in reverse when denormalizing: from a row to its holders.
public struct RecordInverse: Hashable, Sendable {
  /// The entity of the rows with the references.
  package var entity: String
  /// The member with the references.
  package var member: String
  /// The name of the member that contains the nested rows. If the row has its own member with this
  /// name, that member is left out. Two inverses of one entity need different names.
  package var name: String
  /// The maximum number of times that one branch of the output follows the relationship.
  package var depth: Int

  /// Creates an inverse.
  /// - Parameters:
  ///   - entity: The entity of the rows with the references.
  ///   - member: The member with the references.
  ///   - name: The name under which the rows are nested; nil for the name of the entity.
  ///   - depth: The maximum number of times that one branch of the output follows the relationship.
  public init(_ entity: String, _ member: String, as name: String? = nil, depth: Int = 1) {
    self.entity = entity
    self.member = member
    self.name = name ?? entity
    self.depth = depth
  }

  /// Creates an inverse from its text; nil if the text is no inverse. Examples are `comments.post`,
  /// `comments.parent:3` for a depth of 3, and `comments.parent:3=replies` for another name.
  package init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let point = path[0].lastIndex(of: "."), let depth = path.count == 1 ? 1 : Int(path[1]),
      depth > 0
    else { return nil }
    let (entity, member) = (path[0][..<point], path[0][path[0].index(after: point)...])
    let name = parts.count == 1 ? entity : parts[1]
    guard !entity.isEmpty, !member.isEmpty, !name.isEmpty else { return nil }
    self.init(String(entity), String(member), as: String(name), depth: depth)
  }
}

extension RecordDatabase {
  /// Returns the reason why an inverse cannot be followed, or nil.
  ///
  /// - Throws: A `SelectionProblem` if its entity does not exist.
  func problem(with inverse: RecordInverse) throws(SelectionProblem) -> DenormalizeProblem? {
    let entity = try knownEntity(inverse.entity)
    if let relationship = entity.relationship(inverse.member) {
      let target = schema.entities.first {
        relationship.names($0.name) && $0.idNames.contains { $0.isExactly(inverse.name) }
      }
      return target.map { .nameOfID(inverse.name, entity: $0.name) }
    }
    let suggestion = Suggestion.nearest(
      to: inverse.member, among: entity.relationships.map(\.name))
    return .unknownRelationship(inverse.member, entity: inverse.entity, suggestion: suggestion)
  }

  /// Returns the problem of two inverses with the same name for the same entity, or nil if the
  /// names are unique.
  func repeatedName(in inverses: [RecordInverse]) -> DenormalizeProblem? {
    for (place, inverse) in inverses.enumerated() {
      guard let relationship = relationship(of: inverse) else { continue }
      for other in inverses[..<place] where other.name.isExactly(inverse.name) {
        guard let known = self.relationship(of: other) else { continue }
        let shared = schema.entities.first {
          relationship.names($0.name) && known.names($0.name)
        }
        if let shared { return .repeatedName(inverse.name, entity: shared.name) }
      }
    }
    return nil
  }

  /// Returns the relationship that an inverse follows, or nil if it does not exist.
  func relationship(of inverse: RecordInverse) -> Schema.Relationship? {
    schema.entity(inverse.entity)?.relationship(inverse.member)
  }
}
