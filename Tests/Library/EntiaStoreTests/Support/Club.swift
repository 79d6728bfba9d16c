import EntiaDatabase
import EntiaStore
import Testing

/// Teams with lists of members, some of whom may be missing.
struct Club: NormalizedStorageType {
  struct Member: EntityType, Identifiable {
    /// Counts the comparisons of the test that binds it.
    @TaskLocal static var comparisons: Tally?

    let id: Int
    var level = 0

    static func == (a: Member, b: Member) -> Bool {
      comparisons?.add()
      return a.id == b.id && a.level == b.level
    }
  }

  struct Team: EntityType, Identifiable {
    let id: Int
    var memberIDs: [Member.EntityID]
  }

  struct Contents: StorageContents {
    var people = Tables.Hash<Member>()
    var teams = Tables.Hash<Team>()
    var members = ToMany<Team, Member>(\.memberIDs, onDelete: .nullify)

    static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
    where Visitor.Contents == Self {
      visitor.table("people", \.people)
      visitor.table("teams", \.teams)
      visitor.relationship("members", \.members)
    }
  }

  typealias Refusal = any Error

  var snapshot = Snapshot(Contents())
}

struct ClubState: StateType {
  var club = Club()
}

extension Store where State == ClubState {
  func change(_ edit: (inout BatchContext<Club>) -> Void) {
    do {
      try commit { state in try state.club.performBatchUpdates { edit(&$0) } }
    } catch {
      Issue.record(error)
    }
  }
}
