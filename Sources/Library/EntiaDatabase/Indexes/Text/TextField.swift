public import EntiaCollections

/// A field that a text index can contain: a string or an optional string.
public protocol IndexedText: Sendable {
  /// The text; `nil` if there is none.
  var indexedText: String? { get }
}

extension String: IndexedText {
  /// The string itself.
  @inlinable
  public var indexedText: String? { self }
}

extension Optional: IndexedText where Wrapped: IndexedText {
  /// The text of the wrapped value.
  @inlinable
  public var indexedText: String? { self?.indexedText }
}

/// A field of a text index.
@usableFromInline
struct TextField<Entity: EntityType>: Sendable {
  let path: any PartialKeyPath<Entity> & Sendable
  /// Returns the text of the field in a row.
  @usableFromInline let read: @Sendable (Entity) -> String?

  @inlinable
  init<Text: IndexedText>(_ path: any KeyPath<Entity, Text> & Sendable) {
    let reader = FieldReader(path)
    self.init(path) { reader.read($0).indexedText }
  }

  @usableFromInline
  init(
    _ path: any PartialKeyPath<Entity> & Sendable, read: @escaping @Sendable (Entity) -> String?
  ) {
    self.path = path
    self.read = read
  }

  /// The name of the field; `nil` for a computed property, whose name is not known.
  var name: String? {
    MemoryLayout<Entity>.offset(of: path) == nil ? nil : fieldName(path)
  }

  /// Whether the field has the same text in two rows, byte by byte.
  @inlinable
  func isSame(in old: Entity, _ new: Entity) -> Bool {
    switch (read(old), read(new)) {
    case (nil, nil): true
    case (let a?, let b?): isSame(a, b)
    default: false
    }
  }

  @usableFromInline
  func isSame(_ a: String, _ b: String) -> Bool {
    let isSame = a.utf8.withContiguousStorageIfAvailable { first in
      b.utf8.withContiguousStorageIfAvailable { first.elementsEqual($0) }
    }
    return isSame.flatMap { $0 } ?? a.utf8.elementsEqual(b.utf8)
  }
}

/// The numbers of the rows of an index, in the order in which they were inserted.
@usableFromInline
struct RowNumbers<ID: Hashable & Sendable & TableKey>: Sendable {
  @usableFromInline var numbers = PersistentTable<EntryKeyed<ID, Int>>()
  @usableFromInline var ids = PersistentTable<EntryKeyed<HashedKey<Int>, ID>>()
  /// The number of the next row.
  @usableFromInline var next = 0

  @inlinable
  init() {}

  /// The number of rows.
  @inlinable
  var count: Int { numbers.count }

  /// Returns the number of a new row.
  @inlinable
  mutating func insert(_ id: ID) -> Int {
    let number = next
    next += 1
    numbers.updateOrInsert(KeyValueEntry(key: id, value: number))
    ids.updateOrInsert(KeyValueEntry(key: HashedKey(number), value: id))
    return number
  }

  /// Removes a row and returns its number.
  @inlinable
  mutating func remove(_ id: ID) -> Int? {
    guard let number = numbers.remove(id)?.value else { return nil }
    ids.remove(HashedKey(number))
    return number
  }

  @inlinable
  func number(of id: ID) -> Int? { numbers[id]?.value }

  @inlinable
  func id(of number: Int) -> ID? { ids[HashedKey(number)]?.value }

  /// All numbers, ascending.
  var all: [Int] { numbers.map(\.value) }
}
