public import EntiaDatabase
import EntiaStore

extension StoreInspection {
  /// An observer of an inspected store.
  public struct Observer: Sendable, CustomStringConvertible {
    /// The number of the observer, in the order in which the store's observers were added, from 1.
    public let number: Int
    /// The observed value in words: a part of the state, such as `searchText`, a row, such as
    /// `Book("b1") in library`, or a query.
    public let subject: String
    /// The place where the observer is called: `main`, `asyncMain`, `passthrough`, a queue or an
    /// actor.
    public let target: String

    init(_ observer: InspectedObserver) {
      number = Int(observer.number)
      subject = observer.subject
      target = observer.target
    }

    /// The number, the observed value and the place, on one line.
    public var description: String { "\(number) \(subject), on \(target)" }
  }

  /// A live query of an inspected store.
  public struct Query: Sendable, CustomStringConvertible {
    /// The query in words, such as `query of Book in library`.
    public let subject: String
    /// How a fetch of the query would be executed now.
    public let explanation: FetchExplanation
    /// The number of observers of the query, and of values derived from it.
    public let observerCount: Int
    /// The number of times the whole result was fetched. Otherwise it is updated from the changes.
    public let fetchCount: Int
    /// The number of changed rows for which the predicate was evaluated.
    public let examinedRows: Int

    init(_ query: InspectedQuery, observerCount: Int) {
      subject = query.subject
      explanation = query.explanation
      self.observerCount = observerCount
      fetchCount = query.work.fetches
      examinedRows = query.work.rowsExamined
    }

    /// The query and its work on one line, and its plan on the next ones.
    public var description: String {
      func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
      }
      return "\(subject): \(count(observerCount, "observer")), "
        + "fetched \(count(fetchCount, "time")), \(count(examinedRows, "changed row")) examined\n  "
        + explanation.description.replacing("\n", with: "\n  ")
    }
  }

  /// A part of the state of an inspected store that is saved or shared.
  public struct Part: Sendable, CustomStringConvertible {
    /// The part, such as `library`.
    public let name: String
    /// Whether the part is shared with other processes. Otherwise it is saved to a file.
    public let isShared: Bool

    /// The part and its use, on one line.
    public var description: String { "\(name), \(isShared ? "shared" : "saved")" }
  }
}
