import EntiaDatabase
import EntiaLaws
import EntiaTestDomains
import Testing

@testable import EntiaSQLite

@Suite("Law 35 of rows with generated code")
struct GeneratedRowLawTests {
  /// A version with random samples in both forms.
  private struct Versions {
    var codable = Samples<CodableSample>()
    var generated = Samples<GeneratedSample>()

    mutating func change(_ random: inout SeededGenerator) {
      for _ in 0..<random.number(in: 1..<4) {
        let id = "s\(random.number(in: 0..<5))"
        if random.oneIn(4) {
          codable.performBatchUpdates { $0.modifying.samples.remove(.init(id)) }
          generated.performBatchUpdates { $0.modifying.samples.remove(.init(id)) }
        } else {
          let members = SampleMembers(id: id, &random)
          codable.performBatchUpdates { $0.modifying.samples.insert(CodableSample(members)) }
          generated.performBatchUpdates { $0.modifying.samples.insert(GeneratedSample(members)) }
        }
      }
    }
  }

  /// Returns the dump of a file to which the rows of another file were copied.
  private func copy<Row: SampleRow>(_ path: String, as row: Row.Type) throws -> [String] {
    let file = try DatabaseFile<Samples<Row>>(path: path)
    let copy = try DatabaseFile<Samples<Row>>.inMemory()
    try copy.save(try file.load())
    return try copy.dump()
  }

  @Test(
    """
    A file has the columns and bytes of a file of Codable rows after every step, and each form \
    loads the files of the other
    """, arguments: LawRuns(count: 3).seeds)
  func sameFiles(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var versions = Versions()
    let codableFile = try DatabaseFile<Samples<CodableSample>>.inMemory()
    let generatedFile = try DatabaseFile<Samples<GeneratedSample>>.inMemory()
    let folder = try TemporaryFolder()
    for step in 0..<20 {
      versions.change(&random)
      try codableFile.save(versions.codable)
      try generatedFile.save(versions.generated)
      try #require(
        try generatedFile.dump() == codableFile.dump(), "seed \(seed), step \(step)")
      try #require(try generatedFile.read() == versions.generated, "seed \(seed), step \(step)")
      if random.oneIn(2) { continue }
      // Files that were written at once, of which each form reads those of the other.
      let codablePath = folder.file("codable\(step)")
      let generatedPath = folder.file("generated\(step)")
      try codableFile.backup(to: codablePath)
      try generatedFile.backup(to: generatedPath)
      let expected = try copy(codablePath, as: CodableSample.self)
      for path in [codablePath, generatedPath] {
        try #require(try copy(path, as: GeneratedSample.self) == expected)
      }
      try #require(try copy(generatedPath, as: CodableSample.self) == expected)
    }
  }
}

@Suite("Rows that encode themselves by hand, as columns")
struct CodedRowTests {
  @Test("Every way to encode a member is read as it was written")
  func allWays() throws {
    for id in 0..<400 { try checkStoredRow(CodedRow(id: id)) }
  }
}
