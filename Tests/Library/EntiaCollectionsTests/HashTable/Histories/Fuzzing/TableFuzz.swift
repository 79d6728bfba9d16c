@testable import EntiaCollections

// The bytes that libFuzzer makes up are steps of a history. A table that differs from its model, or
// an object that lives too long, ends the process, and libFuzzer keeps the bytes that did it; the
// address sanitizer sees to what lives too short.

/// Called by libFuzzer with every input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTable(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: bytes, count: count)
  guard let first = input.first else { return 0 }
  let quality = HashQuality.allCases[Int(first) / 4 % HashQuality.allCases.count]
  switch first % 4 {
  case 0: run(SlimRow.self, quality, input.dropFirst())
  case 1: run(PlainRow.self, quality, input.dropFirst())
  default: run(WideRow.self, quality, input.dropFirst())
  }
  return 0
}

private func run<Row: ProofRow>(
  _: Row.Type, _ quality: HashQuality, _ bytes: Slice<UnsafeBufferPointer<UInt8>>
) {
  let census = RowCensus()
  do {
    // Colliding keys are all compared with each other, and few show as much as many.
    let universe = quality == .equal || quality == .fewTags ? 50 : 600
    var history = TableHistory<Row>(universe: universe, quality: quality, census: census)
    var position = bytes.startIndex
    var steps = 0
    while position + 3 < bytes.endIndex {
      let step = TableStep(
        bytes[position], bytes[position + 1], bytes[position + 2], bytes[position + 3])
      position += 4
      steps += 1
      let checks = steps % 32 == 0 || position + 3 >= bytes.endIndex
      let problem =
        history.take(step) ?? (checks ? history.check() ?? history.checkLifetimes() : nil)
      if let problem { fatalError("step \(steps), \(step): \(problem)") }
    }
  }
  precondition(census.living == 0, "\(census.living) objects outlive all versions")
}

extension TableStep {
  /// Reads a step: kind and version, key, amount.
  fileprivate init(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) {
    let kinds = Kind.allCases
    self.init(
      kind: kinds[Int(first >> 2) % kinds.count], version: Int(first & 3),
      value: Int(second) | Int(third & 3) << 8, amount: Int(fourth) + Int(third >> 2) * 8)
  }
}
