import EntiaCollections

/// How good or bad the hashes of a history's keys are.
enum HashQuality: UInt8, CaseIterable {
  /// Well mixed.
  case good
  /// All equal.
  case equal
  /// Three different tags.
  case fewTags
  /// Different only in what decides the place within a chunk: one chunk that splits late.
  case sameChunk
  /// Different only in what decides the chunk: every entry has the same home.
  case samePlace
  /// Each key as bad as another of these.
  case mixed

  /// The hash of a key; the same in every process, so that a failing history can be run again.
  func hash(_ value: Int) -> UInt64 {
    let bits = UInt64(truncatingIfNeeded: value)
    switch self {
    case .good:
      let mixed = (bits &+ 1) &* 0x9E37_79B9_7F4A_7C15
      return (mixed ^ (mixed >> 29)) &* 0xBF58_476D_1CE4_E5B9
    case .equal: return .max
    case .fewTags: return (bits % 3) << 40
    case .sameChunk: return bits << 32
    case .samePlace: return bits << 52
    case .mixed:
      let parts: [HashQuality] = [.good, .equal, .fewTags, .sameChunk, .samePlace]
      return parts[value % parts.count].hash(value)
    }
  }
}

/// A key that carries its hash.
struct ProofKey: TableKey {
  private let hash: UInt64
  private let number: Int32

  init(_ value: Int, _ quality: HashQuality) {
    number = Int32(value)
    hash = quality.hash(value)
  }

  var value: Int { Int(number) }

  func tableHash(seed: UInt64) -> UInt64 { hash }

  static func == (a: Self, b: Self) -> Bool { a.number == b.number }

  func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
