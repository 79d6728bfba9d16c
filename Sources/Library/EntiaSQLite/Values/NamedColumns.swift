/// The columns of the names that generated code uses, in the order of their first use in a row.
///
/// Code uses the same address for a name in each row. A name is therefore compared with those of
/// the columns only once.
struct NamedColumns {
  /// The index of a column that the table does not have. Its values are NULL in all rows.
  static let missing = Int.max

  private struct Entry {
    let name: UnsafePointer<UInt8>
    let count: Int
    let column: Int

    func isNamed(_ other: StaticString) -> Bool {
      name == other.utf8Start && count == other.utf8CodeUnitCount
    }
  }

  private var entries: ContiguousArray<Entry> = []
  /// The index of the entry that is probably used next.
  private var cursor = 0

  /// Begins a row.
  @inline(__always)
  mutating func begin() { cursor = 0 }

  /// Returns the column of a name, if the name has been used.
  @inline(__always)
  mutating func column(_ name: StaticString) -> Int? {
    guard name.hasPointerRepresentation else { return nil }
    if cursor < entries.count, entries[cursor].isNamed(name) {
      cursor += 1
      return entries[cursor - 1].column
    }
    return find(name)
  }

  @inline(never)
  private mutating func find(_ name: StaticString) -> Int? {
    // A member is often used again: first it is looked for, then it is read.
    if cursor > 0, entries[cursor - 1].isNamed(name) { return entries[cursor - 1].column }
    guard let index = entries.firstIndex(where: { $0.isNamed(name) }) else { return nil }
    cursor = index + 1
    return entries[index].column
  }

  /// Remembers the column of a name that is being used for the first time.
  mutating func append(_ name: StaticString, _ column: Int) {
    guard name.hasPointerRepresentation else { return }
    entries.append(Entry(name: name.utf8Start, count: name.utf8CodeUnitCount, column: column))
    cursor = entries.count
  }
}
