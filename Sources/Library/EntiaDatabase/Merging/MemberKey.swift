/// A coding key of any name or position.
struct MemberKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ position: Int) { (stringValue, intValue) = ("Index \(position)", position) }
  init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
  init(intValue: Int) { self.init(intValue) }
}
