/// A message to the user with a position in the expanded source. Ranges count UTF-8 bytes from the
/// beginning of that source.
struct Diagnostic: Equatable, Sendable {
  enum Severity: String, Sendable {
    case error
    case warning
  }

  /// An additional position to which the message refers.
  struct Note: Equatable, Sendable {
    var message: String
    var offset: Int
  }

  /// A change that corrects the problem.
  struct FixIt: Equatable, Sendable {
    var message: String
    /// The range to replace; empty for an insertion.
    var range: Range<Int>
    var text: String
  }

  var message: String
  var severity = Severity.error
  /// The token to which the message refers.
  var range: Range<Int>
  var notes: [Note] = []
  var fixIts: [FixIt] = []

  init(_ message: String, at range: Range<Int>, notes: [Note] = [], fixIts: [FixIt] = []) {
    self.message = message
    self.range = range
    self.notes = notes
    self.fixIts = fixIts
  }
}

extension Diagnostic.FixIt {
  /// Returns a fix-it that replaces `range` with `text`.
  static func replace(_ range: Range<Int>, with text: String, _ message: String) -> Self {
    Self(message: message, range: range, text: text)
  }

  /// Returns a fix-it that inserts `text` at `offset`.
  static func insert(_ text: String, at offset: Int, _ message: String) -> Self {
    Self(message: message, range: offset..<offset, text: text)
  }
}
