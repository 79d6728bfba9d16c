/// Stands for a part of a state that has the name of a method of the store: read it from `state`.
///
/// A state may have a part named `query`. The store has a method of that name, so `store.query` is
/// the method, and the part is `store.state.query`.
public struct PartToReadFromState: Sendable {}
