public import Foundation

extension StoreInspection {
  /// Returns a page that shows the store in a browser: one HTML file that loads nothing else.
  ///
  /// It has the rows of all databases in the state, with links in both directions, what deleting a
  /// row does, the schema as a diagram, orphans and the largest fan-outs, and the commits,
  /// observers and queries of this inspection. Databases are found in the stored properties of the
  /// state, and in those of structs in them. Values need not be `Codable`: their properties are
  /// read by reflection.
  ///
  /// - Returns: The page, in UTF-8.
  /// - Complexity: O(size of the state), plus sorting.
  public func page() -> [UInt8] {
    var bytes: [UInt8] = []
    content.page.write { bytes += $0 }
    return bytes
  }

  /// Writes the page to a file, or replaces the file.
  ///
  /// - Parameter url: The file.
  /// - Throws: The error of writing the file. A file that existed is then unchanged.
  /// - Complexity: O(size of the state), plus sorting.
  public func writePage(to url: URL) throws {
    try Data(page()).write(to: url, options: .atomic)
  }
}
