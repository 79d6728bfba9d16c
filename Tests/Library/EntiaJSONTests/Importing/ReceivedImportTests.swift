import EntiaDatabase
import EntiaJSON
import EntiaTestDomains
import EntiaTestSupport
import Foundation
import Testing

@Suite("Import of what was received at a time")
struct ReceivedImportTests {
  private func at(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

  /// Notes with the IDs and their writer, which stands in the place of its ID.
  private func page(_ ids: [Int], _ text: String = "one") -> ImportSource {
    let notes = ids.map {
      #"{"id": \#($0), "text": "\#(text)", "writerID": {"id": "w", "name": "\#(text)"}}"#
    }
    return source("[\(notes.joined(separator: ","))]")
  }

  @Test("Every row that occurs is fresh, nested and unchanged ones too, and the root is the answer")
  func receiving() throws {
    var inbox = Inbox()
    try inbox.importJSON(
      page([2, 1]), of: Note.self, answering: NoteRequest.all, receivedAt: at(10))
    let first = inbox
    let report = try inbox.importJSON(page([2]), of: Note.self, receivedAt: at(20))
    expectTrue(report.unchanged == 2 && inbox == first)
    expectTrue(inbox.noteAges.receivedAt(1) == at(10) && inbox.noteAges.receivedAt(2) == at(20))
    expectEqual(inbox.writerAges.receivedAt("w"), at(20))
    expectEqual(first.writerAges.receivedAt("w"), at(10))
    expectTrue(inbox.answers.ids(for: .all) == [2, 1] && inbox.verify() == [])
    expectTrue(inbox.answers[.all]?.receivedAt == at(10) && inbox.answers[.all]?.isComplete == true)
  }

  @Test("Newer rows replace older ones by default, and rows that were received later are kept")
  func newer() throws {
    var inbox = Inbox()
    try inbox.importJSON(page([1, 2], "one"), of: Note.self, receivedAt: at(10))
    let report = try inbox.importJSON(page([1], "two"), of: Note.self, receivedAt: at(20))
    expectTrue(report.updated == 2 && inbox.notes.find(by: 1)?.text == "two")
    try inbox.importJSON(page([1, 2, 3], "late"), of: Note.self, receivedAt: at(15))
    expectTrue(inbox.notes.find(by: 1)?.text == "two" && inbox.noteAges.receivedAt(1) == at(20))
    expectTrue(inbox.notes.find(by: 2)?.text == "late" && inbox.noteAges.receivedAt(2) == at(15))
    expectTrue(
      inbox.notes.find(by: 3)?.text == "late" && inbox.writers.find(by: "w")?.name == "two")
    let before = inbox
    #expect(throws: ImportProblems.self) {
      try inbox.importJSON(
        page([1], "other"), of: Note.self, receivedAt: at(30),
        options: TypedImportOptions(onConflict: .error))
    }
    expectTrue(inbox == before && inbox.noteAges.receivedAt(1) == at(20))
  }

  @Test("Without a time, nothing is recorded")
  func withoutTime() throws {
    var inbox = Inbox()
    try inbox.importJSON(page([1]), of: Note.self)
    expectTrue(inbox.noteAges.isEmpty && inbox.notes.count == 1)
  }

  @Test("Pages are appended by their cursors; a refused import changes nothing")
  func pages() throws {
    var inbox = Inbox()
    try inbox.importJSON(
      page([1, 2]), of: Note.self, answering: NoteRequest.all, next: "a", receivedAt: at(10))
    try inbox.importJSON(
      page([2, 3]), of: Note.self, answering: NoteRequest.all, after: "a", receivedAt: at(11))
    expectEqual(inbox.answers.ids(for: .all), [1, 2, 3])
    let before = inbox
    #expect(throws: ImportProblems.self) {
      try inbox.importJSON(
        source(#"[{"id": 1}]"#), of: Note.self, answering: NoteRequest.all, receivedAt: at(12))
    }
    expectTrue(inbox == before && inbox.answers[.all] == before.answers[.all])
    expectEqual(inbox.noteAges.receivedAt(1), at(10))
  }
}
