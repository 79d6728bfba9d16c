import EntiaCollections

/// Collects the dangling references that the difference between two versions adds or removes.
///
/// Relationships whose rule is `keepDangling` are ignored, because their references may dangle in
/// any version.
@frozen
@usableFromInline
struct DanglingCollector<Contents: StorageContents>: StorageVisitor {
  @usableFromInline let old: UnsafeMutablePointer<Contents>
  @usableFromInline let new: UnsafeMutablePointer<Contents>
  @usableFromInline let layout: ContentsLayout
  @usableFromInline let tables: [ObjectIdentifier: any AnyTableChanges]
  @usableFromInline var index = 0
  @usableFromInline var result: [String: any AnyDanglingReferences] = [:]

  @inlinable
  init(
    _ old: UnsafePointer<Contents>, _ new: UnsafePointer<Contents>, _ layout: ContentsLayout,
    _ tables: [ObjectIdentifier: any AnyTableChanges]
  ) {
    self.old = UnsafeMutablePointer(mutating: old)
    self.new = UnsafeMutablePointer(mutating: new)
    self.layout = layout
    self.tables = tables
  }

  @inlinable
  mutating func relationship<Relationship: RelationshipType>(
    _ name: String, _ path: PartPath<Contents, Relationship>
  ) {
    let offset = layout.relationships[index]
    index &+= 1
    let holders = tables[ObjectIdentifier(Relationship.Holder.self)]
    let targets = tables[ObjectIdentifier(Relationship.Target.self)]
    if holders == nil && targets == nil { return }
    let before = (UnsafeRawPointer(old) + offset).assumingMemoryBound(to: Relationship.self)
    let after = (UnsafeRawPointer(new) + offset).assumingMemoryBound(to: Relationship.self)
    if after.pointee.onDelete == .keepDangling { return }
    var references = DanglingReferences<Relationship.Holder, Relationship.Target>()
    if let holders = holders as? TableChanges<Relationship.Holder> {
      collect(holders, before, after, &references)
    }
    if let targets = targets as? TableChanges<Relationship.Target> {
      // The references of unchanged holders dangle in the version in which their target is missing.
      for target in targets.removed { Self.collect(target.entityID, after, &references.new) }
      for target in targets.inserted { Self.collect(target.entityID, before, &references.old) }
    }
    if !references.isEmpty { result[name] = references }
  }

  @inlinable
  func collect<Relationship: RelationshipType>(
    _ holders: TableChanges<Relationship.Holder>,
    _ before: UnsafePointer<Relationship>, _ after: UnsafePointer<Relationship>,
    _ references: inout DanglingReferences<Relationship.Holder, Relationship.Target>
  ) {
    if !holders.inserted.isEmpty {
      let targets = targets(of: Relationship.self, in: new)
      for holder in holders.inserted { Self.collect(holder, after, targets, &references.new) }
    }
    if !holders.removed.isEmpty {
      let targets = targets(of: Relationship.self, in: old)
      for holder in holders.removed { Self.collect(holder, before, targets, &references.old) }
    }
    for update in holders.updated {
      // The key is compared first, because most updates change another field.
      if Self.hasSameKey(update.old, update.new, after) { continue }
      var known: Set<DanglingReference<Relationship.Holder, Relationship.Target>> = []
      Self.collect(update.old, before, targets(of: Relationship.self, in: old), &known)
      var fresh: Set<DanglingReference<Relationship.Holder, Relationship.Target>> = []
      Self.collect(update.new, after, targets(of: Relationship.self, in: new), &fresh)
      references.old.formUnion(known)
      references.new.formUnion(fresh)
    }
  }

  @inlinable
  func targets<Relationship: RelationshipType>(
    of type: Relationship.Type, in contents: UnsafeMutablePointer<Contents>
  ) -> TablePointer<Relationship.Target>? {
    var search = TableOffsetSearch<Contents, Relationship.Target>(
      contents: contents, offsets: layout.tables)
    Contents.visitParts(&search)
    return search.result
  }

