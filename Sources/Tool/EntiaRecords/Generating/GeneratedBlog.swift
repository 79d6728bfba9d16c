import EntiaCoding

/// A generated blog of any size: authors, posts and comments that depend only on a seed.
///
/// Every row depends only on the seed and its number, so that a text of any length is written
/// without storing rows. Every author has at least one post or comment, and every comment belongs
/// to one post, so that all formats contain the same database.
public struct GeneratedBlog: Hashable, Sendable {
  /// The formats of a blog.
  public enum Format: String, Hashable, Sendable, CaseIterable {
    /// An array of posts that contain their authors and comments.
    case nested
    /// A database: schema, tables and result.
    case tables
    /// One nested post per line. The text of a blog without posts is empty, and an import accepts
    /// it only if the format is set.
    case ndjson
    /// A JSON:API compound document: posts as `data`, the rest as `included`.
    case jsonapi
  }

  /// The maximum number of rows of one table.
  package static let maximumCount = 1_000_000_000

  /// The number of authors.
  package let authors: Int
  /// The number of posts.
  package let posts: Int
  /// The number of comments of all posts together.
  package let comments: Int
  /// The seed of the content.
  package let seed: UInt64

  /// Creates a blog; nothing is generated until it is written.
  ///
  /// - Throws: A ``GeneratedBlogError`` if a count is out of bounds, there are comments but no
  ///   posts, or there are more authors than posts and comments.
  public init(
    authors: Int, posts: Int, comments: Int, seed: UInt64
  ) throws(GeneratedBlogError) {
    for (name, count) in [("authors", authors), ("posts", posts), ("comments", comments)]
    where !(0...Self.maximumCount).contains(count) {
      throw .countOutOfBounds(name, count)
    }
    if comments > 0, posts == 0 { throw .commentsWithoutPosts(comments) }
    if authors > posts + comments { throw .idleAuthors(authors, works: posts + comments) }
    self.authors = authors
    self.posts = posts
    self.comments = comments
    self.seed = seed
  }

  /// The entities and relationships of a blog.
  public static let schema = Schema([
    Schema.Entity("authors"),
    Schema.Entity(
      "comments", relationships: [Schema.Relationship("author", to: "authors")]),
    Schema.Entity(
      "posts",
      relationships: [
        Schema.Relationship("author", to: "authors"),
        Schema.Relationship("comments", to: "comments", isMany: true),
      ]),
  ])

  /// The entity of the rows at the top level.
  public static let root = "posts"
}

/// The words and names of generated texts.
enum BlogWords {
  static let firstNames = [
    "Ada", "Bea", "Chidi", "Dana", "Émilie", "Farid", "Greta", "Hana", "Ines", "Jón", "Kofi",
    "Лев", "Mary", "Ngozi", "Olga", "Priya", "Quinn", "Rosa", "Søren", "Tariq", "Uma", "Věra",
    "Wei", "Ximena", "Yusuf", "Zoë",
  ]

  static let lastNames = [
    "Abbott", "Bianchi", "Costa", "Dvořák", "Eze", "Fischer", "Grant", "Haddad", "Ito", "Jansen",
    "Kaya", "Lund", "Mbeki", "Novak", "Okafor", "Park", "Quispe", "Rossi", "Şahin", "Tanaka",
    "Ueda", "Varga", "Weiss", "Xu", "Yıldız", "Zieliński",
  ]

  static let words = [
    "air", "bones", "bridge", "cliff", "clock", "coast", "cold", "colour", "dust", "early",
    "engine",
    "field", "fire", "glass", "hammer", "harbour", "heat", "history", "hour", "ink", "instrument",
    "iron", "island", "kettle", "lamp", "language", "lens", "letter", "light", "map", "measure",
    "memory", "mirror", "motion", "mountain", "music", "needle", "night", "number", "orbit",
    "paper",
    "pattern", "pebble", "pendulum", "question", "rain", "river", "rope", "salt", "season", "shell",
    "signal", "silver", "slow", "smoke", "sound", "spring", "stone", "storm", "story", "table",
    "telescope", "thread", "tide", "tower", "train", "valley", "voice", "water", "weather", "wheel",
    "window", "winter", "wood",
  ]

