/// Divides text into words by the properties of its characters, in any script.
///
/// - A word is a series of letters, digits and their marks. Case, diacritics, width and style are
///   not compared: `é` = `e`, `ß` = `ss`, `Ａ` = `a`.
/// - A hyphen separates words. An apostrophe is left out of a word (`don't` = `dont`), except after
///   a single letter, where it separates words (`l'amour`).
/// - Scripts without spaces, such as Chinese, Japanese, Korean, Thai, Lao, Khmer and Myanmar, have
///   overlapping pairs of characters as words, so that any part of a text is found.
/// - An emoji is a word, without its skin tone.
public struct UnicodeWords: TextTokenizer {
  /// Creates the tokenizer.
  public init() {}

  /// Calls the closure with each word of a text, in order.
  /// - Complexity: O(*n*) in the length of the text.
  public func visitWords(in text: String, _ visit: (TextWord) -> Void) {
    var contiguous = text
    contiguous.makeContiguousUTF8()
    let text = contiguous
    contiguous.withUTF8 { bytes in
      var scanner = WordScanner(text: text, bytes: bytes)
      while scanner.isInside { scanner.step(visit) }
    }
  }
}

/// Scans the UTF-8 bytes of a text for words.
private struct WordScanner {
  let text: String
  let bytes: UnsafeBufferPointer<UInt8>
  private var place = 0

  init(text: String, bytes: UnsafeBufferPointer<UInt8>) {
    self.text = text
    self.bytes = bytes
  }

  var isInside: Bool { place < bytes.count }

  /// Moves past the character at `place`, or visits the word that begins there and moves past it.
  mutating func step(_ visit: (TextWord) -> Void) {
    let byte = bytes[place]
    if byte < 0x80 {
      if byte.isWordByte { scanWord(visit) } else { place += 1 }
      return
    }
    let (scalar, length) = scalar(at: place)
    switch TextRole(scalar) {
    case .word: scanWord(visit)
    case .spaceless: scanSpaceless(visit)
    case .emoji: scanEmoji(length, visit)
    case .mark, .apostrophe, .separator: place += length
    }
  }

  private mutating func scanWord(_ visit: (TextWord) -> Void) {
    let start = place
    var apostrophes = 0
    var isSimple = true
    var letterCount = 0
    while place < bytes.count {
      let byte = bytes[place]
      if byte.isWordByte {
        place += 1
        letterCount += 1
        continue
      }
      let (scalar, length) = scalar(at: place)
      let role = byte < 0x80 ? (byte == 0x27 ? .apostrophe : .separator) : TextRole(scalar)
      switch role {
      case .word: letterCount += 1
      case .mark: break
      case .apostrophe:
        guard letterCount > 1, isWord(at: place + length) else {
          return emit(start, isSimple, apostrophes, visit)
        }
        apostrophes += 1
      case .spaceless, .emoji, .separator: return emit(start, isSimple, apostrophes, visit)
      }
      isSimple = false
      place += length
    }
    emit(start, isSimple, apostrophes, visit)
  }

  private func isWord(at place: Int) -> Bool {
    guard place < bytes.count else { return false }
    if bytes[place] < 0x80 { return bytes[place].isWordByte }
    if case .word = TextRole(scalar(at: place).scalar) { return true }
    return false
  }

  /// Visits the word from a start to `place`. A simple word has only ASCII letters and digits.
  private func emit(
    _ start: Int, _ isSimple: Bool, _ apostrophes: Int, _ visit: (TextWord) -> Void
  ) {
    if isSimple {
      let word = String(unsafeUninitializedCapacity: place - start) { target in
        for index in start..<place { target[index - start] = bytes[index].lowercased }
        return place - start
      }
      return visit(TextWord(word, at: range(start, place)))
    }
    let range = range(start, place)
    var word = text[range]
    if apostrophes > 0 {
      word.unicodeScalars.removeAll {
        $0 == "'" || $0.value == 0x2019 || $0.value == 0x2BC || $0.value == 0xFF07
      }
    }
    let folded = TextFolding.fold(word)
    if !folded.isEmpty { visit(TextWord(folded, at: range)) }
  }

