import Entia
import EntiaDatabase

// Versions of a program in which members have other names.

@NormalizedStorage
struct OldLabels: Equatable {
  @Table var labels: Tables.Hash<Label> = .init()

  @Entity
  struct Label {
    let id: Int
    var a: Int?
    var b: String?
    var c: Int?
  }
}

@NormalizedStorage
struct NewLabels: Equatable {
  @Table var labels: Tables.Hash<Label> = .init()

  @Entity
  struct Label {
    let id: Int
    @Stored(renamedFrom: "a") var alpha: Int?
    @Stored(renamedFrom: "older", "b") var beta: String?
    @Stored(renamedFrom: "c") var gamma: Int? = 1
  }
}
