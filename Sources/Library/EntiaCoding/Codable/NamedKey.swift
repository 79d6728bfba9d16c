/// A coding key with any name or index.
package struct NamedKey: CodingKey {
  package let stringValue: String
  package let intValue: Int?

  /// Creates the key of a member.
  package init(_ name: String) { (stringValue, intValue) = (name, nil) }

  /// Creates the key of an element.
  package init(_ index: Int) { (stringValue, intValue) = ("Index \(index)", index) }

  package init(stringValue: String) { self.init(stringValue) }
  package init(intValue: Int) { self.init(intValue) }
}
