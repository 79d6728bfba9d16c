import EntiaDatabase
import EntiaLaws
import EntiaStore
import EntiaTestSupport
import Testing

@Suite("Law 25: undo reverts its edit and keeps unrecorded commits")
struct UndoRecordingLawTests {
  /// A state of databases whose rows are observed, of others, and of a list.
  struct Desk: StateType {
    var shop = Shop()
    var other = Shop()
    var list: [Int] = []
  }

  /// An edit that sets rows to values or toggles numbers, whatever else is there. The edit of a
  /// number may need a row of `shop`.
  enum Edit: Sendable {
    case row(Int, price: Int?, isObserved: Bool)
    case number(Int, beside: Int?)

    func apply(to desk: inout Desk) throws {
      switch self {
      case .number(let number, let row):
        if let row, desk.shop.items.find(by: .init(row)) == nil { throw Refused(reason: "no row") }
        // Depends on what is there, so that the order matters.
        if let index = desk.list.firstIndex(of: number) {
          desk.list.remove(at: index)
        } else {
          desk.list.insert(number, at: desk.list.count / 2)
        }
      case .row(let id, let price, true): Self.set(id, price, in: &desk.shop)
      case .row(let id, let price, false): Self.set(id, price, in: &desk.other)
      }
    }

    private static func set(_ id: Int, _ price: Int?, in shop: inout Shop) {
      shop.performBatchUpdates { context in
        if let price {
          context.modifying.items.insert(Item(id: id, price: price))
        } else {
          context.modifying.items.remove(Item.EntityID(id))
        }
      }
    }
  }

  private struct Entry {
    let edits: [Edit]
    /// The number of the step that has the edits; `nil` for a commit that is no step.
    var step: Int?
    var isUndone = false

    var isStep: Bool { step != nil }
  }

  /// The entries of a history, which are undone and redone by steps.
  private struct Log {
    var entries: [Entry] = []

    /// The steps that can be undone, and those that can be redone.
    var undoable: Set<Int> { Set(entries.lazy.filter { !$0.isUndone }.compactMap(\.step)) }
    var redoable: Set<Int> { Set(entries.lazy.filter(\.isUndone).compactMap(\.step)) }

    var nextUndo: Int? { entries.last { $0.isStep && !$0.isUndone }?.step }
    var nextRedo: Int? { entries.first { $0.isStep && $0.isUndone }?.step }

    /// Undoes or redoes a step. One without an effect becomes part of the next step in the same
    /// direction, whose version has its edits.
    mutating func move(_ step: Int, isUndone: Bool, hasEffect: Bool) {
      let moved = entries.indices.filter { entries[$0].step == step }
      if hasEffect {
        for index in moved { entries[index].isUndone = isUndone }
      } else if isUndone, redoable.isEmpty {
        entries.removeAll { $0.step == step }
      } else {
        let other = isUndone ? nextRedo : nextUndo
        for index in moved { (entries[index].step, entries[index].isUndone) = (other, isUndone) }
      }
    }

    /// Returns the entries after an undo or a redo.
    func moving(_ step: Int, isUndone: Bool) -> [Entry] {
      var log = self
      log.move(step, isUndone: isUndone, hasEffect: true)
      return log.entries
    }
  }

  private static func replay(_ log: [Entry]) throws -> Desk {
    var desk = Desk()
    for entry in log where !entry.isUndone {
      for edit in entry.edits { try edit.apply(to: &desk) }
    }
    return desk
  }

  /// Random edits. Each value is written once, and only steps remove rows: otherwise a row that has
  /// changed twice looks as it did before, and counts as unchanged. The rows from 10 on are written
  /// only by commits that are no steps, which may need them later.
  private static func edits(
    isStep: Bool, _ value: Int, _ desk: Desk, _ random: inout SeededGenerator
  ) -> [Edit] {
    let needed = isStep ? [] : desk.shop.items.map(\.id).filter { $0 >= 10 }.sorted()
    return (0..<Int.random(in: 1...2, using: &random)).map { number in
      let id = Int.random(in: 0..<4, using: &random)
      switch Int.random(in: 0..<4, using: &random) {
      case 0: return .number(id, beside: needed.randomElement(using: &random))
      case 1 where isStep: return .row(id, price: nil, isObserved: Bool.random(using: &random))
      case 1: return .row(10 + id, price: value * 2 + number, isObserved: true)
      default:
        return .row(id, price: value * 2 + number, isObserved: Bool.random(using: &random))
      }
    }
  }

