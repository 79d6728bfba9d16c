// What an app writes with the conveniences; it only has to compile.

import EntiaStore
import SwiftUI

struct CounterState: StateType {
  var title = ""
  var count = 0
}

@MainActor
final class Counter: StoreComponentType {
  let store = Store<CounterState, Never>(initialState: CounterState())

  func increment() { commit { $0.count += 1 } }
}

struct CounterView: View {
  @StoreObject var counter = Counter()
  @StoreObject var own = Store<CounterState, Never>(initialState: CounterState())
  let shared: Store<CounterState, Never>

  var title: Binding<String> { shared.binding(\.title) }
  var pointer: Binding<String> { shared.ref(\.title).binding }

  var body: some View {
    StoreReader(shared) { state in Text("\(state.count) \(counter.state.count) \(own.title)") }
  }
}
