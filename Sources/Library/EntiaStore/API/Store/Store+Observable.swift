public import Observation

/// Observation tracks the reads of a store's state: of the whole state, of each part, of derived
/// values, rows and queries.
///
/// In SwiftUI, `.environment(store)` adds a store to the environment, and
/// `@Environment(Store<AppState, Never>.self)` reads it.
extension Store: Observable {}
