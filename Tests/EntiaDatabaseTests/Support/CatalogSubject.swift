import EntiaDatabase
import EntiaLaws

/// Random edits of the catalog: every index, with keys that collide.
enum CatalogSubject: LawSubject {
  static func edit(
    _ context: inout BatchContext<Catalog>, using random: inout SeededGenerator
  ) throws {
    let number = random.number(in: 0..<6)
    let year = random.number(in: 1960..<1963)
    switch random.number(in: 0..<12) {
    case 0..<4: context.modifying.tracks.insert(track(number, &random))
    case 4: context.modifying.tracks.updateIfExists(id: .init(number)) { $0.year = year }
    case 5: context.modifying.tracks.updateIfExists(id: .init(number)) { $0.code = nil }
    case 6: context.modifying.tracks.remove(.init(number))
    case 7: context.modifying.tracks.update(where: { $0.year == year }, { $0.rating = -$0.rating })
    case 8:
      context.modifying.tracks.insert(track(number, &random), onConflict: .replace)
    case 9:
      context.modifying.tracks.insert(
        track(number, &random), onConflict: .merge { $0.title = $1.title })
    case 10: context.modifying.bands.insert(band(number, &random), onConflict: .keep)
    default: context.modifying.bands.remove(.init(number))
    }
  }

  static func track(_ id: Int, _ random: inout SeededGenerator) -> Track {
    Track(
      id: id, title: ["a", "B", "ab"][random.number(in: 0..<3)],
      year: random.number(in: 1960..<1963), rating: Double(id % 3),
      code: random.oneIn(2) ? nil : "c\(random.number(in: 0..<6))",
      bandID: .init(random.number(in: 0..<6)))
  }

  static func band(_ id: Int, _ random: inout SeededGenerator) -> Band {
    Band(id: id, email: "e\(random.number(in: 0..<6))")
  }
}
