/// Seeds of histories that once broke a law, or nearly did; every law runs them first.
enum Corpus {
  /// For the laws of tables.
  static let tables: [UInt64] = [3, 977, 65_537]
  /// For the laws of databases.
  static let storages: [UInt64] = [5, 404, 90_001]
}
