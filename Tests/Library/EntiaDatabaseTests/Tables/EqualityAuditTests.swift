import EntiaDatabase
import EntiaTestSupport
import Testing

#if DEBUG
  /// Types whose `==` ignores fields, which tables cannot keep in step.
  @Suite("Entity types whose == drops updates are reported")
  struct EqualityAuditTests {
    private struct Card: EntityType, Identifiable {
      let id: Int
      var name: String
      var value = 0.0
      static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id }
    }

    private struct Deck: EntityType, Identifiable {
      let id: Int
      var names: [String]
      var value: Double
    }

    private func messages(_ body: () -> Void) -> [String] {
      let receiver = EqualityAudit.Receiver()
      EqualityAudit.$receiver.withValue(receiver, operation: body)
      return receiver.messages
    }

    private let message = """
      Card 1: == finds the new row equal to the stored one, but name differ. Tables keep the \
      stored row, and the update is lost. Compare every field in == of Card, or let Swift write ==
      """

    @Test("An insertion over an equal row with other fields, once for a type")
    func insertions() {
      let found = messages {
        var hash = Tables.Hash([Card(id: 1, name: "a"), Card(id: 2, name: "b")])
        hash.insert(Card(id: 1, name: "x"))
        hash.insert(Card(id: 2, name: "y"))
        expectEqual(hash.find(by: 1)?.name, "a")
      }
      expectEqual(found, [message])
      let ordered = messages {
        var table = Tables.Ordered([Card(id: 1, name: "a")])
        table.insert(Card(id: 1, name: "x"))
      }
      expectEqual(ordered, [message])
    }

    @Test("An update of a row that a version shares, and of a row of an ordered table")
    func updates() {
      for found in [
        messages {
          var table = Tables.Hash([Card(id: 1, name: "a")])
          let kept = table
          table.updateIfExists(id: 1) { $0.name = "x" }
          expectEqual(kept, table)
        },
        messages {
          var table = Tables.Ordered([Card(id: 1, name: "a")])
          table.updateIfExists(id: 1) { $0.name = "x" }
        },
      ] {
        expectEqual(found, [message])
      }
    }

    @Test("Rows that are equal field by field are not reported")
    func equalRows() {
      let found = messages {
        var cards = Tables.Hash([Card(id: 1, name: "a", value: .nan)])
        cards.insert(Card(id: 1, name: "a", value: .nan))
        var decks = Tables.Hash([Deck(id: 1, names: ["a"], value: 0)])
        decks.insert(Deck(id: 1, names: ["a"], value: -0.0))
        decks.insert(Deck(id: 1, names: ["b"], value: 0))
      }
      expectEqual(found, [])
    }
  }
#endif
