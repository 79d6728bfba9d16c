/// Pseudorandom numbers for one row, derived from a seed, the row's table and its number.
struct RowRandom {
  private var state: UInt64

  init(seed: UInt64, table: UInt64, row: Int) {
    state = Self.mixed(Self.mixed(seed &+ table) ^ UInt64(row))
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mixed(state)
  }

  /// Returns a number from 0 up to, not including, a bound; 0 if the bound is 0.
  mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// Returns true with a probability of 1 in `count`.
  mutating func isOne(in count: Int) -> Bool { below(count) == 0 }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

  /// Returns the finalizer of MurmurHash3: every bit of the result depends on every bit of the
  /// number.
  private static func mixed(_ number: UInt64) -> UInt64 {
    var mixed = number
    mixed = (mixed ^ (mixed >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    mixed = (mixed ^ (mixed >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return mixed ^ (mixed >> 33)
  }
}