  static let seeds: [UInt64] = (0..<scaled(9)).map { UInt64($0) }

  @Test("Any history of edits, other commits, undo and redo equals its replay", arguments: seeds)
  func history(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = Store<Desk, Never>(initialState: Desk(), undoDepth: 1000)
    let row = store.entity(Item.EntityID(0), in: \.shop)
    let received = Recorder<Desk>()
    let subscription = store.sinkState(dropsFirst: true, queue: .passthrough) {
      received.record($0.primitive)
    }
    var log = Log()
    for step in 0..<80 {
      let before = store.state
      let calls = received.count
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<3:
        let edits = Self.edits(isStep: true, step, before, &random)
        try store.commit { desk in for edit in edits { try edit.apply(to: &desk) } }
        if store.state != before {
          log.entries.removeAll(where: \.isUndone)
          log.entries.append(Entry(edits: edits, step: step))
        }
      case 3, 4:
        let edits = Self.edits(isStep: false, step, before, &random)
        try store.commit(undo: .none) { desk in
          for edit in edits { try edit.apply(to: &desk) }
        }
        if store.state != before { log.entries.append(Entry(edits: edits)) }
      case 5, 6:
        let last = log.nextUndo
        expectEqual(store.undo(), last != nil, "seed \(seed), step \(step)")
        if let last { log.move(last, isUndone: true, hasEffect: store.state != before) }
      default:
        let next = log.nextRedo
        expectEqual(store.redo(), next != nil, "seed \(seed), step \(step)")
        if let next { log.move(next, isUndone: false, hasEffect: store.state != before) }
      }
      try expectEqual(store.state, Self.replay(log.entries), "seed \(seed), step \(step)")
      expectEqual(store.undoNames.count, log.undoable.count, "seed \(seed), step \(step)")
      expectEqual(store.redoNames.count, log.redoable.count, "seed \(seed), step \(step)")
      expectTrue(store.state.shop.verify().isEmpty && store.state.other.verify().isEmpty)
      expectEqual(
        received.count - calls, store.state == before ? 0 : 1, "seed \(seed), step \(step)")
      let undone = try log.nextUndo.map { try Self.replay(log.moving($0, isUndone: true)) }
      let redone = try log.nextRedo.map { try Self.replay(log.moving($0, isUndone: false)) }
      expectEqual(store.undoState, undone, "seed \(seed), step \(step)")
      expectEqual(store.redoState, redone, "seed \(seed), step \(step)")
    }
    expectEqual(row.value, store.state.shop.items.find(by: 0))
    subscription.cancel()
  }

  @Test("In one part alone, undo reverts its edits and keeps the others", arguments: seeds)
  func part(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = Store<Desk, Never>(initialState: Desk(), undoDepth: 1000)
    var log: [Entry] = []
    for step in 0..<60 {
      let before = store.state
      let isStep = Bool.random(using: &random)
      if Int.random(in: 0..<3, using: &random) > 0 {
        // The part and something else.
        let edits = Self.edits(isStep: isStep, step, before, &random)
        try store.commit(undo: isStep ? .step : .none) { desk in
          for edit in edits { try edit.apply(to: &desk) }
        }
        let rows = edits.filter { if case .row(_, _, true) = $0 { true } else { false } }
        if store.state.shop != before.shop {
          log.append(Entry(edits: rows, step: isStep ? step : nil))
        }
      } else {
        let last = log.lastIndex { $0.isStep && !$0.isUndone }
        expectEqual(store.canUndo(\.shop), last != nil, "seed \(seed), step \(step)")
        expectEqual(store.undo(\.shop), last != nil, "seed \(seed), step \(step)")
        if let last { log[last].isUndone = true }
        expectTrue(store.state.other == before.other && store.state.list == before.list)
        // One that later commits have written over is no step once it is redone.
        if store.state != before, Bool.random(using: &random), let last {
          let undone = store.state
          expectTrue(store.redo(\.shop) && store.state == before, "seed \(seed), step \(step)")
          expectTrue(store.undo(\.shop) && store.state == undone, "seed \(seed), step \(step)")
          log[last].isUndone = true
        }
      }
      try expectEqual(store.state.shop, Self.replay(log).shop, "seed \(seed), step \(step)")
    }
    // Undoing the whole must not bring back what has been undone in the part.
    let shop = try Self.replay(log.filter { !$0.isStep }).shop
    while store.undo(\.shop) {}
    expectEqual(store.state.shop, shop, "seed \(seed)")
    while store.undo() {}
    expectEqual(store.state.shop, shop, "seed \(seed)")
  }
}
