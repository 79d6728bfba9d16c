public import EntiaCollections

/// The holders of one entity, in the order in which they began to reference it.
///
/// A short list, the usual case, is an array, which needs little memory. A longer one is a
/// persistent table of IDs, so that a change takes O(log *n*).
@frozen
@usableFromInline
enum LinkList<ID: TableKey>: Sendable {
  case few([ID])
  case many(PersistentTable<SelfKeyed<ID>>)

  @inlinable
  static var fewLimit: Int { 16 }

  @inlinable
  init(_ id: ID) { self = .few([id]) }

  /// Creates a list of different IDs.
  @inlinable
  init(_ ids: ArraySlice<ID>) {
    self = ids.count > Self.fewLimit ? .many(PersistentTable(ids)) : .few(Array(ids))
  }

  @inlinable
  var isEmpty: Bool {
    switch self {
    case .few(let ids): ids.isEmpty
    case .many(let ids): ids.isEmpty
    }
  }

  @inlinable
  var first: ID? {
    switch self {
    case .few(let ids): ids.first
    case .many(let ids): ids.first { _ in true }
    }
  }

  func contains(_ id: ID) -> Bool {
    switch self {
    case .few(let ids): ids.contains(id)
    case .many(let ids): ids.contains(id)
    }
  }

  @inlinable
  var count: Int {
    switch self {
    case .few(let ids): ids.count
    case .many(let ids): ids.count
    }
  }

  @inlinable
  var ids: [ID] {
    switch self {
    case .few(let ids): ids
    case .many(let ids): ids.elements
    }
  }

  /// Calls the closure with each ID until it returns `false`.
  func visit(_ body: (ID) -> Bool) {
    switch self {
    case .few(let ids): for id in ids where !body(id) { return }
    case .many(let ids): for id in ids where !body(id) { return }
    }
  }

  /// Adds an ID at the end, unless the list contains it.
  /// - Parameter isMissing: Whether the list is known not to contain the ID.
  @inlinable
  @inline(__always)
  mutating func insert(_ id: ID, isMissing: Bool = false) {
    switch self {
    case .few(var ids):
      // `self` releases the array first, so that `ids` is the only reference and changes in place.
      self = .few([])
      guard isMissing || !ids.contains(id) else {
        self = .few(ids)
        return
      }
      ids.append(id)
      self = ids.count > Self.fewLimit ? .many(PersistentTable(ids)) : .few(ids)
    case .many(var ids):
      self = .few([])
      ids.updateOrInsert(id)
      self = .many(ids)
    }
  }

  @inlinable
  mutating func remove(_ id: ID) {
    switch self {
    case .few(var ids):
      self = .few([])
      if let index = ids.firstIndex(of: id) { ids.remove(at: index) }
      self = .few(ids)
    case .many(var ids):
      self = .few([])
      ids.remove(id)
      self = ids.count <= Self.fewLimit / 2 ? .few(ids.elements) : .many(ids)
    }
  }
}

extension LinkList: Equatable {
  /// Whether two lists have the same IDs in the same order.
  @usableFromInline
  static func == (lhs: Self, rhs: Self) -> Bool {
    switch (lhs, rhs) {
    case (.few(let first), .few(let second)): first == second
    case (.many(let first), .many(let second)):
      first.isIdentical(to: second)
        || (first.count == second.count && first.elementsEqual(second))
    case (.few, .many), (.many, .few): lhs.ids == rhs.ids
    }
  }
}
