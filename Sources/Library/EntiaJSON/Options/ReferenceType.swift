import EntiaDatabase

/// The types of properties that refer to entities.
protocol ReferenceType {}

extension EntityIdentifier: ReferenceType {}
extension Optional: ReferenceType where Wrapped: ReferenceType {}
extension Array: ReferenceType where Element: ReferenceType {}
extension Set: ReferenceType where Element: ReferenceType {}
