package import Foundation

extension Report {
  /// Returns the figures as JSON with sorted members. The format is described in the README of the
  /// package.
  /// - Throws: The error of the encoder.
  package func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    var data = try encoder.encode(JSONReport(self))
    data.append(UInt8(ascii: "\n"))
    return data
  }

  /// Reads a report from JSON.
  /// - Throws: `ReportError` that describes the problem of the file with this name.
  package init(json data: Data, file: String) throws {
    do {
      let version = try JSONDecoder().decode(JSONVersion.self, from: data).version
      guard JSONReport.readableVersions.contains(version) else {
        throw ReportError(
          "\(file) is a report of version \(version); this program reads versions "
            + "\(JSONReport.readableVersions.lowerBound) to \(JSONReport.readableVersions.upperBound)"
        )
      }
      self = try JSONDecoder().decode(JSONReport.self, from: data).report
    } catch let error as DecodingError {
      throw ReportError("\(file) is no report of this program: \(error.reason)")
    }
  }
}

/// The reason why a file cannot be used.
package struct ReportError: Error, Equatable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}

extension DecodingError {
  fileprivate var reason: String {
    switch self {
    case .keyNotFound(let key, let context): "no “\(key.stringValue)”\(Self.place(context))"
    case .typeMismatch(_, let context), .valueNotFound(_, let context):
      "something else was expected\(Self.place(context))"
    case .dataCorrupted(let context):
      context.codingPath.isEmpty ? "it is no JSON" : "a bad value\(Self.place(context))"
    @unknown default: "it cannot be read"
    }
  }

  private static func place(_ context: Context) -> String {
    if context.codingPath.isEmpty { return " at the top" }
    return " at "
      + context.codingPath.map { $0.intValue.map(String.init) ?? $0.stringValue }
      .joined(separator: ".")
  }
}
