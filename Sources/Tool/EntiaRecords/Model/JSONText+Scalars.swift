import EntiaCoding

extension JSONText {
  /// Whether the value is a number or a string.
  var isKey: Bool {
    guard let first = text.utf8.first else { return false }
    return Byte.isDigit(first) || first == Byte.minus || first == Byte.quote
  }

  /// The value as an ID if it is a number or a string, otherwise nil.
  var key: RecordKey? {
    guard let first = text.utf8.first else { return nil }
    if Byte.isDigit(first) || first == Byte.minus { return .number(JSONNumber(checked: text)) }
    return string.map(RecordKey.string)
  }

  /// The content of the string if the value is a string, otherwise nil.
  package var string: String? {
    guard text.utf8.first == Byte.quote else { return nil }
    return JSONReader.reading(Array(text.utf8)) { reader -> String? in
      do {
        return try reader.next() == .string ? reader.string() : nil
      } catch {
        return nil
      }
    }
  }

  /// The elements as IDs if the value is an array of numbers and strings, otherwise nil.
  var keys: [RecordKey]? {
    guard text.utf8.first == Byte.openBracket else { return nil }
    return JSONReader.reading(Array(text.utf8)) { reader -> [RecordKey]? in
      var keys: [RecordKey] = []
      do {
        _ = try reader.next()
        while true {
          switch try reader.next() {
          case .number: keys.append(.number(reader.number()))
          case .string: keys.append(.string(reader.string()))
          case .endArray: return keys
          default: return nil
          }
        }
      } catch {
        return nil
      }
    }
  }

  /// The name of the value's kind in messages, such as "an object".
  var kindDescription: String {
    switch text.utf8.first {
    case UInt8(ascii: "n"): JSONToken.null.kindDescription
    case UInt8(ascii: "t"), UInt8(ascii: "f"): JSONToken.true.kindDescription
    case Byte.quote: JSONToken.string.kindDescription
    case Byte.openBracket: JSONToken.beginArray.kindDescription
    case Byte.openBrace: JSONToken.beginObject.kindDescription
    default: JSONToken.number.kindDescription
    }
  }
}
