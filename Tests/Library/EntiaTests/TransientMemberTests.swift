public import Entia
import EntiaTestSupport
import Foundation
import Testing

struct Scene: EntityType, Identifiable, Codable, Hashable {
  let id: String
  var title: String
  @Transient var isExpanded = false
  @Transient var preview: [String]?
}

@NormalizedStorage
struct Play: Codable {
  @Table var scenes: Tables.Hash<Scene> = .init()
}

/// In a library, with values of its own.
public struct PublicScene: EntityType, Identifiable, Codable, Hashable {
  /// Its number.
  public let id: Int
  /// Some numbers.
  @Transient public var `default`: Set<Int> = [1, 2]
  @Transient private(set) var ratio = -1.5

  /// Creates a scene.
  public init(id: Int) { self.id = id }

  mutating func double() { ratio *= 2 }
}

/// A global with the name of a generated property.
private let value = 7

/// Transient members with declared values that name other declarations, before members without a
/// declared value.
@Entity
private struct Panel {
  static let width = 5
  @Transient var count: Int = value
  @Transient var width: Int = Self.width
  @Transient var total: Int = width + value
  @Transient var line: Int = #line
  #if compiler(>=6.2)
    @Transient var `1st` = 3
  #endif
  @Transient var owner: Int?
  let id: Int
  var x: Int
}

@Entity(id: "a", "b")
private struct Cell {
  @Transient var isOn = false
  let a: Int
  let b: Int
}

@Suite("Transient members, as a user writes them")
struct TransientMemberTests {
  @Test("The synthesized conformances compare them, and do not encode them")
  func conformances() throws {
    let scene = Scene(id: "1", title: "a", isExpanded: true)
    var other = scene
    expectTrue(scene == other && scene.hashValue == other.hashValue)
    other.isExpanded = false
    other.preview = ["p"]
    expectTrue(scene != other)
    expectTrue(scene.isExpanded && !other.isExpanded && other.preview == ["p"])
    let data = try JSONEncoder().encode(other)
    let text = String(decoding: data, as: UTF8.self)
    expectTrue(!text.contains("xpanded") && !text.contains("review"))
    let decoded = try JSONDecoder().decode(Scene.self, from: data)
    expectEqual(decoded, Scene(id: "1", title: "a"))
    expectTrue(!decoded.isExpanded && decoded.preview == nil)
    var inLibrary = PublicScene(id: 1)
    inLibrary.default.insert(3)
    inLibrary.double()
    expectTrue(inLibrary != PublicScene(id: 1))
    expectTrue(inLibrary.default == [1, 2, 3] && inLibrary.ratio == -3)
  }

  @Test("A write is a change like any other")
  func write() {
    var play = Play()
    play.performBatchUpdates { $0.modifying.scenes.insert(Scene(id: "1", title: "a")) }
    let before = play
    play.performBatchUpdates { $0.modifying.scenes["1"]?.isExpanded = true }
    expectEqual(play.scenes["1"]?.isExpanded, true)
    expectEqual(before.scenes["1"]?.isExpanded, false)
    expectTrue(play != before)
    expectEqual(play.changes(since: before).changes(of: Scene.self).updated.map(\.new.id), ["1"])
    expectTrue(play.verify().isEmpty)
  }

  @Test("A declared value may name a global, and static members of the entity")
  func declaredValues() throws {
    let panel = try JSONDecoder().decode(Panel.self, from: Data(#"{"id":1,"x":2}"#.utf8))
    expectEqual(panel, Panel(id: 1, x: 2))
    expectTrue(panel.count == 7 && panel.width == 5 && panel.total == 12 && panel.owner == nil)
    expectEqual(panel.line, 43)
    #if compiler(>=6.2)
      expectEqual(panel.`1st`, 3)
    #endif
  }

  @Test("Transient members before others are merged")
  func merging() {
    func cell(_ isOn: Bool) -> Cell { Cell(isOn: isOn, a: 1, b: 2) }
    var merger = RowMerger()
    let merged = Cell(merging: cell(false), with: cell(true), base: cell(false), by: &merger)
    expectTrue(merged.isOn && merger.conflicts.isEmpty)
  }
}
