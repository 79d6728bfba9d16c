import Entia

func readsAPartNamedAsAMethod(_ store: Store<AppState, Never>) -> Int {
  store.count + 1
  // error: 'count' is unavailable: 'count' is a method of the store; read a part of that name as
  //   'store.state.count'
}

/// Its parts have the names of methods of the store.
struct Names: Equatable {
  var task = ""
  var entity = 1
  var entities: [Int] = []
  var derived: [Int] = []
  var query = ""
  var table = ""
  var scope = ""
}

func readsPartsNamedAsMethods(_ store: Store<Names, Never>) {
  print(store.task)
  // error: 'task' is unavailable: 'task' is a method of the store; read a part of that name as
  //   'store.state.task'
  print(store.entity)
  // error: 'entity' is unavailable: 'entity' is a method of the store; read a part of that name as
  //   'store.state.entity'
  print(store.entities)
  // error: 'entities' is unavailable: 'entities' is a method of the store; read a part of that
  //   name as 'store.state.entities'
  print(store.derived)
  // error: 'derived' is unavailable: 'derived' is a method of the store; read a part of that name
  //   as 'store.state.derived'
  print(store.query)
  // error: 'query' is unavailable: 'query' is a method of the store; read a part of that name as
  //   'store.state.query'
  print(store.table)
  // error: 'table' is unavailable: 'table' is a method of the store; read a part of that name as
  //   'store.state.table'
  print(store.scope)
  // error: 'scope' is unavailable: 'scope' is a method of the store; read a part of that name as
  //   'store.state.scope'
}

func usesPartsNamedAsMethods(_ store: Store<Names, Never>) {
  let task: String = store.task
  // error: cannot convert value of type 'PartToReadFromState' to specified type 'String'
  print(task, store.query.isEmpty)
  // error: value of type 'PartToReadFromState' has no member 'isEmpty'
  print(store.entity + 1)
  // error: cannot convert value of type 'PartToReadFromState' to expected argument type 'Int'
}

/// A state with a part of its own.
struct Window: Equatable {
  var names = Names()
}

func readsPartsOfAScope(_ store: Store<Window, Never>) {
  print(store.scope(\.names).query)
  // error: 'query' is unavailable: 'query' is a method of the store; read a part of that name as
  //   'store.state.query'
}

func makesADraftOfADraft(_ draft: EditingDraft<Window>) {
  _ = draft.draft(\Window.names)
  // error: value of type 'EditingDraft<Window>' has no member 'draft'
}

func readsPartsFromTheState(_ store: Store<Names, Never>) -> String {
  store.state.query + store.state.task
}
