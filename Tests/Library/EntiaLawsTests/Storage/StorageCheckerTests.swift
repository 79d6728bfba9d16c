import EntiaCollections
import EntiaDatabase
import EntiaTestSupport
import Testing

@testable import EntiaLaws

/// A bug of a database that a law must notice.
enum StorageBug: CaseIterable {
  case none
  case skipsTheReverseMap
  case skipsOneUnlink
  case skipsAnIndex
  case leavesARemovedRowFiled
  case keepsWhatAThrowingBatchDid
  case dropsADelete
  case overwritesNewerVersions
  case listsRowsWithoutAChange
  case listsNoRemovals
  case comparesCounts
  case forgetsToInvertUpdates
  case composesByTheLater
  case appliesHalf
  case changesWhatWasTakenBack
  case followsNoCascade
  case ignoresDeny
  case ignoresLimits
  case verifiesNothing
  case appliesOverMissingRows
  case mergesMineAway
  case refusesWhatDangled
  case evictsWhatIsKept
}

@Suite("Law 34: the laws of databases notice")
struct StorageCheckerTests {
  @Test("A storage with sets keeps the law of coding")
  func sets() throws { try StorageLaws(NotesSubject.self, runs: LawRuns(count: 2)).checkCoding() }

  @Test("A sound storage keeps every law", arguments: StorageLaw.allCases)
  func soundStorage(_ law: StorageLaw) throws {
    try StorageLaws(NotesSubject.self, runs: LawRuns(count: 2, steps: 25)).check(law)
  }

  @Test(
    "Every seeded bug, each by the law it breaks",
    arguments: [
      (.none, []), (.skipsTheReverseMap, [13, 14]), (.skipsOneUnlink, [13, 14]),
      (.skipsAnIndex, [13]), (.leavesARemovedRowFiled, [13]),
      (.keepsWhatAThrowingBatchDid, [8]), (.dropsADelete, [12]), (.overwritesNewerVersions, [11]),
      (.listsRowsWithoutAChange, [3, 10]), (.listsNoRemovals, [3]), (.comparesCounts, [5]),
      (.forgetsToInvertUpdates, [3]), (.composesByTheLater, [3]), (.appliesHalf, [3]),
      (.changesWhatWasTakenBack, [10]), (.followsNoCascade, [15]), (.ignoresDeny, [15]),
      (.ignoresLimits, [16]),
      (.verifiesNothing, [17]), (.appliesOverMissingRows, [40]), (.mergesMineAway, [41]),
      (.refusesWhatDangled, [40]),
      (.evictsWhatIsKept, [47]),
    ] as [(StorageBug, Set<Int>)])
  func seededBugs(bug: StorageBug, expected: Set<Int>) throws {
    // Without a bug every law runs to its end.
    let runs = LawRuns(count: bug == .none ? 2 : 8, steps: 20, corpus: [], environment: [:])
    var laws = StorageLaws(NotesSubject.self, runs: runs)
    laws.operations = .faulty(bug)
    var broken: Set<Int> = []
    for law in StorageLaw.allCases where expected.isEmpty || expected.contains(law.number) {
      do {
        try laws.check(law)
      } catch let violation as LawViolation {
        broken.insert(violation.law)
      }
    }
    expectEqual(broken, expected)
  }
}

