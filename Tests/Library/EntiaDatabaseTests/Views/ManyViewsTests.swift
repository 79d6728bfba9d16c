import EntiaDatabase
import EntiaLaws
import EntiaTestSupport
import Testing

private struct Tree: EntityType, Identifiable {
  let id: Int
  var leafIDs: [Leaf.EntityID] = []
  var twigIDs: [Twig.EntityID] = []
}

private struct Leaf: EntityType, Identifiable {
  let id: String
  var treeID: Tree.EntityID
}

private struct Twig: EntityType, Identifiable {
  let id: Int
  var treeID: Tree.EntityID
}

private struct Wood: NormalizedStorageType {
  struct Contents: StorageContents {
    var trees = Tables.Hash<Tree>()
    var leaves = Tables.Hash<Leaf>()
    var twigs = Tables.Ordered<Twig>()
    var leafTree = ToOne<Leaf, Tree>(\.treeID, onDelete: .cascade)
    var twigTree = ToOne<Twig, Tree>(\.treeID, onDelete: .cascade)
    var treeLeaves = ToMany<Tree, Leaf>(\.leafIDs, onDelete: .keepDangling)
    var treeTwigs = ToMany<Tree, Twig>(\.twigIDs, onDelete: .keepDangling)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("trees", \.trees)
      visitor.table("leaves", \.leaves)
      visitor.table("twigs", \.twigs)
      visitor.relationship("leafTree", \.leafTree)
      visitor.relationship("twigTree", \.twigTree)
      visitor.relationship("treeLeaves", \.treeLeaves)
      visitor.relationship("treeTwigs", \.treeTwigs)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
}

private struct Stop: Error {}

@Suite("Views of several entities")
struct ManyViewsTests {
  /// Compares every way to visit views with the rows that have the IDs.
  private func check<Entity: EntityType>(
    _ views: EntityViews<Wood, Entity>, _ wood: Wood, _ ids: [Entity.EntityID], _ place: String
  ) where Entity: Equatable {
    let expected = ids.compactMap { wood.view(of: $0)?.entity }
    expectEqual(views.map(\.entity), expected, "\(place)")
    var visited: [Entity] = []
    for view in views { visited.append(view.entity) }
    expectEqual(visited, expected, "\(place)")
    expectEqual(views.indices.map { views[$0].entity }, expected, "\(place)")
    expectEqual(views.first?.entity, expected.first, "\(place)")
    expectEqual(views.dropFirst().first?.entity, expected.dropFirst().first, "\(place)")
    expectEqual(views.ids, expected.map(\.entityID), "\(place)")
    if expected.count > 1 {
      #expect(throws: Stop.self) {
        _ = try views.map { view in
          if view.entityID == views.ids[1] { throw Stop() }
        }
      }
    }
  }

  @Test("Views are those of their IDs, however many there are, also of a version that was left")
  func everyNumber() throws {
    for seed in LawRuns(count: 5, corpus: Corpus.storages).seeds {
      var random = SeededGenerator(seed: seed)
      var wood = Wood()
      let held = wood
      try wood.performBatchUpdates { context in
        context.modifying.trees.insert(Tree(id: 1))
        for id in 0..<random.number(in: 0..<200) {
          let tree = Tree.EntityID(random.oneIn(20) ? 1 : 2)
          context.modifying.leaves.insert(Leaf(id: "leaf \(id)", treeID: tree))
          context.modifying.twigs.insert(Twig(id: id, treeID: tree))
        }
        let leaves = (0..<random.number(in: 0..<12)).map { _ in
          Leaf.EntityID("leaf \(random.number(in: 0..<200))")
        }
        let twigs = (0..<random.number(in: 0..<12)).map { _ in
          Twig.EntityID(random.number(in: 0..<200))
        }
        context.modifying.trees.insert(Tree(id: 1, leafIDs: leaves, twigIDs: twigs))
      }
      let tree = try #require(wood.view(of: Tree.EntityID(1)))
      let contents = wood.snapshot.contents
      check(tree[\.treeLeaves], wood, tree.entity.leafIDs, "seed \(seed), leaves")
      check(tree[\.treeTwigs], wood, tree.entity.twigIDs, "seed \(seed), twigs")
      let leaves = tree[inverse: \.leafTree]
      check(leaves, wood, contents.leafTree.holderIDs(of: 1), "seed \(seed), its leaves")
      let twigs = tree[inverse: \.twigTree]
      check(twigs, wood, contents.twigTree.holderIDs(of: 1), "seed \(seed), its twigs")
      // A view retains its version.
      let before = leaves.map(\.entity)
      wood = held
      expectEqual(leaves.map(\.entity), before, "seed \(seed)")
    }
  }
}
