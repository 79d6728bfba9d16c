extension PersistentOrderedTable: Equatable where Element: Equatable {
  /// Whether two tables hold equal elements in the same order.
  /// - Complexity: O(changes · log *n*) between versions of one history, O(*n*) between unrelated
  ///   versions.
  @inlinable
  package static func == (a: Self, b: Self) -> Bool {
    if a.count != b.count { return false }
    if a.isIdentical(to: b) { return true }
    var position = 0
    if a.isTree && b.isTree {
      var changed = OrderedTableChanges(from: a, to: b)
      if a.branches.root === b.branches.root { return haveEqualLeaves(changed.leaves) }
      changed.markBranches(of: b)
      while position < b.count {
        if let skipped = changed.sharedRun(at: position, a, b) {
          position &+= skipped
        } else if !haveEqualRun(a, b, &position) {
          return false
        }
      }
      return true
    }
    while position < b.count {
      if !haveEqualRun(a, b, &position) { return false }
    }
    return true
  }

  @inlinable
  static func haveEqualLeaves(_ differences: [NodeDifference<OrderedLeaf<Element>>]) -> Bool {
    for difference in differences {
      guard let old = difference.old, let new = difference.new else { return false }
      let count = old.count
      if count != new.count { return false }
      if !haveEqualElements(old.elements, new.elements, count) { return false }
    }
    return true
  }

  /// Compares the elements from a position to the next end of a leaf in either table, and advances
  /// the position to that end.
  @inlinable
  static func haveEqualRun(_ a: Self, _ b: Self, _ position: inout Int) -> Bool {
    TableWork.note(.nodeVisited)
    let x = a.place(at: position)
    let y = b.place(at: position)
    let left = a.leaves[x.leaf]
    let right = b.leaves[y.leaf]
    let count = Swift.min(left.count &- x.offset, right.count &- y.offset)
    position &+= count
    return haveEqualElements(
      left.elements + x.offset, right.elements + y.offset, count)
  }

  @inlinable
  static func haveEqualElements(
    _ a: UnsafePointer<Element>, _ b: UnsafePointer<Element>, _ count: Int
  ) -> Bool {
    if a == b { return true }
    for index in 0..<count where !haveSameValue(a[index], b[index]) { return false }
    return true
  }
}

/// The numbers whose nodes differ between two versions of an ordered table.
@frozen
@usableFromInline
struct OrderedTableChanges<Layout: KeyedElements> {
  @usableFromInline let leaves: [NodeDifference<OrderedLeaf<Layout.Element>>]
  @usableFromInline let branches: [NodeDifference<OrderedBranch>]
  /// The newer version's leaves that changed.
  @usableFromInline var changedLeaves: Set<Int>
  /// The newer version's branches that changed, or below which a branch or a leaf changed.
  @usableFromInline var changedBranches: Set<Int>

  @inlinable
  init(from old: PersistentOrderedTable<Layout>, to new: PersistentOrderedTable<Layout>) {
    leaves = new.leaves.differences(from: old.leaves)
    branches = new.branches.differences(from: old.branches)
    changedLeaves = []
    changedBranches = []
  }

  @inlinable
  mutating func markBranches(of new: PersistentOrderedTable<Layout>) {
    for difference in leaves {
      guard let leaf = difference.new else { continue }
      changedLeaves.insert(difference.number)
      mark(leaf.parent, new)
    }
    for difference in branches where difference.new != nil { mark(difference.number, new) }
  }

  @inlinable
  mutating func mark(_ branch: Int, _ new: PersistentOrderedTable<Layout>) {
    var branch = branch
    while changedBranches.insert(branch).inserted, branch != 0 {
      branch = new.branches[branch].parent
    }
  }

  /// Returns the number of elements in the largest shared leaf or subtree that starts at the
  /// position in both versions, or `nil`.
  @inlinable
  func sharedRun(
    at position: Int, _ old: PersistentOrderedTable<Layout>, _ new: PersistentOrderedTable<Layout>
  ) -> Int? {
    TableWork.note(.nodeVisited)
    var branch = new.branches[0]
    var rest = position
    while true {
      let index = branch.index(containing: rest)
      let start = branch.start(of: index)
      rest &-= start
      let child = branch.child(index)
      let isLeaf = branch.level == 0
      if rest == 0, !(isLeaf ? changedLeaves : changedBranches).contains(child) {
        let oldStart = isLeaf ? old.start(ofLeaf: child) : old.start(ofBranch: child)
        if oldStart == position { return Int(branch.ends[index]) &- start }
      }
      if isLeaf { return nil }
      branch = new.branches[child]
    }
  }
}

extension PersistentOrderedTable {
  /// Returns the position of a branch's first element.
  @inlinable
  func start(ofBranch branch: Int) -> Int {
    var child = branch
    var start = 0
    while child != 0 {
      let parent = branches[child].parent
      let index = branches[parent].index(of: child)
      start &+= branches[parent].start(of: index)
      child = parent
    }
    return start
  }
}
