#if ENTIA_POSTGRESQL
  import EntiaCollections
  import EntiaDatabase

  /// A note of the demonstration.
  struct DemoNote: EntityType, Identifiable, Codable {
    let id: String
    var text: String
    var isDone: Bool

    /// The note as a line.
    var line: String {
      "\(DemoText.printable(id))  [\(isDone ? "x" : " ")] \(DemoText.printable(text))"
    }
  }

  /// The notes of the demonstration.
  struct DemoNotes: NormalizedStorageType {
    struct Contents: StorageContents {
      var notes = Tables.Hash<DemoNote>()

      static func visitParts<Visitor: StorageVisitor>(_ visitor: inout Visitor)
      where Visitor.Contents == Self {
        visitor.table("notes", \.notes)
      }
    }

    var snapshot = Snapshot(Contents())
    var notes: Tables.Hash<DemoNote> { snapshot.contents.notes }

    /// Returns the note with an ID, or with a number in the list.
    func note(_ word: String) -> DemoNote? {
      if let note = notes.find(by: DemoNote.EntityID(word)) { return note }
      guard let number = Int(word), number > 0 else { return nil }
      return notes.dropFirst(number - 1).first { _ in true }
    }

    /// Returns an ID that no note has: two syllables and a consonant.
    func unusedID() -> String {
      while true {
        let letters =
          [DemoText.consonants, DemoText.vowels, DemoText.consonants]
          + [DemoText.vowels, DemoText.consonants]
        let id = String(letters.compactMap { $0.randomElement() })
        if notes.find(by: DemoNote.EntityID(id)) == nil { return id }
      }
    }

    /// Returns a line for each note that differs from an older version.
    func edits(since old: DemoNotes) -> [String] {
      let changes = changes(since: old).changes(of: DemoNote.self)
      return changes.removed.map { "removed \($0.line)" }
        + changes.updated.map { update in
          let isOnlyDone = update.old.text == update.new.text
          let verb = !isOnlyDone ? "edited" : update.new.isDone ? "done" : "reopened"
          return "\(verb) \(update.new.line)"
        } + changes.inserted.map { "added \($0.line)" }
    }
  }

  /// The texts of the demonstration.
  enum DemoText {
    static let consonants = Array("bdfghjklmnprstvz")
    static let vowels = Array("aeiou")

    /// Returns a text without characters that control a terminal: others have written it.
    static func printable(_ text: String) -> String {
      String(
        String.UnicodeScalarView(
          text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }))
    }
  }
#endif
