import Entia

@Entity
struct Job {
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
