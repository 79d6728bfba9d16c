import Testing

@testable import EntiaDatabase

@Suite("Words of a text")
struct TextTokenizerTests {
  private func words(_ text: String) -> [String] { UnicodeWords().words(in: text).map(\.text) }

  @Test(
    "Words of ten scripts",
    arguments: [
      ("The Left Hand of Darkness", ["the", "left", "hand", "of", "darkness"]),
      ("Résumé, naïve Straße", ["resume", "naive", "strasse"]),
      ("ИСТОРИЯ одного города; ёлка", ["история", "одного", "города", "елка"]),
      ("Ὀδυσσεύς ΟΔΥΣΣΕΎΣ", ["οδυσσευσ", "οδυσσευσ"]),
      ("שָׁלוֹם עולם", ["שלום", "עולם"]),
      ("الكِتَابُ كتـاب", ["الكتاب", "كتاب"]),
      ("हिन्दी किताब", ["हिन्दी", "किताब"]),
      ("東京都", ["東京", "京都", "都"]),
      ("ひらがなﾊﾟ", ["ひら", "らが", "がな", "なパ", "パ"]),
      ("한국어 책", ["한국", "국어", "어", "책"]),
      ("ดี มาก", ["ดี", "ี", "มา", "าก", "ก"]),
      ("Ђорђе 12-a", ["ђорђе", "12", "a"]),
    ])
  func scripts(_ text: String, _ expected: [String]) { #expect(words(text) == expected) }

  @Test("Numbers, hyphens, apostrophes, widths and emoji")
  func signs() {
    #expect(words("3.14 wi-fi r2d2 1,000") == ["3", "14", "wi", "fi", "r2d2", "1", "000"])
    #expect(
      words("don't dont’s l'amour O'Brien '") == ["dont", "donts", "l", "amour", "o", "brien"])
    #expect(words("Ａｂｃ１２ ﬁn ①") == ["abc12", "fin", "1"])
    #expect(words("co\u{AD}operate zero\u{200D}width") == ["cooperate", "zerowidth"])
    #expect(words("I ♥️ 👍🏽!👨‍👩‍👧🇩🇪") == ["i", "♥", "👍", "👨‍👩‍👧", "🇩🇪"])
    #expect(words(" \n…—()\u{301}") == [])
    #expect(words("") == [])
    #expect(words("tower東") == ["tower", "東"])
  }

  @Test("The range of a word is its place in the text")
  func ranges() {
    let text = "Ça, c'est 東京 ﾊﾟ👍🏽 don't"
    let found = UnicodeWords().words(in: text)
    #expect(
      found.map { String(text[$0.range]) } == [
        "Ça", "c", "est", "東京", "京", "ﾊﾟ", "👍🏽", "don't",
      ])
    #expect(found.map(\.isOpen) == [false, false, false, false, true, true, false, false])
  }

  @Test("Composed and decomposed forms have the same words")
  func forms() {
    for (composed, decomposed) in [("é", "e\u{301}"), ("が", "か\u{3099}"), ("한", "한")] {
      #expect(words(composed) == words(decomposed))
    }
  }
}

@Suite("Queries as they are written")
struct TextQueryTests {
  private func query(_ text: String) -> String {
    let terms = TextQuery(text, fields: ["title", "summary"], tokenizer: UnicodeWords()).terms
    return terms.map { term in
      let words = term.words.map { $0.text + ($0.isPrefix ? "*" : "") }.joined(separator: "+")
      return (term.isExcluded ? "-" : "") + (term.field.map { "\($0):" } ?? "") + words
    }.joined(separator: " ")
  }

  @Test("Words are prefixes, phrases are exact, and terms are excluded or restricted")
  func terms() {
    #expect(query("le guin disp") == "le* guin* disp*")
    #expect(query("\"left hand\" dark") == "left+hand dark*")
    #expect(query("“left hand” -war") == "left+hand -war*")
    #expect(query("Title:disp -summary:\"a war\"") == "0:disp* -1:a+war")
    #expect(query("wi-fi don't") == "wi+fi* dont*")
    #expect(query("東京都 京") == "東京+京都 京*")
    #expect(query("\"東京 tower\"") == "東京+京*+tower")
  }

  @Test("What cannot be parsed is searched as words")
  func words() {
    #expect(query("") == "")
    #expect(query("  - \" : -- \"\" ' ") == "")
    #expect(query("\"left ha") == "left* ha*")
    #expect(query("other:thing title:") == "other+thing* title*")
    #expect(query("title: disp") == "title* disp*")
    #expect(query("-\"left ha") == "-left* ha*")
    #expect(query("a\"b c\"d AND (NEAR) ^x*") == "a+b* c+d* and* near* x*")
  }

  @Test("Typing never fails: every prefix of a difficult query is a query")
  func typing() {
    let text = "le \"guin -“disp title:\u{0}x 東京\u{301} 👨‍👩‍👧- -summary:\"\""
    for end in text.unicodeScalars.indices { _ = query(String(text[..<end])) }
  }
}
