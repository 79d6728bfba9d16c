import EntiaDatabase
import EntiaLaws
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Observation
import Testing

@testable import EntiaStore

/// The rows of an inbox, and the ages and answers that `==` ignores.
struct FreshInbox: Equatable {
  let rows: Inbox
  let ages: [Int: Date]
  let answers: [NoteRequest: Response<Note>]

  init(_ inbox: Inbox) {
    rows = inbox
    var ages: [Int: Date] = [:]
    for id in inbox.notes.map(\.id) { ages[id] = inbox.noteAges.receivedAt(.init(id)) }
    self.ages = ages
    answers = .init(
      inbox.answers.requests().map { ($0, inbox.answers[$0]) }.compactMap { request, answer in
        answer.map { (request, $0) }
      }, uniquingKeysWith: { first, _ in first })
  }
}

/// A write of rows, of ages or of answers.
enum FreshEdit: Sendable {
  case text(Int, String)
  case remove(Int)
  case insert(Int, Double)
  case touch([Int], Double)
  case answer([Int], Double)
  case invalidate

  /// Returns an edit that receives equal rows again, or invalidates their answer.
  static func reception(at time: Double, using random: inout SeededGenerator) -> Self {
    let ids = (0..<3).map { _ in random.number(in: 1..<7) }
    return switch random.number(in: 0..<5) {
    case 0: .invalidate
    case 1, 2: .touch(ids, time)
    default: .answer(ids, time)
    }
  }

  static func random(at time: Double, using random: inout SeededGenerator) -> Self {
    let id = random.number(in: 1..<7)
    return switch random.number(in: 0..<6) {
    case 0, 1: .text(id, "\(time)")
    case 2: .remove(id)
    case 3: .insert(id, time)
    default: reception(at: time, using: &random)
    }
  }

  func apply(to inbox: inout Inbox) throws {
    try inbox.performBatchUpdates { context in
      switch self {
      case .text(let id, let text):
        context.modifying.notes.updateIfExists(id: .init(id)) { $0.text = text }
      case .remove(let id): context.modifying.notes.remove(.init(id))
      case .insert(let id, let time):
        context.modifying.notes.insert(Note(id: id), receivedAt: at(time))
      case .touch(let ids, let time):
        context.modifying.notes.touch(ids.map { Note.EntityID($0) }, at: at(time))
      case .answer(let ids, let time):
        context.modifying.answers.receive(
          ids.map { Note.EntityID($0) }, for: .all, at: at(time))
      case .invalidate: context.modifying.answers.invalidate { _ in true }
      }
    }
  }
}

@Suite("Law 47: ages and answers are parts of a part of the state")
struct FreshPartLawTests {
  @Test(
    "Undo of a part with ages and answers equals the undo of the whole state",
    arguments: LawRuns(count: 10).seeds)
  func undo(_ seed: UInt64) throws {
    try undo(\.inbox, isKnown: true, seed)
    for isKnown in [false, true] { try undo(\.self, isKnown: isKnown, seed) }
  }

