import EntiaCoding

extension GeneratedBlog {
  private enum Table: UInt64 {
    case authors = 1
    case posts
    case comments
    /// The distribution of comments among posts.
    case shares
  }

  private func random(_ table: Table, _ row: Int) -> RowRandom {
    RowRandom(seed: seed, table: table.rawValue &* 0x9E37_79B9, row: row)
  }

  static func authorID(_ row: Int) -> String { "a\(row + 1)" }
  static func postID(_ row: Int) -> String { "p\(row + 1)" }
  static func commentID(_ row: Int) -> String { "c\(row + 1)" }

  /// Returns the comments of a post: from none to twice the average.
  func comments(ofPost row: Int) -> Range<Int> { firstComment(row)..<firstComment(row + 1) }

  private func firstComment(_ post: Int) -> Int {
    let share = share(post)
    // The first post begins at the first comment, and the last post ends at the last.
    guard post > 0, post < posts else { return share }
    var random = random(.shares, post)
    return share + random.below(self.share(post + 1) - share + 1)
  }

  private func share(_ post: Int) -> Int { posts == 0 ? 0 : post * comments / posts }

  func author(ofPost row: Int) -> Int? {
    var random = random(.posts, row)
    return author(ofWork: row, &random, isSigned: true)
  }

  func author(ofComment row: Int) -> Int? {
    var random = random(.comments, row)
    return author(ofWork: posts + row, &random, isSigned: false)
  }

  /// Returns the author of a post or a comment. The first works have each author once; the later
  /// ones prefer authors with low numbers.
  private func author(ofWork work: Int, _ random: inout RowRandom, isSigned: Bool) -> Int? {
    if work < authors { return work }
    let (one, other) = (random.below(authors), random.below(authors))
    if authors == 0 || !isSigned && random.isOne(in: 40) { return nil }
    return min(one, other)
  }

  // MARK: Attributes

  /// Writes the members of an author, without the ID.
  func writeAuthor(_ row: Int, to writer: inout JSONWriter) {
    var random = random(.authors, row)
    let (first, last) = (random.pick(BlogWords.firstNames), random.pick(BlogWords.lastNames))
    writer.name("name")
    writer.string("\(first) \(last)")
    writer.name("email")
    if random.isOne(in: 10) { writer.null() } else { writer.string("a\(row + 1)@blog.example") }
    writer.name("born")
    writer.integer(1900 + random.below(105))
  }

  /// Writes the members of a post, without the ID and the references.
  func writePost(_ row: Int, to writer: inout JSONWriter) {
    var random = random(.posts, row)
    _ = author(ofWork: row, &random, isSigned: true)
    writer.name("title")
    writer.string(Self.sentence(words: 2 + random.below(4), &random))
    writer.name("tags")
    writer.beginArray()
    let (first, count) = (random.below(BlogWords.tags.count), random.below(4))
    for tag in 0..<count {
      writer.string(BlogWords.tags[(first + tag * 5) % BlogWords.tags.count])
    }
    writer.endArray()
    writer.name("published")
    writer.bool(!random.isOne(in: 8))
    writer.name("rating")
    if random.isOne(in: 9) {
      writer.null()
    } else {
      let cents = 100 + random.below(401)
      let digits = String(cents % 100)
      let ending = digits.utf8.count < 2 ? "0" + digits : digits
      writer.number(JSONNumber(checked: "\(cents / 100).\(ending)"))
    }
    writer.name("views")
    writer.integer(random.below(1 + random.below(1_000_000)))
    writer.name("where")
    guard random.isOne(in: 3) else { return writer.null() }
    let (place, latitude, longitude) = random.pick(BlogWords.places)
    writer.beginObject()
    writer.name("place")
    writer.string(place)
    writer.name("at")
    writer.beginArray()
    writer.number(JSONNumber(checked: latitude))
    writer.number(JSONNumber(checked: longitude))
    writer.endArray()
    writer.endObject()
  }

  /// Writes the members of a comment, without the ID and the author.
  func writeComment(_ row: Int, to writer: inout JSONWriter) {
    var random = random(.comments, row)
    _ = author(ofWork: posts + row, &random, isSigned: false)
    var text = Self.sentence(words: 4 + random.below(9), &random) + "."
    if random.isOne(in: 6) { text += " " + random.pick(BlogWords.asides) }
    writer.name("text")
    writer.string(text)
    writer.name("likes")
    writer.integer(random.below(50) - 1)
  }

  private static func sentence(words count: Int, _ random: inout RowRandom) -> String {
    var text = ""
    for index in 0..<count {
      let word = random.pick(BlogWords.words)
      if index == 0 {
        text = word.prefix(1).uppercased() + word.dropFirst()
      } else {
        text += " " + word
      }
    }
    return text
  }
}
