import EntiaDatabase
import EntiaLaws

/// A bug of a table that a law must notice.
enum TableBug: CaseIterable {
  case none
  case forgetsPlaceOnReplace
  case reinsertsAtTheOldPlace
  case sharesItsVersions
  case comparesCounters
  case logsEveryWrite
  case forgetsRemovals
  case keepsWhatAFailedUpdateDid
  case saysInsertedAlways
  case forgetsAMiss
}

/// `Tables.Hash` with a bug.
struct FaultyTable: VersionedTableUnderTest {
  private final class Box: @unchecked Sendable {
    // Only ever used by the one test that makes it.
    var table = Tables.Hash<Note>()
  }

  let bug: TableBug
  private var own = Tables.Hash<Note>()
  private let shared = Box()
  private var log: [Note.EntityID] = []
  private var counter = 0
  private var places: [Note.EntityID] = []
  private let missed = Missed()

  private final class Missed { var ids: Set<Note.EntityID> = [] }

  init(_ bug: TableBug) { self.bug = bug }

  private var table: Tables.Hash<Note> {
    get { bug == .sharesItsVersions ? shared.table : own }
    set { if bug == .sharesItsVersions { shared.table = newValue } else { own = newValue } }
  }

  var count: Int { table.count }
  var isEmpty: Bool { table.isEmpty }

  func find(by id: Note.EntityID) -> Note? {
    if bug == .forgetsAMiss {
      // A cache of misses that an insertion does not clear.
      if missed.ids.contains(id) { return nil }
      if !table.contains(id) { missed.ids.insert(id) }
    }
    return table.find(by: id)
  }

  func contains(_ id: Note.EntityID) -> Bool { table.contains(id) }
  func allIDs() -> [Note.EntityID] { allEntities().map(\.entityID) }

  func allEntities() -> [Note] {
    guard bug == .reinsertsAtTheOldPlace else { return table.allEntities() }
    return places.compactMap { table.find(by: $0) }
  }

  @discardableResult
  mutating func insert(_ note: Note) -> InsertionResult<Note> {
    let wasThere = table.contains(note.entityID)
    if !places.contains(note.entityID) { places.append(note.entityID) }
    log.append(note.entityID)
    counter += 1
    var result = table.insert(note)
    if wasThere, bug == .forgetsPlaceOnReplace {
      table.remove(note.entityID)
      table.insert(note)
    }
    if bug == .saysInsertedAlways {
      var other = Tables.Hash<Note>()
      result = other.insert(note)
    }
    return result
  }

  @discardableResult
  mutating func updateIfExists(
    id: Note.EntityID, _ body: (inout Note) throws -> Void
  ) rethrows -> Note? {
    if bug == .keepsWhatAFailedUpdateDid, var note = table.find(by: id) {
      defer { table.insert(note) }
      try body(&note)
      return note
    }
    log.append(id)
    counter += 1
    return try table.updateIfExists(id: id, body)
  }

  @discardableResult
  mutating func remove(_ id: Note.EntityID) -> Note? {
    if bug == .forgetsRemovals { return table.find(by: id) }
    log.append(id)
    counter += 1
    return table.remove(id)
  }

  mutating func removeAll() {
    counter += 1
    log += table.allIDs()
    places = []
    table.removeAll()
  }

  func changes(since old: Self) -> TableChanges<Note> {
    var changes = table.changes(since: old.table)
    guard bug == .logsEveryWrite else { return changes }
    for id in Set(log.dropFirst(old.log.count)) {
      guard let before = old.table.find(by: id), let now = table.find(by: id), before == now
      else { continue }
      changes.updated.append(EntityUpdate(old: before, new: now))
    }
    return changes
  }

  static func == (a: Self, b: Self) -> Bool {
    a.bug == .comparesCounters ? a.counter == b.counter : a.table == b.table
  }
}
