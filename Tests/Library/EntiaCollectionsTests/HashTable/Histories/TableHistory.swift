import EntiaCollections

/// Four versions of a table that are changed and copied to each other, each with the model that it
/// must equal.
struct TableHistory<Row: ProofRow> {
  typealias Table = PersistentTable<ProofLayout<Row>>

  /// An iterator that is being moved on while its table changes, and what it has yet to give.
  struct Walk {
    var iterator: Table.Iterator
    let model: TableModel
    var rest: ArraySlice<Int>
  }

  static var versions: Int { 4 }

  var tables: [Table]
  var models: [TableModel]
  var walk: Walk?
  let census: RowCensus
  let quality: HashQuality
  let universe: Int

  init(universe: Int, quality: HashQuality, census: RowCensus) {
    self.universe = universe
    self.quality = quality
    self.census = census
    tables = Array(repeating: Table(), count: Self.versions)
    models = Array(repeating: TableModel(universe: universe), count: Self.versions)
  }

  func key(_ value: Int) -> ProofKey { ProofKey(value, quality) }

  /// A row unlike all that were made before (but for numbers too large for the narrowest rows).
  func freshRow(_ value: Int) -> Row { row(value, look: census.lastSerial & 0x7FFF) }

  func row(_ value: Int, look: Int) -> Row {
    Row(key: key(value), look: look, serial: census.nextSerial(), census: census)
  }
}

/// What a failing update throws.
struct ProofError: Error, Equatable {
  let look: Int
}
