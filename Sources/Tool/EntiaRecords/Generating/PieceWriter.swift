/// Collects text until a piece is complete.
struct PieceWriter<Failure: Error> {
  private static var pieceLength: Int { 1 << 16 }

  private var bytes: [UInt8] = []

  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func append(_ text: [UInt8]) { bytes.append(contentsOf: text) }

  mutating func flush(
    ifFull: Bool, _ sink: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    guard bytes.count >= Self.pieceLength || !ifFull else { return }
    try sink(bytes)
    bytes.removeAll(keepingCapacity: true)
  }
}
