import Entia

struct Job: EntityType, Identifiable, Codable {
  let id: Int
  var worker: String?
}

@NormalizedStorage
struct Board {
  @Table var jobs: Tables.Hash<Job> = .init()
}

struct AppState: StateType {
  var board = Board()
}
