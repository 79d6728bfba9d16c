/// A sentence for the user, at a place in the source that is expanded. Ranges count UTF-8 bytes from
/// the beginning of that source.
struct Diagnostic: Equatable, Sendable {
  enum Severity: String, Sendable {
    case error
    case warning
  }

  /// A further place the sentence speaks of.
  struct Note: Equatable, Sendable {
    var message: String
    var offset: Int
  }

  /// A change that puts it right.
  struct FixIt: Equatable, Sendable {
    var message: String
    /// What is replaced; empty for an insertion.
    var range: Range<Int>
    var text: String
  }

  var message: String
  var severity = Severity.error
  /// The token the sentence is about.
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
  /// Replaces `range` by `text`.
  static func replace(_ range: Range<Int>, with text: String, _ message: String) -> Self {
    Self(message: message, range: range, text: text)
  }

  /// Inserts `text` at `offset`.
  static func insert(_ text: String, at offset: Int, _ message: String) -> Self {
    Self(message: message, range: offset..<offset, text: text)
  }
}
