public import Observation

/// A store tracks what is read of its state: the whole, each part, derived values, rows and
/// queries.
///
/// In SwiftUI, `.environment(store)` passes it on, and `@Environment(Store<AppState, Never>.self)`
/// reads it.
extension Store: Observable {}
