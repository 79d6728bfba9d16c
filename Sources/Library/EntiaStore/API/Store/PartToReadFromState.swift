/// The type of the unavailable properties for parts of a state that have the name of a method of
/// the store. Such a part is read from `state`.
///
/// A state may have a part named `query`. The store has a method of that name, so `store.query` is
/// the method, and the part is `store.state.query`.
public struct PartToReadFromState: Sendable {}
