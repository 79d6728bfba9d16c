import EntiaDatabase
import EntiaLaws
import EntiaTestDomains
import EntiaTestSupport
import Testing

@Suite("Laws of the database")
struct LawTests {
  @Test("Laws 2, 3, 5, 8–17 on the sample library", arguments: StorageLaw.allCases)
  func library(_ law: StorageLaw) throws {
    let runs = LawRuns(count: isScaled ? 2 : 0, steps: 25, corpus: Corpus.storages)
    try StorageLaws(LibrarySubject.self, runs: runs).check(law)
  }

  @Test("A library survives a round trip through JSON")
  func coding() throws {
    let runs = LawRuns(count: 1, steps: 15, corpus: Corpus.storages)
    try StorageLaws(LibrarySubject.self, runs: runs).checkCoding()
  }

  @Test("Laws 1, 2, 3, 5, 6: Tables.Hash", arguments: TableLaw.allCases)
  func tables(_ law: TableLaw) throws {
    let runs = LawRuns(count: 4, steps: 40, corpus: Corpus.tables)
    let laws = TableLaws(
      runs: runs, makeTable: { Tables.Hash<Author>() }, makeEntity: LibrarySubject.author)
    try laws.check(law)
  }

  @Test("Law 12: the editor of a table in a batch reads its own writes and deletes")
  func editors() throws {
    let runs = LawRuns(count: 4, steps: 40, corpus: Corpus.tables)
    let storage = Library()
    // The context owns what its editors work on.
    let context = storage.beginBatchUpdates()
    try TableLaws<Tables.Hash<Author>>.checkReads(
      runs: runs,
      makeTable: {
        var authors = context.modifying.authors
        authors.removeAll()
        return authors
      }, makeEntity: LibrarySubject.author)
  }
}
