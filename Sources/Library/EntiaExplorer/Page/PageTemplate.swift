/// The parts of a page around its data, from the files in the folder `Web`.
enum PageTemplate {
  /// The text from the page's mark to the data.
  ///
  /// The policy allows this style and this script, and nothing else: no address, no other script
  /// and no image, whatever the data has.
  static let head = filled(0)
  /// The text after the data.
  static let end = filled(1)

  private static let script = "\"use strict\";\n(() => {\n" + WebFiles.script + "})();\n"

  private static let policy =
    "default-src 'none'; style-src '\(source(WebFiles.style))'; "
    + "script-src '\(source(script))'; base-uri 'none'; form-action 'none'"

  /// Returns the part of the HTML file before or after the data, with the texts in it.
  private static func filled(_ index: Int) -> String {
    let parts = WebFiles.html.split(separator: "$data", maxSplits: 1)
    return [("$policy", policy), ("$style", WebFiles.style), ("$script", script)]
      .reduce(String(parts[index])) { html, place in
        html.split(separator: place.0, maxSplits: 1, omittingEmptySubsequences: false)
          .joined(separator: place.1)
      }
  }

  /// Returns the name of an inline text in a policy.
  private static func source(_ text: String) -> String {
    "sha256-" + base64(SHA256.hash(Array(text.utf8)))
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0...group.count { text.append(digits[bits >> (18 - 6 * place) & 63]) }
      text += String(repeating: "=", count: 3 - group.count)
    }
    return text
  }
}
