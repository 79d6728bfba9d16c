import EntiaLaws
import EntiaRecords
import EntiaTestSupport
import Foundation
import Testing

/// Good files of every shape, damaged where it must be noticed: a failure prints its seed.
@Suite("Damaged files")
struct CorruptionTests {
  private static let graphOptions = ImportOptions(
    format: .nested, schema: RandomGraph.schema, root: "nodes")
  private static let galleryOptions = ImportOptions(
    format: .nested, schema: RandomGallery.schema, root: "albums")

  /// One shape of random rows.
  enum Shape: String, CaseIterable, CustomTestStringConvertible {
    case nested, ndjson, keyed, tables, rows, django, jsonapi, graphql, gallery, galleryLines

    var testDescription: String { rawValue }

    func text(using random: inout SeededGenerator) -> String {
      if self == .gallery { return RandomGallery(using: &random).text }
      if self == .galleryLines {
        return RandomGallery(using: &random).records.joined(separator: "\n")
      }
      let graph = RandomGraph(using: &random)
      switch self {
      case .nested: return graph.nestedArray(depth: 2)
      case .ndjson: return graph.nestedRecords(depth: 1).joined(separator: "\n")
      case .keyed:
        let nodes = graph.rows.filter { $0.entity == "nodes" }
        let members = nodes.map {
          "\"\($0.id)\":" + graph.nested($0, depth: 1, withID: false)
        }
        return "{" + members.joined(separator: ",") + "}"
      case .tables: return graph.tables(asObjects: true)
      case .rows: return graph.tables(asObjects: false)
      case .django: return graph.django
      case .jsonapi: return graph.jsonAPI
      default: return graph.graphQL
      }
    }

    var options: ImportOptions {
      var options =
        self == .gallery || self == .galleryLines
        ? CorruptionTests.galleryOptions : CorruptionTests.graphOptions
      switch self {
      case .ndjson, .galleryLines: options.format = .ndjson
      case .keyed: options.format = .keyed
      case .tables, .rows: options.format = .tables
      case .django: options.format = .django
      case .jsonapi: options.format = .jsonapi
      case .graphql: options.format = .graphql
      case .nested, .gallery: break
      }
      return options
    }
  }

  @Test(
    "damaged text has a located problem, or imports to the same database", arguments: Shape.allCases
  )
  func noticed(_ shape: Shape) throws {
    var counts = (told: 0, equal: 0)
    for seed in 0..<UInt64(scaled(22)) {
      var random = SeededGenerator(seed: seed)
      let text = shape.text(using: &random)
      let isLines = shape == .ndjson || shape == .galleryLines
      let corrupt = try CorruptText(text, isLines: isLines)
      let good = importing([text], shape.options)
      let database = try #require(good.database, "seed \(seed): \(problems(good.report))")
      let known = Set(problems(good.report))
      for _ in 0..<6 {
        guard let damage = corrupt.damaged(using: &random) else { continue }
        let source = ImportSource(name: "in.json", bytes: damage.bytes)
        let (result, report) = Importer.importing([source], into: nil, options: shape.options)
        result?.expectVerified(besidesDangling: !report.problems.isEmpty)
        let told = report.problems.filter { !known.contains($0.description) }
        let what = "seed \(seed), \(damage.what): \(told)"
        let sum = report.inserted + report.updated + report.unchanged + report.rejected
        expectEqual(report.read, sum, "\(what)")
        if told.isEmpty {
          let isEqual = result == database
          expectTrue(isEqual, "\(what)")
          counts.equal += 1
          continue
        }
        counts.told += 1
        expectTrue(told.allSatisfy { $0.path.hasPrefix("$") && $0.file == "in.json" }, "\(what)")
        expectEqual(result == nil, told.contains { $0.severity == .error }, "\(what)")
        if let path = damage.path {
          let isNear = told.contains { $0.path.hasPrefix(path) || path.hasPrefix($0.path) }
          expectTrue(isNear, "\(what)")
        }
      }
    }
    // A law that only ever sees what is equal proves nothing.
    #expect(counts.told > scaled(100))
  }
}
