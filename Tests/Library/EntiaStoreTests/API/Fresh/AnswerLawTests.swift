import EntiaDatabase
import EntiaLaws
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaStore

/// The pages of an answer as they were received, and the removals that are in effect.
private struct AnswerModel {
  var pages: [[Int]] = []
  var isInvalidated = false
  var removed: Set<Int> = []
  var undone: [Int] = []
  var steps: [Int] = []
  var layers: [(id: Int, layer: StoreLayer<Mailbox>)] = []

  /// The rows of the pages in the committed state.
  var committed: [Int] { pages.flatMap { $0 }.filter { !removed.contains($0) } }

  /// The rows of the pages above the layers.
  var visible: [Int] { committed.filter { id in !layers.contains { $0.id == id } } }
}

@Suite("Laws of answers in a store")
struct AnswerLawTests {
  /// The notes of a page. A page has none of the others.
  private static let pageSize = 6

  private func remove(_ id: Int, _ state: inout Mailbox) throws {
    _ = try state.inbox.performBatchUpdates { $0.modifying.notes.remove(.init(id)) }
  }

  @Test(
    "Law 47: an answer has the existing rows of its received pages, beside undo and layers",
    arguments: LawRuns(count: 10).seeds)
  func pages(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try Store.mailbox(0...(4 * Self.pageSize - 1))
    let query = store.query(NoteRequest.all, of: Note.self, in: \.inbox)
    let subscription = query.sinkState(queue: .passthrough) { _ in }
    var model = AnswerModel()
    for step in 0..<60 {
      try edit(store, &model, time: Double(100 + step), using: &random)
      let inbox = store.state.inbox
      let committed = store.committedState.inbox
      let place: Comment = "seed \(seed), step \(step)"
      try #require(inbox.answers.ids(for: .all).map(\.raw) == model.visible, place)
      try #require(committed.answers.ids(for: .all).map(\.raw) == model.committed, place)
      try #require(query.value.map(\.id) == model.visible, place)
      try #require(inbox.answers[.all]?.isInvalidated ?? false == model.isInvalidated, place)
      try #require(inbox.verify() == [] && committed.verify() == [], place)
    }
    subscription.cancel()
  }

  private func edit(
    _ store: Store<Mailbox, Never>, _ model: inout AnswerModel, time: Double,
    using random: inout SeededGenerator
  ) throws {
    let id = random.number(in: 0..<(4 * Self.pageSize))
    switch random.number(in: 0..<10) {
    case 0, 1:
      if !model.removed.insert(id).inserted { return }
      try store.commit("Remove \(id)") { try remove(id, &$0) }
      model.steps.append(id)
      model.undone = []
    case 2, 3:
      guard let last = model.steps.popLast() else { return }
      expectTrue(store.undo())
      model.removed.remove(last)
      model.undone.append(last)
    case 4:
      guard let last = model.undone.popLast() else { return }
      if store.redo() {
        model.removed.insert(last)
        model.steps.append(last)
      } else {
        model.undone = []
      }
    case 5:
      try store.commit(undo: .none) { state in
        try state.inbox.performBatchUpdates { $0.modifying.answers.invalidate { _ in true } }
      }
      model.isInvalidated = !model.pages.isEmpty
    case 6:
      if model.layers.contains(where: { $0.id == id }) { return }
      model.layers.append((id, try store.addLayer("Remove \(id)") { try remove(id, &$0) }))
    case 7:
      guard let index = model.layers.indices.randomElement(using: &random) else { return }
      model.layers.remove(at: index).layer.rollBack()
    default:
      let page = random.number(in: 0..<min(4, model.pages.count + 1))
      let first = page * Self.pageSize
      let ids = (first..<(first + Self.pageSize)).shuffled(using: &random).dropLast(2)
      try store.commit(undo: .none) { state in
        _ = try state.inbox.performBatchUpdates { context in
          context.modifying.answers.receive(
            ids.map { Note.EntityID($0) }, for: .all, after: page == 0 ? nil : "\(page)",
            next: "\(page + 1)", at: at(time))
        }
      }
      let received = ids.filter { !model.removed.contains($0) }
      if page == model.pages.count {
        model.pages.append(received)
      } else {
        model.pages[page] = received
      }
      if page == 0 { model.isInvalidated = false }
    }
  }

  @Test("A layer over an answer shows the pages that are received below it, and confirms them")
  func layer() throws {
    let store = try Store.mailbox(1...6)
    func receive(_ ids: [Int], after: String?, next: String, at time: Double) throws {
      try store.commit(undo: .none) { state in
        _ = try state.inbox.performBatchUpdates { context in
          context.modifying.answers.receive(
            ids.map { Note.EntityID($0) }, for: .all, after: after, next: next, at: at(time))
        }
      }
    }
    let query = store.query(NoteRequest.all, of: Note.self, in: \.inbox)
    try receive([1, 2], after: nil, next: "c1", at: 1)
    let layer = try store.addLayer("Remove 1") { try remove(1, &$0) }
    try receive([3, 4], after: "c1", next: "c2", at: 9)
    expectEqual(query.value.map(\.id), [2, 3, 4])
    try layer.confirm(undo: .step)
    expectEqual(query.value.map(\.id), [2, 3, 4])
    try receive([5], after: "c2", next: "c3", at: 10)
    expectTrue(store.undo() && query.value.map(\.id) == [1, 2, 3, 4, 5])
    expectTrue(store.redo() && query.value.map(\.id) == [2, 3, 4, 5])
    expectEqual(store.state.inbox.verify(), [])
  }
}
