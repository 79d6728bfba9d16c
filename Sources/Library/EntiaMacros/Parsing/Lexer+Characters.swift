/// The characters of names and operators, according to the grammar in The Swift Programming
/// Language.
extension Lexer {
  static func isIdentifierPart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
    default: scalar.value >= 0x80 && !isOperatorHead(scalar)
    }
  }

  static func isOperatorPart(_ scalar: Unicode.Scalar) -> Bool {
    isOperatorHead(scalar) || operatorMarks.contains { $0.contains(scalar.value) }
  }

  static func isOperatorHead(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "/", "=", "-", "+", "!", "*", "%", "<", ">", "&", "|", "^", "~", "?": true
    default: scalar.value >= 0x80 && operatorHeads.contains { $0.contains(scalar.value) }
    }
  }

  private static let operatorHeads: [ClosedRange<UInt32>] = [
    0xA1...0xA7, 0xA9...0xA9, 0xAB...0xAC, 0xAE...0xAE, 0xB0...0xB1, 0xB6...0xB6, 0xBB...0xBB,
    0xBF...0xBF, 0xD7...0xD7, 0xF7...0xF7, 0x2016...0x2017, 0x2020...0x2027, 0x2030...0x203E,
    0x2041...0x2053, 0x2055...0x205E, 0x2190...0x23FF, 0x2500...0x2775, 0x2794...0x2BFF,
    0x2E00...0x2E7F, 0x3001...0x3003, 0x3008...0x3020, 0x3030...0x3030,
  ]

  private static let operatorMarks: [ClosedRange<UInt32>] = [
    0x300...0x36F, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE00...0xFE0F, 0xFE20...0xFE2F,
    0xE0100...0xE01EF,
  ]
}
