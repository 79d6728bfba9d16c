// Checks the links of the Markdown pages: a relative one leads to a file or a folder that exists and,
// with a fragment, to a heading of it; another one has the form of an address. No network is used.
//
// Arguments: the paths of the pages. Prints a line for each violation, and exits with 1 when there is
// one.
import Foundation

/// Returns the lines of a page that are neither code nor comments, with their numbers.
func prose(of text: String) -> [(number: Int, text: Substring)] {
  var isFenced = false
  var isComment = false
  var result: [(Int, Substring)] = []
  for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
    if line.hasPrefix("```") { isFenced.toggle() }
    if line.hasPrefix("<!--") { isComment = true }
    if !isFenced, !isComment { result.append((number + 1, line)) }
    if line.hasSuffix("-->") { isComment = false }
  }
  return result
}

/// Returns a line of Markdown without what is between backticks.
func withoutCode(_ line: Substring) -> String {
  line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
    .map { $0 % 2 == 0 ? String($1) : "`" }.joined()
}

/// Returns the fragments of the headings of a page, as sites of repositories make them.
func fragments(of text: String) -> Set<String> {
  Set(
    prose(of: text).filter { $0.text.hasPrefix("#") }.map { line in
      line.text.drop { $0 == "#" }.drop { $0 == " " }.lowercased()
        .filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
        .replacingOccurrences(of: " ", with: "-")
    })
}

/// Returns the reason why a link of a page leads nowhere, or `nil`.
func mistake(in link: String, of page: String) throws -> String? {
  if link.contains(":") {
    guard let address = URLComponents(string: link), address.scheme == "https",
      address.host?.contains(".") == true
    else { return "is no address" }
    return nil
  }
  let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
  let folder = URL(fileURLWithPath: page).deletingLastPathComponent()
  let target = parts[0].isEmpty ? page : folder.appendingPathComponent(String(parts[0])).path
  guard FileManager.default.fileExists(atPath: target) else { return "leads to no file" }
  guard parts.count == 2 else { return nil }
  let text = try String(contentsOfFile: target, encoding: .utf8)
  return fragments(of: text).contains(String(parts[1])) ? nil : "leads to no heading"
}

let pages = CommandLine.arguments.dropFirst()
var count = 0
var found: [String] = []
for page in pages {
  for line in prose(of: try String(contentsOfFile: page, encoding: .utf8)) {
    for match in withoutCode(line.text).matches(of: /\]\(([^)\s]+)\)/) {
      count += 1
      if let reason = try mistake(in: String(match.1), of: page) {
        found.append("\(page):\(line.number): \(match.1) \(reason)")
      }
    }
  }
}
if pages.isEmpty { found.append("usage: links PAGE…") }
print(found.isEmpty ? "\(count) links, nothing found" : found.joined(separator: "\n"))
exit(found.isEmpty ? 0 : 1)
