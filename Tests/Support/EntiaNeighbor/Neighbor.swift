// A library that an app uses beside Entia, with names that Entia has too.

/// Stands for a type of the other library.
public protocol NeighborType {}

/// The other library's array, with Entia's name.
public struct IdentifiedArray<ID: Hashable, Element>: NeighborType {
  /// The elements.
  public var elements: [Element]

  /// Creates an array.
  public init(uniqueElements elements: [Element], id: KeyPath<Element, ID>) {
    self.elements = elements
  }
}

/// The other library's array of identifiable elements, with Entia's name.
public typealias IdentifiedArrayOf<Element: Identifiable> = IdentifiedArray<Element.ID, Element>

/// The other library's store, with Entia's name.
public final class Store<State>: NeighborType {
  /// The state.
  public var state: State

  /// Creates a store.
  public init(state: State) { self.state = state }
}

// The parts of Entia's tables and indexes are out of scope in an app, which may use their names.

/// The other library's type with the name of a part of Entia's collections.
public enum EntryKeyed: NeighborType {}

/// The other library's type with the name of a part of Entia's collections.
public enum HashMixing: NeighborType {}

/// The other library's type with the name of a part of Entia's collections.
public enum KeyThenID: NeighborType {}

/// The other library's type with the name of a part of Entia's collections.
public enum KeyValueEntry: NeighborType {}

/// The other library's type with the name of a part of Entia's collections.
public enum KeyedElements: NeighborType {}

/// The other library's type with the name of a part of Entia's collections.
public enum NodeRef: NeighborType {}

/// The other library's type with the name of a part of Entia's collections.
public enum PersistentOrderedTable: NeighborType {}

/// The other library's type with the name of a part of Entia's collections.
public enum PersistentTable: NeighborType {}

/// The other library's type with the name of a part of Entia's collections.
public enum SelfKeyed: NeighborType {}

/// The other library's type with the name of a part of Entia's collections.
public enum SortedDifference: NeighborType {}

/// The other library's type with the name of a part of Entia's collections.
public enum SortedElements: NeighborType {}

/// The other library's type with the name of a part of Entia's collections.
public enum SortedEntry: NeighborType {}

/// The other library's type with the name of a part of Entia's collections.
public enum SortedSlice: NeighborType {}

/// The other library's type with the name of a part of Entia's collections.
public enum SortedTree: NeighborType {}

/// The other library's type with the name of a part of Entia's collections.
public enum TableDifference: NeighborType {}

/// The other library's type with the name of a part of Entia's collections.
public enum TableKey: NeighborType {}

/// The other library's type with the name of a part of Entia's collections.
public enum TreeCollection: NeighborType {}
