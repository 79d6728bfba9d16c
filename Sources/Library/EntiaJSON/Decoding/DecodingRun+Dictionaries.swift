import EntiaCoding
import EntiaDatabase
import Foundation

extension DecodingRun {
  /// Returns a dictionary. Its keys are data, and are read as they are.
  func dictionary<T: Decodable>(_ type: T.Type, _ node: Int) throws -> T {
    let before = openDictionary
    openDictionary = node
    defer { openDictionary = before }
    do {
      return try T(from: SourceDecoder(self, node))
    } catch DecodingError.dataCorrupted(let context) {
      if let type = type as? any KeyedByIDs.Type {
        for member in members(of: node) {
          guard let problem = type.problem(withKey: text(member)) else { continue }
          throw corrupted(member + 1, problem)
        }
      }
      throw DecodingError.dataCorrupted(context)
    }
  }
}

/// A dictionary with IDs as keys.
private protocol KeyedByIDs {
  /// Returns a description of the reason why a text is not a key; `nil` if it is one.
  static func problem(withKey text: String) -> String?
}

extension Dictionary: KeyedByIDs where Key: KeyOfEntity {
  fileprivate static func problem(withKey text: String) -> String? { Key.problem(withKey: text) }
}

private protocol KeyOfEntity {
  static func problem(withKey text: String) -> String?
}

extension EntityIdentifier: KeyOfEntity {
  fileprivate static func problem(withKey text: String) -> String? {
    if Self(codingKey: NamedKey(text)) != nil { return nil }
    let problem = "the key \(text.quoted) is not an ID of \(Entity.entityName)"
    guard text.utf8.first == Byte.openBrace,
      let type = Entity.EntityIDRawType.self as? any Decodable.Type
    else { return problem }
    do {
      _ = try JSONDecoder().decode(type, from: Data(text.utf8))
    } catch DecodingError.keyNotFound(let key, _) {
      return problem + ": there is no \(key.stringValue.quoted) in it; the members of an ID in a "
        + "key have the names of its properties"
    } catch {
      // The names are not the reason.
    }
    return problem
  }
}
