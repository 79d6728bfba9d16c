import Entia

func readsAPartNamedAsAMethod(_ store: Store<AppState, Never>) -> Int {
  store.count + 1
  // error: 'count' is unavailable: 'count' is a method of the store; read a part of that name as
  //   'store.state.count'
}