  /// Makes the same commits to two stores. One is undone and redone as a whole, and the other only
  /// in a part that contains all changes. If the database is known to the stores, they merge the
  /// commits that are no steps; otherwise they replay these commits.
  private func undo<Part: Equatable & Sendable>(
    _ part: any WritableKeyPath<Mailbox, Part> & Sendable, isKnown: Bool, _ seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed)
    let (whole, other) = (try Store.mailbox(1...6), try Store.mailbox(1...6))
    let inbox: any KeyPath<Mailbox, Inbox> & Sendable = \.inbox
    for store in [whole, other] {
      store.clearHistory()
      if isKnown { store.core.databases.add(inbox) }
    }
    let scope = other.scope(part)
    for step in 0..<60 {
      let time = Double(100 + step)
      let place: Comment = "seed \(seed), step \(step)"
      switch random.number(in: 0..<8) {
      case 0, 1:
        let edit = FreshEdit.random(at: time, using: &random)
        for store in [whole, other] { try store.commit { try edit.apply(to: &$0.inbox) } }
      case 2, 3, 4:
        let edit = FreshEdit.reception(at: time, using: &random)
        for store in [whole, other] {
          try store.commit(undo: .none) { try edit.apply(to: &$0.inbox) }
        }
      case 5, 6:
        try #require(whole.canUndo == other.canUndo(part), place)
        try #require(whole.undo() == scope.undo(), place)
      default:
        if isKnown { try #require(whole.canRedo == scope.canRedo, place) }
        // A reception that is replayed removes the redo of a part.
        if scope.canRedo { try #require(whole.redo() && other.redo(part), place) }
      }
      try #require(FreshInbox(other.state.inbox) == FreshInbox(whole.state.inbox), place)
      try #require(other.state.inbox.verify() == [], place)
    }
  }

  @Test("Undo and redo of a part keep what was received since, but a step removes the redo")
  func undoKeepsReceptions() throws {
    let store = try Store.mailbox(1...3)
    try store.answer(.all, [1, 2, 3], at: 1)
    let ref = store.ref(Note.EntityID(1), in: \.inbox)
    ref[\.text].value = "edited"
    store.endCoalescing()
    try store.answer(.all, [2, 1], at: 9)
    expectTrue(store.undo(\.inbox) && store.state.inbox.notes.find(by: 1)?.text == "")
    expectEqual(store.state.inbox.answers.ids(for: .all), [2, 1])
    expectTrue(store.canRedo(\.inbox))
    try store.answer(.all, [3], at: 10)
    expectTrue(store.redo(\.inbox) && store.state.inbox.answers.ids(for: .all) == [3])
    expectEqual(store.state.inbox.notes.find(by: 1)?.text, "edited")
    expectTrue(store.undo(\.inbox) && store.canRedo(\.inbox))
    try store.commit { try FreshEdit.touch([2], 20).apply(to: &$0.inbox) }
    expectTrue(!store.canRedo(\.inbox) && store.undo(\.inbox))
    ref[\.text].value = "again"
    store.endCoalescing()
    try store.commit { try FreshEdit.touch([1], 30).apply(to: &$0.inbox) }
    expectTrue(store.undo(\.inbox) && store.state.inbox.notes.find(by: 1)?.text == "again")
    expectEqual(store.state.inbox.noteAges.receivedAt(1), at(1))
    expectTrue(store.undo(\.inbox) && store.state.inbox.notes.find(by: 1)?.text == "")
    expectFalse(store.canUndo(\.inbox))
  }

  @Test(
    "Scopes, pointers, derived values, copies and observers have what the store has",
    arguments: LawRuns(count: 10).seeds)
  func reads(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try Store.mailbox(1...6)
    let scope = store.scope(\.inbox)
    let whole = store.scope(\.self)
    let pointer = store.ref(\.inbox)
    let derived = store.derived(.select(\.self)).derived(.map { $0.inbox })
    let optional = store.derived(.map { Optional($0.inbox) })
    let combined = Derived.combined(derived, store.derived(.select(\.name))) { inbox, _ in inbox }
    let copy = Store<Mailbox, Never>(initialState: Mailbox())
    let subscription = store.copy(\.inbox, to: copy, \.inbox)
    for step in 0..<40 {
      let before = store.state
      let edit =
        Bool.random(using: &random)
        ? FreshEdit.random(at: Double(100 + step), using: &random)
        : .reception(at: Double(100 + step), using: &random)
      switch random.number(in: 0..<4) {
      case 0: try scope.commit { try edit.apply(to: &$0) }
      case 1: try whole.commit { try edit.apply(to: &$0.inbox) }
      case 2: try pointer.update { try edit.apply(to: &$0) }
      default: try store.commit { try edit.apply(to: &$0.inbox) }
      }
      let expected = FreshInbox(store.state.inbox)
      let read = [
        scope.state, whole.state.inbox, pointer.value, derived.value, optional.value,
        combined.value, copy.state.inbox,
      ]
      for (index, inbox) in read.enumerated() {
        let found = inbox.map { FreshInbox($0) }
        try #require(found == expected, "seed \(seed), step \(step), read \(index)")
      }
      let isChanged = expected != FreshInbox(before.inbox)
      let changes = Changes(store.state, previous: before)
      let found = [
        changes.hasChanges, changes.hasChanges(\.name, \.inbox),
        changes.ifChanged(\.inbox) { _ in true } ?? false,
        changes.map { Optional($0.inbox) }.hasChanges,
      ]
      try #require(found.allSatisfy { $0 == isChanged }, "seed \(seed), step \(step), \(found)")
    }
    subscription.cancel()
  }

  @Test("A database that appears in an optional part has its ages and answers there")
  func appearing() throws {
    let mailbox = try Store.mailbox(1...3).state
    let store = Store<Session, Never>(initialState: Session())
    let scope = store.scope(\.mailbox)
    let derived = store.derived(.map { $0.mailbox })
    for step in 0..<9 {
      // The parts are compared when they are equal, too.
      store.commit { $0.count += 1 }
      _ = (scope.state, derived.value)
      try store.commit { state in
        if step % 4 == 3 {
          state.mailbox = nil
        } else if state.mailbox == nil {
          state.mailbox = mailbox
        } else {
          try state.mailbox?.inbox.performBatchUpdates {
            $0.modifying.notes.touch([1], at: at(Double(100 + step)))
          }
        }
      }
      let expected = store.state.mailbox.map { FreshInbox($0.inbox) }
      expectTrue(scope.state.map { FreshInbox($0.inbox) } == expected, "step \(step)")
      expectTrue(derived.value.map { FreshInbox($0.inbox) } == expected, "step \(step)")
    }
  }

  @Test("Observers of a part that has answers are notified of receptions; those of rows are not")
  func observers() throws {
    let store = try Store.mailbox(1...3)
    try store.answer(.all, [1, 2], at: 1)
    let scope = store.scope(\.inbox)
    let notified = Recorder<String>()
    func track(_ name: String, _ read: () -> Void) {
      withObservationTracking(read) { notified.record(name) }
    }
    track("state") { _ = store.state.inbox.answers[.all] }
    track("part") { _ = store.inbox.answers[.all]?.receivedAt }
    track("scope") { _ = scope.answers[.all]?.receivedAt }
    track("name") { _ = store.name }
    track("row") { _ = store.table(Note.self, in: \.inbox).find(by: 1) }
    let count = store.derived(.select(\.inbox)).derived(.map { $0.notes.count })
    track("count") { _ = count.value }
    try store.answer(.all, [1, 2], at: 9)
    expectEqual(notified.elements.sorted(), ["part", "scope", "state"])
  }

  @Test("A history keeps a value that was only received")
  func history() throws {
    let inbox = try Store.mailbox(1...3).state.inbox
    var history = History(initialValue: inbox)
    var received = inbox
    try FreshEdit.touch([1], 30).apply(to: &received)
    history.value = received
    expectTrue(history.value.noteAges.receivedAt(1) == at(30) && history.undo())
    expectEqual(history.value.noteAges.receivedAt(1), at(1))
  }

  @Test(
    "A saved draft of a part that contains a database overwrites nothing that was received",
    arguments: LawRuns(count: 10).seeds)
  func drafts(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try Store.mailbox(1...6)
    let draft = store.draft(\.self)
    for step in 0..<60 {
      let edit = FreshEdit.reception(at: Double(100 + step), using: &random)
      let place: Comment = "seed \(seed), step \(step)"
      switch random.number(in: 0..<6) {
      case 0: try store.commit(undo: .none) { try edit.apply(to: &$0.inbox) }
      case 1: try draft.update { try edit.apply(to: &$0.inbox) }
      case 2: draft.update { $0.name = "\(step)" }
      case 3: draft.discard()
      default:
        let before = FreshInbox(store.state.inbox)
        let (base, mine) = (FreshInbox(draft.base.inbox), FreshInbox(draft.value.inbox))
        let isUnchanged = mine == base && draft.value == draft.base
        do {
          try draft.save()
          let isKept = isUnchanged ? before : mine
          try #require(isUnchanged || before == base || before == mine, place)
          try #require(FreshInbox(store.state.inbox) == isKept, place)
          try #require(FreshInbox(draft.value.inbox) == isKept && !draft.isOutdated, place)
        } catch is DraftConflict {
          try #require(before != base && !isUnchanged && draft.isOutdated, place)
          try #require(FreshInbox(store.state.inbox) == before, place)
          draft.discard()
        }
      }
    }
  }

  @Test("What an observer receives in a draft during a save remains in the draft")
  func receivedDuringSave() throws {
    let store = try Store.mailbox(1...3)
    let draft = store.draft(\.inbox)
    let saves = Recorder<Int>()
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) { _ in
      do {
        try draft.update { try FreshEdit.touch([2], 40).apply(to: &$0) }
        saves.record(1)
      } catch {
        Issue.record(error)
      }
    }
    try draft.update { try FreshEdit.text(1, "edited").apply(to: &$0) }
    try draft.save()
    subscription.cancel()
    expectTrue(saves.count == 1 && draft.value.noteAges.receivedAt(2) == at(40))
    expectEqual(store.state.inbox.noteAges.receivedAt(2), at(2))
    try draft.save()
    expectEqual(store.state.inbox.noteAges.receivedAt(2), at(40))
  }
}

private struct Session: Equatable, Sendable {
  var mailbox: Mailbox?
  var count = 0
}
