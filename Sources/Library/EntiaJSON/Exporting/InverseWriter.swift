import EntiaCoding
import EntiaDatabase

/// A writer of the entities that reference an entity through one relationship.
final class InverseWriter<Target: EntityType> {
  let name: String
  private let depth: Int
  /// Writes the array of the entities that reference an entity.
  private let writeHolders: (Target.EntityID, inout JSONWriter, EncodingRun) throws -> Void
  /// The number of times that the current branch has followed the relationship.
  private var steps = 0

  init(
    _ name: String, depth: Int,
    writeHolders: @escaping (Target.EntityID, inout JSONWriter, EncodingRun) throws -> Void
  ) {
    self.name = name
    self.depth = depth
    self.writeHolders = writeHolders
  }

  /// Adds the entities that reference an entity to its encoded object.
  ///
  /// - Returns: `false` if nothing was added, because the branch of the output has reached the
  ///   relationship's depth.
  func add(_ target: Target, to node: EncodedNode, _ run: EncodingRun) throws -> Bool {
    guard steps < depth else { return false }
    guard case .object = node.content else {
      throw EncodingError.invalid(
        target,
        "\(Target.entityName) is not encoded as an object, to which \(name) could be added")
    }
    steps += 1
    defer { steps -= 1 }
    let name = run.spelled(name)
    run.countName(name)
    let holders = try JSONWriter.text { try writeHolders(target.entityID, &$0, run) }
    node.member(name).content = .leaf(holders)
    return true
  }
}

/// Adds the writers of inverse relationships to an encoding run.
struct InverseWriters<Storage: NormalizedStorageType>: RelationshipPathVisitor {
  typealias Contents = Storage.Contents

  private let storage: Storage
  private let run: EncodingRun
  private var name = ""
  private var depth = 0
  private var problem: DenormalizeProblem?

  init(_ storage: Storage, _ run: EncodingRun) {
    self.storage = storage
    self.run = run
  }

  /// Adds the writers of inverse relationships.
  /// - Throws: ``DenormalizeProblem/repeatedName(_:entity:)`` if two inverses of one entity have
  ///   the same name in the output.
  mutating func add(_ inverses: [InverseNesting<Storage>]) throws {
    for inverse in inverses {
      (name, depth) = (inverse.name, inverse.depth)
      inverse.visit(&self)
      if let problem { throw problem }
    }
  }

  mutating func visit<Relationship: RelationshipType>(
    _ path: any KeyPath<Contents, Relationship> & Sendable
  ) {
    let relationship = storage.snapshot.contents[keyPath: path]
    let writer = InverseWriter<Relationship.Target>(name, depth: depth) { target, json, run in
      let holder = Relationship.Holder.self
      let writer = run.idWriters[ObjectIdentifier(Relationship.Holder.EntityID.self)]
      guard let writer = writer as? IDWriter<Relationship.Holder.EntityID> else {
        throw EncodingError.invalid(
          holder, "\(Storage.self) has no table of \(holder.entityName) that is Encodable")
      }
      json.beginArray()
      for id in relationship.holderIDs(of: target) { try writer.writeNested(id, to: &json, run) }
      json.endArray()
    }
    let target = ObjectIdentifier(Relationship.Target.self)
    for case let other as InverseWriter<Relationship.Target> in run.inverses[target] ?? []
    where run.spelled(other.name).isExactly(run.spelled(name)) {
      problem = .repeatedName(name, entity: Relationship.Target.entityName)
    }
    run.inverses[target, default: []].append(writer)
  }
}
