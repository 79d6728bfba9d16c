import EntiaCollections

/// A row of a history. Rows of one key are equal when they look alike.
protocol ProofRow: Equatable, Sendable {
  init(key: ProofKey, look: Int, serial: Int, census: RowCensus)
  var key: ProofKey { get }
  var look: Int { get }
  /// The number of the counted object in the row; `nil` when this kind of row has none.
  var serial: Int? { get }
}

enum ProofLayout<Row: ProofRow>: KeyedElements {
  static func key(of element: Row) -> ProofKey { element.key }
}

/// Counts how many of its objects there are, and numbers them.
final class RowCensus: @unchecked Sendable {
  // Unchecked: one test counts its own objects, on one thread.
  private(set) var living = 0
  private(set) var lastSerial = 0

  func nextSerial() -> Int {
    lastSerial += 1
    return lastSerial
  }

  final class Citizen: Sendable {
    let serial: Int
    let census: RowCensus

    init(_ serial: Int, _ census: RowCensus) {
      self.serial = serial
      self.census = census
      census.living += 1
    }

    deinit { census.living -= 1 }
  }
}

/// 32 to a page, with a reference, and without padding.
struct SlimRow: ProofRow {
  let key: ProofKey
  private let shortLook: Int32
  private let citizen: RowCensus.Citizen

  init(key: ProofKey, look: Int, serial: Int, census: RowCensus) {
    self.key = key
    shortLook = Int32(look)
    citizen = RowCensus.Citizen(serial, census)
  }

  var look: Int { Int(shortLook) }
  var serial: Int? { citizen.serial }

  static func == (a: Self, b: Self) -> Bool { a.key == b.key && a.shortLook == b.shortLook }
}

/// So wide that there are only 4 to a page: a tree of some thousand is four levels high.
struct WideRow: ProofRow {
  let key: ProofKey
  let look: Int
  private let citizen: RowCensus.Citizen
  private let ballast = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)

  init(key: ProofKey, look: Int, serial: Int, census: RowCensus) {
    self.key = key
    self.look = look
    citizen = RowCensus.Citizen(serial, census)
  }

  var serial: Int? { citizen.serial }

  static func == (a: Self, b: Self) -> Bool { a.key == b.key && a.look == b.look }
}

/// Plain bytes with padding, 64 to a page: the most that there can be.
struct PlainRow: ProofRow {
  let key: ProofKey
  private let shortLook: Int16

  init(key: ProofKey, look: Int, serial: Int, census: RowCensus) {
    self.key = key
    shortLook = Int16(look)
  }

  var look: Int { Int(shortLook) }
  var serial: Int? { nil }
}
