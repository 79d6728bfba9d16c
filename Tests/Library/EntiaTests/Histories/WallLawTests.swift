import Entia
import EntiaLaws
import EntiaTestSupport
import Foundation
import Testing

@Suite("Laws of a store in which everything writes, and everything follows")
struct WallLawTests {
  @Test(
    "Laws 20, 21, 25 and 40: all writers, all followers, in any history",
    arguments: 0..<scaled(16))
  func histories(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var history = try WallHistory(isRefusing: seed.isMultiple(of: 3))
    for step in 0..<60 {
      history.perform(step, &random)
      let problem = try history.problem(&random)
      try #require(
        problem == nil,
        "seed \(seed): \(problem ?? "")\n\(history.log.suffix(12).joined(separator: "\n"))")
    }
    // What is encoded is the same wall, with its order, ages and answers.
    let wall = try history.wallWithoutTransientMembers()
    let copy = try JSONDecoder().decode(
      Wall.Storage.self, from: JSONEncoder().encode(wall))
    expectEqual(copy, wall)
    expectEqual(Array(copy.posts), Array(wall.posts))
    expectEqual(copy.answers[1], wall.answers[1])
    for id in wall.posts.map(\.entityID) {
      expectEqual(copy.postAges.receivedAt(id), wall.postAges.receivedAt(id))
    }
  }
}

/// A store with drafts, layers and forks, and the edits of the layers.
private struct WallHistory {
  struct Refusal: Error {}

  let store: Store<Wall.State, Never>
  let followers: WallFollowers
  /// A middleware that refuses some states and edits others; `nil` without one.
  let middleware: StoreSubscription?
  var draft: EditingDraft<Wall.Storage>
  var layers: [(layer: StoreLayer<Wall.State>, edits: [WallEdit])] = []
  var forks: [(base: Wall.Storage, edited: Wall.Storage)] = []
  var log: [String] = []
  /// The committed state before the last step, if the step was one commit.
  var before: Wall.State?
  /// What the last step itself found wrong.
  var ownProblem: String?

  init(isRefusing: Bool) throws {
    let wall = try Wall.sample()
    store = Store(initialState: Wall.State(wall: wall, side: wall), undoDepth: 20)
    followers = WallFollowers(store)
    draft = store.draft(\.wall, merge: ThreeWayMerge(otherwise: .theirs))
    guard isRefusing else {
      middleware = nil
      return
    }
    middleware = store.add(
      middleware: StoreMiddleware { before, after, _ in
        if after.wall.posts.contains(where: { $0.title == "t3 w3" }) { throw Refusal() }
        let count = after.wall.users.count
        if count > before.wall.users.count {
          try after.wall.performBatchUpdates {
            $0.modifying.tags.insert(Wall.Tag(id: 0, name: "\(count) users"))
          }
        }
      })
  }

  mutating func perform(_ step: Int, _ random: inout SeededGenerator) {
    let edits = (0...random.number(in: 0..<2)).map { _ in WallEdit(&random, step: step) }
    let text = random.number(in: 0..<3) == 0 ? "\(step)" : nil
    let edit: @Sendable (inout Wall.State) throws -> Void = { state in
      for edit in edits { try edit.apply(to: &state) }
      if let text { state.text = text }
    }
    let action = random.number(in: 0..<26)
    log.append("step \(step), action \(action): \(edits)")
    before = nil
    do {
      switch action {
      case ..<5:
        let start = store.committedState
        try store.commit("Edit", edit)
        before = start
      case ..<9: try commit(action, edit)
      case ..<14: undo(action)
      case ..<18: try editDraft(action, edits)
      case ..<21: try editLayers(action, edit, edits, &random)
      case 21: try write(edits[0], isMember: Bool.random(using: &random))
      case 22: evict(downTo: random.number(in: 0..<12))
      case 23: try receive(step, &random)
      default: try editForks(action, edits, &random)
      }
    } catch {
      // A refusal is part of the history, too.
      log.append("  refused: \(error)")
    }
  }

  private func commit(
    _ action: Int, _ edit: @escaping @Sendable (inout Wall.State) throws -> Void
  ) throws {
    switch action {
    case 5, 6: try store.commit(undo: .none, edit)
    case 7: try store.commit("Type", coalescing: .sameName(within: .seconds(100)), edit)
    default:
      try store.undoGroup("Group") {
        try store.commit(edit)
        store.commit { $0.text += "+" }
      }
    }
  }

  private func undo(_ action: Int) {
    switch action {
    case 9, 10: store.undo()
    case 11: store.redo()
    case 12: store.undo(\.wall)
    default: store.redo(\.wall)
    }
  }

