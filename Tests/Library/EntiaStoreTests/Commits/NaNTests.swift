import EntiaDatabase
import EntiaStore
import EntiaTestSupport
import Testing

/// A row that may hold a NaN.
private struct Sample: EntityType, Identifiable {
  let id: Int
  var value: Double
  var note = ""
}

private struct Laboratory: NormalizedStorageType {
  struct Contents: StorageContents {
    var samples = Tables.Hash<Sample>()

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self { visitor.table("samples", \.samples) }
  }

  var snapshot = Snapshot(Contents())
  var samples: Tables.Hash<Sample> { snapshot.contents.samples }
}

private struct LaboratoryState: StateType {
  var laboratory = Laboratory()
  var level = Double.nan
  var text = ""
}

@Suite("NaN in a store")
struct StoreNaNTests {
  private func store() -> Store<LaboratoryState, Never> {
    var state = LaboratoryState()
    state.laboratory.performBatchUpdates { context in
      context.modifying.samples.insert((0..<5).map { Sample(id: $0, value: .nan) })
    }
    return Store(initialState: state)
  }

  @Test("Law 21: a commit that changes nothing notifies nobody, although the state holds NaN")
  func unchanged() {
    let store = store()
    let (states, levels, rows) = (Tally(), Tally(), Tally())
    let subscriptions = [
      store.sinkState(dropsFirst: true, queue: .passthrough) { state in
        states.add()
        state.ifChanged(\.level) { _ in levels.add() }
      },
      store.derived(.map { $0.level }).sinkState(dropsFirst: true, queue: .passthrough) { _ in
        levels.add()
      },
      store.entity(Sample.EntityID(1), in: \.laboratory)
        .sinkState(dropsFirst: true, queue: .passthrough) { _ in rows.add() },
      store.query(FetchDescriptor<Sample>(), in: \.laboratory)
        .sinkState(dropsFirst: true, queue: .passthrough) { _ in rows.add() },
    ]
    store.commit { _ in }
    store.commit { $0.level = .nan }
    store.commit { state in
      state.laboratory.performBatchUpdates {
        _ = $0.modifying.samples.insert(Sample(id: 1, value: .nan))
      }
    }
    expectTrue(states.count == 0 && levels.count == 0 && rows.count == 0)
    store.commit { $0.text = "x" }
    expectTrue(states.count == 1 && levels.count == 0 && rows.count == 0)
    store.commit { $0.level = 1 }
    expectTrue(states.count == 2 && levels.count == 2 && rows.count == 0)
    withExtendedLifetime(subscriptions) {}
  }

  @Test("Law 21: an edit of one row with a NaN notifies the observers of that row only")
  func rows() {
    let store = store()
    let differences = Recorder<QueryDifference<Sample>>()
    let query = store.query(FetchDescriptor<Sample>(), in: \.laboratory)
    let groups = Tally()
    let subscriptions = [
      query.sinkDifferences(dropsFirst: true, queue: .passthrough) { differences.record($0) },
      query.grouped(by: \.value).derived(.map { $0.map(\.entities.count) })
        .sinkState(dropsFirst: true, queue: .passthrough) { _ in groups.add() },
    ]
    store.commit { state in
      state.laboratory.performBatchUpdates {
        _ = $0.modifying.samples.insert(Sample(id: 3, value: .nan, note: "n"))
      }
    }
    expectEqual(differences.elements.map(\.updated), [[3]])
    expectEqual(query.grouped(by: \.value).value.map(\.entities.count), [5])
    expectEqual(groups.count, 0)
    withExtendedLifetime(subscriptions) {}
  }

  @Test("A draft of rows with NaN is saved, and has changes only where it was edited")
  func drafts() throws {
    let store = store()
    let draft = store.draft(\.laboratory)
    expectTrue(!draft.hasChanges && !draft.isOutdated)
    store.commit { state in
      state.laboratory.performBatchUpdates {
        _ = $0.modifying.samples.insert(Sample(id: 0, value: 7))
      }
    }
    draft.update { laboratory in
      laboratory.performBatchUpdates {
        _ = $0.modifying.samples.insert(Sample(id: 4, value: .nan, note: "d"))
      }
    }
    expectTrue(draft.hasChanges)
    try draft.save()
    expectEqual(store.state.laboratory.samples.find(by: 0)?.value, 7)
    expectEqual(store.state.laboratory.samples.find(by: 4)?.note, "d")
  }
}
