import EntiaDatabase
import EntiaLaws

/// A rule, and limits, for the histories of a studio.
protocol StudioRules {
  static var rule: NullableDeleteRule { get }
  static var guests: CountLimits { get }
  static var related: CountLimits { get }
  static var leads: CountLimits { get }
  static var fans: CountLimits { get }
}

extension StudioRules {
  static var guests: CountLimits { .any }
  static var related: CountLimits { .any }
  static var leads: CountLimits { .any }
  static var fans: CountLimits { .any }
}

enum Cascading: StudioRules { static let rule = NullableDeleteRule.cascade }
enum Denying: StudioRules { static let rule = NullableDeleteRule.deny }
enum Dangling: StudioRules { static let rule = NullableDeleteRule.keepDangling }
enum Nullifying: StudioRules { static let rule = NullableDeleteRule.nullify }
enum Limiting: StudioRules {
  static let rule = NullableDeleteRule.nullify
  static let guests = CountLimits.between(0...2)
  static let related = CountLimits.between(1...3)
}

enum LimitingHolders: StudioRules {
  static let rule = NullableDeleteRule.nullify
  static let leads = CountLimits.atMost(1)
  static let fans = CountLimits.between(0...2)
}
enum RequiringHolders: StudioRules {
  static let rule = NullableDeleteRule.cascade
  static let leads = CountLimits.between(0...2)
  static let fans = CountLimits.atLeast(1)
}

/// Random edits of every table and every kind of key.
enum StudioSubject<Rules: StudioRules>: LawSubject {
  static func makeStorage() -> Studio {
    Studio(
      Rules.rule, guests: Rules.guests, related: Rules.related, leads: Rules.leads,
      fans: Rules.fans)
  }

  static func edit(
    _ context: inout BatchContext<Studio>, using random: inout SeededGenerator
  ) throws {
    let number = random.number(in: 0..<5)
    switch random.number(in: 0..<22) {
    case 0..<3:
      context.modifying.people.insert(Person(id: "p\(number)", name: "\(random.number(in: 0..<2))"))
    case 3: context.modifying.photos.insert(Photo(id: number))
    case 4: context.modifying.videos.insert(Video(id: number))
    case 5..<8: context.modifying.clips.insert(clip(number, &random))
    case 8..<11: context.modifying.teams.insert(team(number, &random))
    case 11:
      context.modifying.memberships.insert(
        Membership(
          id: number, personID: person(&random), teamID: .init(random.number(in: 0..<5)),
          position: random.number(in: 0..<3)))
    case 12..<15: context.modifying.folders.insert(folder(number, &random))
    case 15: context.modifying.people.remove(.init("p\(number)"))
    case 16: context.modifying.photos.remove(.init(number))
    case 17: context.modifying.videos.remove(.init(number))
    case 18: context.modifying.clips.remove(.init(number))
    case 19: context.modifying.teams.remove(.init(number))
    case 20:
      let guest = person(&random)
      context.modifying.teams.updateIfExists(id: .init(number)) {
        if random.oneIn(2) {
          $0.guestIDs = ($0.guestIDs ?? []) + [guest]
        } else {
          $0.roles[guest] = "\(random.number(in: 0..<2))"
        }
      }
    default: context.modifying.folders.remove(.init(number))
    }
  }

  private static func person(_ random: inout SeededGenerator) -> Person.EntityID {
    "p\(random.number(in: 0..<5))"
  }

  private static func people(_ random: inout SeededGenerator) -> [Person.EntityID] {
    (0..<random.number(in: 0..<3)).map { _ in person(&random) }
  }

  private static func attachment(_ random: inout SeededGenerator) -> Attachment {
    switch random.number(in: 0..<3) {
    case 0: .photo(.init(random.number(in: 0..<5)))
    case 1: .video(.init(random.number(in: 0..<5)))
    default: .text("t")
    }
  }

  private static func clip(_ number: Int, _ random: inout SeededGenerator) -> Clip {
    Clip(
      id: number, cover: random.oneIn(3) ? nil : attachment(&random), main: attachment(&random),
      gallery: (0..<random.number(in: 0..<4)).map { _ in attachment(&random) })
  }

  private static func team(_ number: Int, _ random: inout SeededGenerator) -> Team {
    Team(
      id: number, leadID: random.oneIn(2) ? nil : person(&random),
      deputyID: random.oneIn(2) ? nil : person(&random),
      guestIDs: random.oneIn(3) ? nil : people(&random), fanIDs: Set(people(&random)),
      roles: Dictionary(people(&random).map { ($0, "") }, uniquingKeysWith: { $1 }))
  }

  private static func folder(_ number: Int, _ random: inout SeededGenerator) -> Folder {
    Folder(
      id: number, parentID: random.oneIn(2) ? nil : .init(random.number(in: 0..<5)),
      relatedIDs: (0..<random.number(in: 1..<4)).map { _ in .init(random.number(in: 0..<5)) })
  }
}