  private mutating func editDraft(_ action: Int, _ edits: [WallEdit]) throws {
    switch action {
    case 14, 15: try draft.update { for edit in edits { try edit.apply(to: &$0) } }
    case 16:
      try draft.save()
      if draft.hasChanges { ownProblem = "the saved draft has changes" }
    default:
      if edits.count == 2 { draft.undo() } else { draft.discard() }
    }
  }

  private mutating func editLayers(
    _ action: Int, _ edit: @escaping @Sendable (inout Wall.State) throws -> Void,
    _ edits: [WallEdit], _ random: inout SeededGenerator
  ) throws {
    if action == 18 {
      // The edits read rows that they do not write.
      let layer = try store.addLayer(replays: .always) { state in
        for edit in edits { try edit.apply(to: &state) }
      }
      layers.append((layer, edits))
      return
    }
    guard !layers.isEmpty else { return }
    let layer = layers.remove(at: random.number(in: 0..<layers.count)).layer
    if action == 20 {
      layer.rollBack()
      return
    }
    do {
      try layer.confirm(undo: Bool.random(using: &random) ? .step : .none)
    } catch {
      layer.rollBack()
      throw error
    }
  }

  private func write(_ edit: WallEdit, isMember: Bool) throws {
    let ref = store.ref(Wall.Post.EntityID(edit.a), in: \.wall)
    if isMember {
      try ref.update { $0?.title = "r\(edit.b)" }
    } else if var post = ref.value {
      post.year = edit.b
      try ref.update { [post] in $0 = post }
    }
  }

  private mutating func evict(downTo count: Int) {
    let shown = store.state.wall.fetch(FetchDescriptor<Wall.Comment>())
    store.evict(\.wall, downTo: .rows(count))
    if store.state.wall.fetch(FetchDescriptor<Wall.Comment>()) != shown {
      ownProblem = "rows of a query were evicted"
    }
  }

  private func receive(_ step: Int, _ random: inout SeededGenerator) throws {
    let ids = store.committedState.wall.posts.map(\.entityID).shuffled(using: &random).prefix(3)
    let cursor = Bool.random(using: &random) ? "next" : nil
    try store.commit(undo: .none) { state in
      try state.wall.performBatchUpdates { context in
        context.modifying.answers.receive(
          ids, for: 1, after: cursor, next: "next", at: Wall.time(step))
      }
    }
  }

  private mutating func editForks(
    _ action: Int, _ edits: [WallEdit], _ random: inout SeededGenerator
  ) throws {
    if action == 24 {
      let base = store.committedState.wall
      var edited = base
      for edit in edits { try edit.apply(to: &edited) }
      forks.append((base, edited))
      return
    }
    guard let (base, edited) = forks.popLast() else { return }
    if Bool.random(using: &random) {
      try store.commit("Apply") { try $0.wall.apply(edited.changes(since: base)) }
    } else {
      try store.commit("Merge") { state in
        let merge = ThreeWayMerge<Wall.Storage>(otherwise: .mine)
        state.wall = try state.wall.merging(edited, base: base, by: merge).storage
      }
    }
  }

  /// Returns what is wrong after a step; `nil` if everything is right.
  func problem(_ random: inout SeededGenerator) throws -> String? {
    if let ownProblem { return ownProblem }
    let (committed, shown) = (store.committedState, store.state)
    for (name, state) in [("committed", committed), ("shown", shown)] {
      let issues = state.wall.verify() + state.side.verify()
      if !issues.isEmpty { return "\(name): \(issues)" }
    }
    if shown != applyingLayers(to: committed) {
      return "the visible state is not the committed one with the layers"
    }
    if let problem = followers.problem(in: shown) { return problem }
    guard let before, layers.isEmpty, before != committed, Bool.random(using: &random) else {
      return nil
    }
    // A middleware may edit or refuse an undo.
    if middleware != nil { return nil }
    if !store.undo() || store.committedState != before { return "undo is not the identity" }
    if !store.redo() || store.committedState != committed { return "redo is not the identity" }
    return followers.problem(in: store.state)
  }

  private func applyingLayers(to state: Wall.State) -> Wall.State {
    var state = state
    for (_, edits) in layers {
      var next = state
      do {
        for edit in edits { try edit.apply(to: &next) }
        state = next
      } catch {
        // A layer whose edit fails is skipped.
      }
    }
    return state
  }

  func wallWithoutTransientMembers() throws -> Wall.Storage {
    var wall = store.committedState.wall
    let ids = wall.users.map(\.entityID)
    try wall.performBatchUpdates { context in
      for id in ids { context.modifying.users[id]?.isOpen = false }
    }
    return wall
  }
}
