import Entia

/// An entity of a feature, declared where the macros are in scope.
@Entity
struct Paper {
  let id: Int
}

@NormalizedStorage
struct Desk {
  @Table var papers: Tables.Hash<Paper> = .init()
}