  @inlinable
  static func hasSameKey<Relationship: RelationshipType>(
    _ old: Relationship.Holder, _ new: Relationship.Holder,
    _ relationship: UnsafePointer<Relationship>
  ) -> Bool {
    typealias One = ToOne<Relationship.Holder, Relationship.Target>
    if Relationship.self == One.self {
      let one = UnsafeRawPointer(relationship).assumingMemoryBound(to: One.self)
      return one.pointee.targetID(of: old) == one.pointee.targetID(of: new)
    }
    return relationship.pointee.targetIDs(of: old) == relationship.pointee.targetIDs(of: new)
  }

  /// Collects the references of a holder to missing targets.
  @inlinable
  static func collect<Relationship: RelationshipType>(
    _ holder: Relationship.Holder, _ relationship: UnsafePointer<Relationship>,
    _ targets: TablePointer<Relationship.Target>?,
    _ references: inout Set<DanglingReference<Relationship.Holder, Relationship.Target>>
  ) {
    typealias One = ToOne<Relationship.Holder, Relationship.Target>
    if Relationship.self == One.self {
      let one = UnsafeRawPointer(relationship).assumingMemoryBound(to: One.self)
      guard let target = one.pointee.targetID(of: holder), targets?.contains(target) != true
      else { return }
      references.insert(DanglingReference(holder.entityID, target))
      return
    }
    for target in relationship.pointee.targetIDs(of: holder)
    where targets?.contains(target) != true {
      references.insert(DanglingReference(holder.entityID, target))
    }
  }

  /// Collects the references to a missing target.
  @inlinable
  static func collect<Relationship: RelationshipType>(
    _ target: Relationship.Target.EntityID, _ relationship: UnsafePointer<Relationship>,
    _ references: inout Set<DanglingReference<Relationship.Holder, Relationship.Target>>
  ) {
    guard relationship.pointee.isReferenced(target) else { return }
    for holder in relationship.pointee.holderIDs(of: target) {
      references.insert(DanglingReference(holder, target))
    }
  }
}

/// A key that references a missing entity.
@frozen
@usableFromInline
struct DanglingReference<Holder: EntityType, Target: EntityType>: Hashable, Sendable {
  @usableFromInline let holder: Holder.EntityID
  @usableFromInline let target: Target.EntityID

  @inlinable
  init(_ holder: Holder.EntityID, _ target: Target.EntityID) {
    self.holder = holder
    self.target = target
  }
}

/// The dangling references of one relationship, if the difference between two versions adds or
/// removes them. For each of these references, the key of the holder or the existence of the target
/// differs between the versions.
///
/// When a change set is applied to another version, the references in `new` may dangle there, too.
/// Any other reference that then begins to dangle is a conflict.
@frozen
@usableFromInline
struct DanglingReferences<Holder: EntityType, Target: EntityType>: Sendable {
  /// The references that dangle in the older version.
  @usableFromInline var old: Set<DanglingReference<Holder, Target>> = []
  /// The references that dangle in the newer version.
  @usableFromInline var new: Set<DanglingReference<Holder, Target>> = []

  @inlinable
  init() {}

  @inlinable
  var isEmpty: Bool { old.isEmpty && new.isEmpty }
}

/// The dangling references of a relationship, for code that does not depend on the types.
@usableFromInline
protocol AnyDanglingReferences: Sendable {
  var isEmpty: Bool { get }
  var inverted: any AnyDanglingReferences { get }
  func composed(withAny later: any AnyDanglingReferences) -> any AnyDanglingReferences
  func encode(to encoder: any Encoder) throws
}

extension DanglingReferences: AnyDanglingReferences {
  @usableFromInline
  var inverted: any AnyDanglingReferences {
    var result = self
    swap(&result.old, &result.new)
    return result
  }

  @usableFromInline
  func composed(withAny later: any AnyDanglingReferences) -> any AnyDanglingReferences {
    guard let later = later as? Self else { return self }
    var result = self
    // The references in `later.old` dangle in the middle version. Those that still dangle in the
    // newest version are also in `later.new`.
    result.old.formUnion(later.old.subtracting(new))
    result.new.subtract(later.old)
    result.new.formUnion(later.new)
    return result
  }
}