  /// Texts with characters that JSON escapes or that take several bytes.
  static let asides = [
    "\"Quoted\", as they say.", "A back\\slash.", "One line,\nand another.", "Tab\there.",
    "Naïve café — déjà vu.", "½mv², not mv.", "Привет!", "日本語", "📜",
  ]

  static let tags = [
    "essay", "fossils", "history", "how-to", "letters", "maps", "music", "optics", "physics",
    "travel", "translation", "walks",
  ]

  static let places = [
    ("Lyme Regis", "50.7252", "-2.9366"), ("Cirey", "48.3069", "4.9456"),
    ("Kōbe", "34.6901", "135.1955"), ("Accra", "5.6037", "-0.1870"),
    ("Petrograd", "59.9375", "30.3086"), ("Valparaíso", "-33.0472", "-71.6127"),
  ]
}

/// The reason why a blog of the requested size cannot be generated.
public enum GeneratedBlogError: Error, Hashable, Sendable {
  /// A table cannot have this many rows.
  case countOutOfBounds(String, Int)
  /// Comments are requested without a post that they could belong to.
  case commentsWithoutPosts(Int)
  /// There are more authors than posts and comments, so that some authors would be unreferenced.
  case idleAuthors(Int, works: Int)
}

extension GeneratedBlogError: CustomStringConvertible {
  /// A description of the problem.
  public var description: String {
    switch self {
    case .countOutOfBounds(let name, let count):
      "\(count) \(name) are not from 0 to \(GeneratedBlog.maximumCount)"
    case .commentsWithoutPosts(let count):
      "\(count) comments need at least 1 post that they belong to"
    case .idleAuthors(let count, let works):
      "\(count) authors need as many posts and comments that name them; there are \(works)"
    }
  }
}

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

  /// Applies the finalizer of MurmurHash3 to a number, so that every bit of the result depends on
  /// every bit of the number.
  private static func mixed(_ number: UInt64) -> UInt64 {
    var mixed = number
    mixed = (mixed ^ (mixed >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    mixed = (mixed ^ (mixed >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return mixed ^ (mixed >> 33)
  }
}

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
    // The comments of the first post begin with the first comment. The comments of the last post
    // end with the last comment.
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

  /// Returns the author of a post or a comment. Each of the first works has a different author, so
  /// that every author has a work. In later works, authors with low numbers are more frequent than
  /// authors with high numbers.
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
    writer.member("name", "\(first) \(last)")
    writer.member("email", random.isOne(in: 10) ? nil : "a\(row + 1)@blog.example")
    writer.members([("born", 1900 + random.below(105))])
  }

  /// Writes the members of a post, without the ID and the references.
  func writePost(_ row: Int, to writer: inout JSONWriter) {
    var random = random(.posts, row)
    _ = author(ofWork: row, &random, isSigned: true)
    writer.member("title", Self.sentence(words: 2 + random.below(4), &random))
    let (first, count) = (random.below(BlogWords.tags.count), random.below(4))
    writer.array("tags", 0..<count) { tag, writer in
      writer.string(BlogWords.tags[(first + tag * 5) % BlogWords.tags.count])
    }
    writer.member("published", !random.isOne(in: 8))
    writer.name("rating")
    if random.isOne(in: 9) {
      writer.null()
    } else {
      let cents = 100 + random.below(401)
      let digits = String(cents % 100)
      let ending = digits.utf8.count < 2 ? "0" + digits : digits
      writer.number(JSONNumber(checked: "\(cents / 100).\(ending)"))
    }
    writer.members([("views", random.below(1 + random.below(1_000_000)))])
    writer.name("where")
    guard random.isOne(in: 3) else { return writer.null() }
    let (place, latitude, longitude) = random.pick(BlogWords.places)
    writer.object { writer in
      writer.member("place", place)
      writer.array("at", [latitude, longitude]) { $1.number(JSONNumber(checked: $0)) }
    }
  }

  /// Writes the members of a comment, without the ID and the author.
  func writeComment(_ row: Int, to writer: inout JSONWriter) {
    var random = random(.comments, row)
    _ = author(ofWork: posts + row, &random, isSigned: false)
    var text = Self.sentence(words: 4 + random.below(9), &random) + "."
    if random.isOne(in: 6) { text += " " + random.pick(BlogWords.asides) }
    writer.member("text", text)
    writer.members([("likes", random.below(50) - 1)])
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