extension StorageOperations<Notes> {
  static func faulty(_ bug: StorageBug) -> Self {
    var operations = Self()
    let sound = Self()
    switch bug {
    case .none: break
    case .skipsTheReverseMap, .skipsOneUnlink, .skipsAnIndex, .leavesARemovedRowFiled,
      .keepsWhatAThrowingBatchDid, .dropsADelete, .changesWhatWasTakenBack, .followsNoCascade,
      .ignoresDeny, .ignoresLimits:
      operations.perform = { try perform(bug, &$0, $1) }
    case .overwritesNewerVersions:
      operations.commit = { $0.snapshot = try close($1) }
    case .listsRowsWithoutAChange:
      operations.changes = { new, old in
        new == old ? sound.changes(new, Notes()) : sound.changes(new, old)
      }
    case .listsNoRemovals:
      operations.changes = { new, old in
        var contents = new.snapshot.contents
        contents.notes.insert(sound.changes(new, old).notes.removed)
        var kept = new
        kept.snapshot = Snapshot(contents)
        return sound.changes(kept, old)
      }
    case .comparesCounts:
      operations.isEqual = {
        $0.snapshot.contents.notes.count == $1.snapshot.contents.notes.count
          && $0.snapshot.contents.folders.count == $1.snapshot.contents.folders.count
          && $0.snapshot.contents.pins.count == $1.snapshot.contents.pins.count
      }
    case .forgetsToInvertUpdates: operations.inverted = { $0 }
    case .composesByTheLater: operations.composed = { $1.isEmpty ? $0 : $1 }
    case .appliesHalf:
      operations.apply = { storage, changes in
        let folders = storage.snapshot.contents.folders
        try sound.apply(&storage, changes)
        var contents = storage.snapshot.contents
        contents.folders = folders
        storage.snapshot = Snapshot(contents)
      }
    case .verifiesNothing: operations.verify = { _ in [] }
    case .appliesOverMissingRows:
      operations.apply = { storage, changes in
        do {
          try sound.apply(&storage, changes)
        } catch let error as ChangeSetError
          where error.conflicts.allSatisfy({ $0.reason == .missingTarget })
        {
          try storage.performBatchUpdates { context in
            context.modifying.pins.insert(changes.pins.inserted)
            context.modifying.pins.insert(changes.pins.updated.map(\.new))
          }
        }
      }
    case .mergesMineAway:
      operations.merge = { _, theirs, _, _ in
        // Nothing changed in mine since theirs, so theirs is the result.
        try theirs.merging(theirs, base: theirs)
      }
    case .refusesWhatDangled:
      operations.merge = { mine, theirs, base, choice in
        let issues = mine.verify().compactMap { issue -> BatchViolation? in
          guard case .danglingReference(let holder, let name, let target) = issue else {
            return nil
          }
          return .missingReference(holder, relationship: name, target: target)
        }
        if !issues.isEmpty { throw BatchError.refused(issues) }
        return try sound.merge(mine, theirs, base, choice)
      }
    case .evictsWhatIsKept:
      operations.evict = { storage, budget, _ in sound.evict(storage, budget, []) }
    }
    return operations
  }

  /// What a careless commit takes over: everything, whatever came in between.
  private static func close(
    _ batch: consuming BatchContext<Notes>
  ) throws -> Snapshot<Notes.Contents> {
    var copy = batch.current
    try copy.commitBatchUpdates(batch)
    return copy.snapshot
  }

  private static func perform(
    _ bug: StorageBug, _ storage: inout Notes, _ body: Body
  ) throws {
    switch bug {
    case .keepsWhatAThrowingBatchDid:
      var context = storage.beginBatchUpdates()
      do {
        try body(&context)
      } catch {
        storage.snapshot = try close(context)
        throw error
      }
      try storage.commitBatchUpdates(context)
    case .changesWhatWasTakenBack:
      try storage.performBatchUpdates { context in
        try body(&context)
        // Every batch is written to a note, even one that did nothing.
        let isOdd = context.modifying.notes.find(by: 9)?.text == "odd"
        context.modifying.notes.insert(Note(id: 9, text: isOdd ? "even" : "odd"))
      }
    case .ignoresLimits:
      var contents = storage.snapshot.contents
      contents.folderNotes = ToMany(\.noteIDs, onDelete: .nullify, onHolderDelete: .cascade)
      storage.snapshot = Snapshot(contents)
      try storage.performBatchUpdates(body)
      contents = storage.snapshot.contents
      contents.folderNotes = Notes().snapshot.contents.folderNotes
      storage.snapshot = Snapshot(contents)
    default:
      try performAndBreak(bug, &storage, body)
    }
  }

  private static func performAndBreak(
    _ bug: StorageBug, _ storage: inout Notes, _ body: Body
  ) throws {
    let before = storage.snapshot.contents
    do {
      try storage.performBatchUpdates(body)
    } catch BatchError.refused(_) where bug == .ignoresDeny {
      return
    }
    var contents = storage.snapshot.contents
    switch bug {
    case .skipsTheReverseMap: contents.folderNotes.links = before.folderNotes.links
    case .skipsOneUnlink:
      for pin in before.pins where !contents.pins.contains(pin.entityID) {
        contents.pinNote.links.link(pin.entityID, to: pin.noteID)
      }
    case .skipsAnIndex: contents.byText = before.byText
    case .leavesARemovedRowFiled:
      for note in before.notes where !contents.notes.contains(note.entityID) {
        contents.texts.rowChanged(from: nil, to: note)
      }
    case .dropsADelete:
      for note in before.notes where !contents.notes.contains(note.entityID) {
        contents.notes.insert(note)
      }
    case .followsNoCascade:
      for folder in before.folders where !contents.folders.contains(folder.entityID) {
        if folder.parentID != nil { contents.folders.insert(folder) }
      }
      contents = Snapshot(contents).contents
    default: break
    }
    storage.snapshot = Snapshot(unchecked: contents)
  }
}