  /// In a series of characters of scripts without spaces, visits each pair of adjacent characters,
  /// and then the last character as a word of its own.
  private mutating func scanSpaceless(_ visit: (TextWord) -> Void) {
    let start = place
    while place < bytes.count, bytes[place] >= 0x80 {
      let (scalar, length) = scalar(at: place)
      let role = TextRole(scalar)
      guard role == .spaceless || role == .mark else { break }
      place += length
    }
    var letters: [(scalar: Unicode.Scalar, range: Range<String.Index>)] = []
    var index = self.index(start)
    let end = self.index(place)
    while index < end {
      let next = min(end, text.index(after: index))
      for scalar in TextFolding.fold(text[index..<next]).unicodeScalars {
        letters.append((scalar, index..<next))
      }
      index = next
    }
    for (letter, next) in zip(letters, letters.dropFirst()) {
      var pair = String(letter.scalar)
      pair.unicodeScalars.append(next.scalar)
      visit(TextWord(pair, at: letter.range.lowerBound..<next.range.upperBound))
    }
    if let last = letters.last {
      visit(TextWord(String(last.scalar), at: last.range, isOpen: true))
    }
  }

  private mutating func scanEmoji(_ length: Int, _ visit: (TextWord) -> Void) {
    let start = index(place)
    let end = text.index(after: start)
    let next = max(place + length, text.utf8.distance(from: text.startIndex, to: end))
    let range = range(place, next)
    place = next
    visit(TextWord(TextFolding.foldEmoji(text[range]), at: range))
  }

  private func index(_ offset: Int) -> String.Index {
    text.utf8.index(text.startIndex, offsetBy: offset)
  }

  private func range(_ start: Int, _ end: Int) -> Range<String.Index> {
    index(start)..<index(end)
  }

  /// Returns the scalar at a place and the number of its bytes. The bytes are not checked, because
  /// the UTF-8 of a string is valid.
  private func scalar(at place: Int) -> (scalar: Unicode.Scalar, length: Int) {
    let first = UInt32(bytes[place])
    if first < 0x80 { return (Unicode.Scalar(UInt8(first)), 1) }
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    var value = first & (0x7F >> UInt32(length))
    for offset in 1..<length { value = value << 6 | UInt32(bytes[place + offset]) & 0x3F }
    return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
  }
}

extension UInt8 {
  /// Whether the byte is an ASCII letter or digit.
  @inline(__always)
  fileprivate var isWordByte: Bool {
    (self | 0x20) &- 0x61 < 26 || self &- 0x30 < 10
  }

  /// The byte as a lowercase letter, if it is an ASCII letter.
  @inline(__always)
  var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

/// Divides text into the words that a text index stores and finds.
///
/// `UnicodeWords` is the default. A tokenizer of your own may leave out words, for example, or
/// store their stems. An index uses the same tokenizer for rows and for queries.
///
/// ```swift
/// struct Stems: TextTokenizer {
///   func visitWords(in text: String, _ visit: (TextWord) -> Void) {
///     UnicodeWords().visitWords(in: text) { word in
///       let isPlural = word.text.count > 3 && word.text.hasSuffix("s")
///       visit(TextWord(isPlural ? String(word.text.dropLast()) : word.text, at: word.range))
///     }
///   }
/// }
/// ```
public protocol TextTokenizer: Sendable {
  /// Calls the closure with each word of a text, in order. Every call for the same text must give
  /// the same words.
  /// - Complexity: O(*n*) in the length of the text.
  func visitWords(in text: String, _ visit: (TextWord) -> Void)
}

/// A word of a text.
public struct TextWord: Hashable, Sendable {
  /// The word as an index compares it: folded, such as `resume` for `Résumé`.
  public let text: String
  /// The place of the word in its text.
  public let range: Range<String.Index>
  /// Whether the word ends only because its text ends. In a script without spaces, more text could
  /// make the word longer. An open word of a query also finds the words that begin with it.
  public let isOpen: Bool

  /// Creates a word.
  /// - Parameters:
  ///   - text: The word as an index compares it.
  ///   - range: The place of the word in its text.
  ///   - isOpen: Whether the word ends only because its text ends.
  public init(_ text: String, at range: Range<String.Index>, isOpen: Bool = false) {
    self.text = text
    self.range = range
    self.isOpen = isOpen
  }
}

extension TextTokenizer {
  /// Returns the words of a text, in order.
  func words(in text: String) -> [TextWord] {
    var words: [TextWord] = []
    visitWords(in: text) { words.append($0) }
    return words
  }
}
