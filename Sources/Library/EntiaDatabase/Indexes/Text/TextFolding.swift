import Foundation

/// The form in which words are compared: without case and diacritics. Characters that differ only
/// in their width or style have the same form.
enum TextFolding {
  /// Returns the folded form of a word.
  static func fold(_ word: String.SubSequence) -> String {
    var folded = String.UnicodeScalarView()
    for scalar in word.unicodeScalars {
      if scalar.value < simpleCount {
        let simple = simpleForms[Int(scalar.value)]
        guard simple != 0, let scalar = Unicode.Scalar(simple) else { return foldAny(word) }
        folded.append(scalar)
      } else if !isDiacritic(scalar) {
        return foldAny(word)
      }
    }
    return String(folded)
  }

  /// Returns the folded form of any text.
  private static func foldAny(_ text: String.SubSequence) -> String {
    var folded = String.UnicodeScalarView()
    for scalar in String(text).decomposedStringWithCompatibilityMapping.unicodeScalars
    where !isDiacritic(scalar) && scalar.properties.generalCategory != .format {
      for lower in scalar.properties.lowercaseMapping.unicodeScalars where !isDiacritic(lower) {
        if let letters = spelledLetters[lower] {
          folded.append(contentsOf: letters.unicodeScalars)
        } else {
          folded.append(lower)
        }
      }
    }
    // Composes Hangul syllables and kana again, which were decomposed above.
    return String(folded).precomposedStringWithCanonicalMapping
  }

  /// Letters that have no decomposition and that people also write in another way.
  private static let spelledLetters: [Unicode.Scalar: String] = [
    "ß": "ss", "ı": "i", "ς": "σ", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l",
    "þ": "th", "ħ": "h",
  ]

  /// The number of scalars with an entry in `simpleForms`: Latin, Greek, Cyrillic and diacritics.
  private static let simpleCount: UInt32 = 0x530

  /// The folded form of each scalar that is folded to one scalar; 0 for each other scalar.
  private static let simpleForms: [UInt32] = (0..<simpleCount).map { value in
    guard let scalar = Unicode.Scalar(value) else { return 0 }
    let form = foldAny(String(scalar)[...]).unicodeScalars
    guard form.count == 1, let only = form.first else { return 0 }
    return only.value
  }

  /// Whether a scalar is a mark that people leave out when they search: an accent, a Hebrew point,
  /// an Arabic vowel sign. Marks of Indic scripts and of Thai are not left out, because they stand
  /// for vowels. Marks of kana are not left out, because they change the consonant.
  static func isDiacritic(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x300: false
    case 0x300...0x36F, 0x483...0x487, 0x591...0x5BD, 0x5BF, 0x5C1...0x5C2, 0x5C4...0x5C5, 0x5C7,
      0x610...0x61A, 0x640, 0x64B...0x65F, 0x670, 0x6D6...0x6DC, 0x6DF...0x6E4, 0x6E7...0x6E8,
      0x6EA...0x6ED, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE00...0xFE0F,
      0xFE20...0xFE2F:
      true
    default: false
    }
  }

  /// Returns an emoji without its style and its skin tone.
  static func foldEmoji(_ emoji: String.SubSequence) -> String {
    let kept = emoji.unicodeScalars.filter {
      !(0x1F3FB...0x1F3FF).contains($0.value) && !(0xFE00...0xFE0F).contains($0.value)
    }
    return kept.isEmpty ? String(emoji) : String(String.UnicodeScalarView(kept))
  }
}

/// The role of a scalar in the division of a text into words.
enum TextRole {
  /// A letter or a digit.
  case word
  /// A mark or an invisible character, which continues a word.
  case mark
  /// An apostrophe, which may be inside a word.
  case apostrophe
  /// A letter of a script without spaces.
  case spaceless
  case emoji
  case separator

  /// Creates the role of a scalar that is not ASCII.
  init(_ scalar: Unicode.Scalar) {
    let value = scalar.value
    if value == 0x2019 || value == 0x2BC || value == 0xFF07 {
      self = .apostrophe
      return
    }
    let properties = scalar.properties
    let isLetter = properties.isAlphabetic
    if isLetter, value >= 0xE00, Self.isSpaceless(value) {
      self = .spaceless
    } else if isLetter || properties.numericType != nil {
      self = .word
    } else if value >= 0x203C, properties.isEmoji {
      self = .emoji
    } else {
      switch properties.generalCategory {
      case .nonspacingMark, .spacingMark, .enclosingMark:
        self = value >= 0xE00 && Self.isSpaceless(value) ? .spaceless : .mark
      case .format: self = .mark
      default: self = .separator
      }
    }
  }

  /// Whether a scalar belongs to a script that is written without spaces, or whose words are
  /// found by their parts: Thai, Lao, Myanmar, Khmer, Hangul, kana, Bopomofo and ideographs.
  private static func isSpaceless(_ value: UInt32) -> Bool {
    switch value {
    case 0xE00...0xE4F, 0xE80...0xECF, 0xEDC...0xEDF, 0x1000...0x103F, 0x1050...0x108F,
      0x1100...0x11FF, 0x1780...0x17DD, 0x3005...0x3007, 0x3021...0x3029, 0x3040...0x318F,
      0x31A0...0x31BF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA960...0xA97F,
      0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFF66...0xFFDC, 0x1B000...0x1B16F, 0x20000...0x3FFFF:
      true
    default: false
    }
  }
}
