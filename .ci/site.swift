// Writes the documentation as plain pages, with a search, that are read from a disk: without a server,
// without a network, and, except for the search, without scripts.
//
// Arguments: the folder that the documentation compiler has written, the folder of the pages, and the
// folder of the style and the search.
//
// Then checks every link between the pages: that the page and the place on it exist. Prints a line for
// each violation, and exits with 1 when there is one.
import Foundation

typealias Object = [String: Any]

func objects(_ value: Any?) -> [Object] { value as? [Object] ?? [] }

func text(_ value: Any?) -> String { value as? String ?? "" }

func escape(_ text: String) -> String {
  text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
    .replacingOccurrences(of: ">", with: "&gt;").replacingOccurrences(of: "\"", with: "&quot;")
}

/// Returns the text of rendered elements, for the search.
func plain(_ html: String) -> String {
  html.replacingOccurrences(of: "<[^>]*>", with: " ", options: .regularExpression)
    .replacingOccurrences(of: "&lt;", with: "<").replacingOccurrences(of: "&gt;", with: ">")
    .replacingOccurrences(of: "&quot;", with: "\"").replacingOccurrences(of: "&amp;", with: "&")
    .split(whereSeparator: \.isWhitespace).joined(separator: " ")
}

/// A page of the compiler's output, as elements.
struct Page {
  /// The address in the site, such as `/documentation/entia/batches`.
  let address: String
  let title: String
  let kind: String
  private let page: Object
  private let references: Object
  /// The path from the page's folder to the site's.
  let root: String
  /// What cannot be rendered.
  private(set) var unknown: [String] = []

  init(_ page: Object, address: String) {
    self.page = page
    self.address = address
    references = page["references"] as? Object ?? [:]
    let metadata = page["metadata"] as? Object ?? [:]
    title = text(metadata["title"])
    let role = text(metadata["role"])
    kind =
      ["collection": "Module", "project": "Tutorial", "overview": "Tutorials"][role]
      ?? metadata["roleHeading"] as? String ?? "Article"
    root = String(repeating: "../", count: address.split(separator: "/").count - 1)
  }

  var file: String { String(address.dropFirst()) + ".html" }
  private(set) lazy var abstract = inline(page["abstract"])

  /// The elements below the title.
  mutating func body() -> String {
    var parts = abstract.isEmpty ? [] : ["<p class=\"abstract\">\(abstract)</p>"]
    for section in objects(page["primaryContentSections"]) { parts.append(primary(section)) }
    for section in objects(page["sections"]) { parts.append(tutorial(section)) }
    for name in [
      "topicSections", "defaultImplementationsSections", "relationshipsSections", "seeAlsoSections",
    ] {
      for section in objects(page[name]) { parts.append(list(section)) }
    }
    return parts.joined(separator: "\n")
  }

  private mutating func primary(_ section: Object) -> String {
    switch text(section["kind"]) {
    case "declarations":
      let lines = objects(section["declarations"]).map { declaration in
        objects(declaration["tokens"]).map { token in
          let word = escape(text(token["text"]))
          return token["identifier"].map { link(text($0), word) } ?? word
        }.joined()
      }
      return "<pre class=\"declaration\"><code>\(lines.joined(separator: "\n"))</code></pre>"
    case "parameters":
      let items = objects(section["parameters"]).map { parameter in
        "<dt><code>\(escape(text(parameter["name"])))</code></dt>"
          + "<dd>\(blocks(parameter["content"]))</dd>"
      }
      return "<h2>Parameters</h2>\n<dl>\(items.joined())</dl>"
    case "content": return blocks(section["content"])
    case "mentions": return ""
    default: return report("section \(text(section["kind"]))")
    }
  }

  private mutating func tutorial(_ section: Object) -> String {
    switch text(section["kind"]) {
    case "hero": return blocks(section["content"])
    case "tasks": return objects(section["tasks"]).map { task($0) }.joined(separator: "\n")
    case "volume":
      return objects(section["chapters"]).map { chapter in
        let links = (chapter["tutorials"] as? [String] ?? []).map { "<li>\(link($0))</li>" }
        return "<h2>\(escape(text(chapter["name"])))</h2>\n\(image(text(chapter["image"])))"
          + "\(blocks(chapter["content"]))<ul>\(links.joined())</ul>"
      }.joined(separator: "\n")
    case "callToAction":
      let next = text((section["action"] as? Object)?["identifier"])
      return "<h2>Next</h2>\n<p>\(link(next)): \(inline(section["abstract"]))</p>"
    default: return report("section \(text(section["kind"]))")
    }
  }

  /// A section of a tutorial: each step with the whole file that it shows.
  private mutating func task(_ task: Object) -> String {
    var parts = ["<h2 id=\"\(escape(text(task["anchor"])))\">\(escape(text(task["title"])))</h2>"]
    for section in objects(task["contentSection"]) { parts.append(blocks(section["content"])) }
    for step in objects(task["stepsSection"]) {
      parts.append("<div class=\"step\">\(blocks(step["content"]))\(blocks(step["caption"]))")
      if let file = references[text(step["code"])] as? Object {
        let lines = (file["content"] as? [String] ?? []).joined(separator: "\n")
        parts.append("<p class=\"file\">\(escape(text(file["fileName"])))</p>")
        parts.append("<pre><code>\(escape(lines))</code></pre>")
      }
      parts.append("</div>")
    }
    return parts.joined(separator: "\n")
  }

  /// A list of links, such as a topic.
  private mutating func list(_ section: Object) -> String {
    let items = (section["identifiers"] as? [String] ?? []).map { identifier -> String in
      let target = references[identifier] as? Object ?? [:]
      let abstract = inline(target["abstract"])
      return "<li>\(link(identifier))\(abstract.isEmpty ? "" : ": \(abstract)")</li>"
    }
    return items.isEmpty
      ? "" : "<h2>\(escape(text(section["title"])))</h2>\n<ul>\(items.joined(separator: "\n"))</ul>"
  }

  private mutating func blocks(_ value: Any?) -> String {
    objects(value).map { block($0) }.joined(separator: "\n")
  }

  private mutating func block(_ block: Object) -> String {
    switch text(block["type"]) {
    case "paragraph": return "<p>\(inline(block["inlineContent"]))</p>"
    case "heading":
      let level = block["level"] as? Int ?? 2
      let anchor = escape(text(block["anchor"]))
      return "<h\(level) id=\"\(anchor)\">\(escape(text(block["text"])))</h\(level)>"
    case "codeListing":
      let lines = (block["code"] as? [String] ?? []).joined(separator: "\n")
      return "<pre><code>\(escape(lines))</code></pre>"
    case "aside":
      let name = block["name"] as? String ?? text(block["style"]).capitalized
      return
        "<div class=\"aside\"><strong>\(escape(name))</strong>\(blocks(block["content"]))</div>"
    case "unorderedList": return "<ul>\(items(block))</ul>"
    case "orderedList": return "<ol>\(items(block))</ol>"
    case "table":
      let rows = block["rows"] as? [[[Object]]] ?? []
      let lines = rows.enumerated().map { number, row in
        let cell = number == 0 ? "th" : "td"
        return "<tr>\(row.map { "<\(cell)>\(blocks($0))</\(cell)>" }.joined())</tr>"
      }
      return "<table>\(lines.joined(separator: "\n"))</table>"
    default: return report("block \(text(block["type"]))")
    }
  }

  private mutating func items(_ list: Object) -> String {
    objects(list["items"]).map { "<li>\(blocks($0["content"]))</li>" }.joined(separator: "\n")
  }

  private mutating func inline(_ value: Any?) -> String {
    objects(value).map { item in
      switch text(item["type"]) {
      case "text": return escape(text(item["text"]))
      case "codeVoice": return "<code>\(escape(text(item["code"])))</code>"
      case "emphasis": return "<em>\(inline(item["inlineContent"]))</em>"
      case "strong": return "<strong>\(inline(item["inlineContent"]))</strong>"
      case "reference":
        let own = inline(item["overridingTitleInlineContent"])
        return link(text(item["identifier"]), own.isEmpty ? nil : own)
      case "image": return image(text(item["identifier"]))
      default: return report("element \(text(item["type"]))")
      }
    }.joined()
  }

  private mutating func link(_ identifier: String, _ own: String? = nil) -> String {
    guard let target = references[identifier] as? Object else {
      return own ?? report("reference \(identifier)")
    }
    let isSymbol = text(target["kind"]) == "symbol" && text(target["role"]) == "symbol"
    let name = escape(text(target["title"]))
    let label = own ?? (isSymbol ? "<code>\(name)</code>" : name)
    let url = text(target["url"])
    if url.isEmpty { return label }
    return "<a href=\"\(escape(url.hasPrefix("/") ? relative(url) : url))\">\(label)</a>"
  }

  private mutating func image(_ identifier: String) -> String {
    guard let target = references[identifier] as? Object,
      let url = objects(target["variants"]).first?["url"]
    else { return identifier.isEmpty ? "" : report("image \(identifier)") }
    return "<img src=\"\(root)\(escape(String(text(url).dropFirst())))\" "
      + "alt=\"\(escape(text(target["alt"])))\">"
  }

  /// Returns the address of another page as seen from this one.
  private func relative(_ address: String) -> String {
    let parts = address.dropFirst().split(separator: "#", maxSplits: 1)
    let path =
      (parts.first.map(String.init) ?? "")
      .addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? ""
    return "\(root)\(path).html\(parts.count == 2 ? "#\(parts[1])" : "")"
  }

  private mutating func report(_ what: String) -> String {
    unknown.append("\(address): \(what) cannot be written")
    return ""
  }

  /// The links to the pages above this one. A chapter of the tutorials has none.
  mutating func above(existing: Set<String>) -> String {
    let paths = (page["hierarchy"] as? Object)?["paths"] as? [[String]] ?? []
    return (paths.first ?? []).filter { identifier in
      existing.contains(text((references[identifier] as? Object)?["url"]))
    }.map { link($0) }.joined(separator: " › ")
  }
}

func document(title: String, root: String, above: String, body: String) -> String {
  """
  <!doctype html>
  <html lang="en">
  <head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width,initial-scale=1">
  <title>\(escape(title))</title>
  <link rel="stylesheet" href="\(root)style.css">
  </head>
  <body>
  <header>
  <a href="\(root)documentation/entia.html">Entia</a>
  <form action="\(root)search.html"><input name="q" type="search" placeholder="Search" \
  aria-label="Search"></form>
  </header>
  <main>
  <nav>\(above)</nav>
  \(body)
  </main>
  </body>
  </html>

  """
}

/// Returns the values of an attribute in a page.
func values(of attribute: String, in html: String) -> [String] {
  html.components(separatedBy: " \(attribute)=\"").dropFirst().compactMap {
    $0.split(separator: "\"", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init)
  }
}

/// Returns a line for each link that leads nowhere.
func brokenLinks(in pages: [String: String]) -> [String] {
  let anchors = pages.mapValues { Set(values(of: "id", in: $0)) }
  return pages.keys.sorted().flatMap { file -> [String] in
    values(of: "href", in: pages[file, default: ""]).compactMap { link in
      if link.hasPrefix("https://") {
        return URL(string: link)?.host == nil ? "\(file): \(link) is no address" : nil
      }
      let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      var folders = file.split(separator: "/").dropLast()
      for part in parts[0].split(separator: "/") {
        if part == ".." { folders = folders.dropLast() } else { folders.append(part) }
      }
      let target = folders.joined(separator: "/").removingPercentEncoding ?? ""
      if target == "style.css" || target == "search.html" { return nil }
      guard let places = anchors[target] else { return "\(file): there is no page \(link)" }
      return parts.count < 2 || places.contains(String(parts[1]))
        ? nil : "\(file): there is no place \(link)"
    }
  }
}

func run() throws -> [String] {
  let arguments = CommandLine.arguments.dropFirst().map { URL(fileURLWithPath: $0) }
  guard arguments.count == 3 else { return ["usage: site ARCHIVE SITE ASSETS"] }
  let (archive, site, assets) = (arguments[0], arguments[1], arguments[2])
  let files = FileManager.default
  let data = archive.appendingPathComponent("data").path
  let names = (files.enumerator(atPath: data)?.compactMap { $0 as? String } ?? [])
    .filter { $0.hasSuffix(".json") }.sorted()
  let addresses = Set(names.map { "/\($0.dropLast(5))" })
  var found: [String] = []
  var pages: [String: String] = [:]
  var index: [[String]] = []
  for name in names {
    let content = try Data(contentsOf: URL(fileURLWithPath: "\(data)/\(name)"))
    guard let object = try JSONSerialization.jsonObject(with: content) as? Object else { continue }
    var page = Page(object, address: "/\(name.dropLast(5))")
    let body = page.body()
    let above = page.above(existing: addresses)
    let head = "<p class=\"kind\">\(page.kind)</p>\n<h1>\(escape(page.title))</h1>\n"
    pages[page.file] = document(
      title: page.title, root: page.root, above: above, body: head + body)
    let isGuide = ["Article", "Tutorial", "Module"].contains(page.kind)
    let place = "\(page.kind) \(above.isEmpty ? "" : "of \(plain(above))")"
    index.append([page.file, page.title, place, plain(page.abstract), isGuide ? plain(body) : ""])
    found += page.unknown
  }
  pages["search.html"] = document(
    title: "Search", root: "", above: "",
    body: """
      <h1>Search</h1>
      <ol id="found"></ol>
      <script src="index.js"></script>
      <script src="search.js"></script>
      """)
  for (file, html) in pages {
    let url = site.appendingPathComponent(file)
    try files.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try html.write(to: url, atomically: false, encoding: .utf8)
  }
  let list = try JSONSerialization.data(withJSONObject: index, options: [.withoutEscapingSlashes])
  try (Data("const pages = ".utf8) + list + Data(";\n".utf8))
    .write(to: site.appendingPathComponent("index.js"))
  for name in ["style.css", "search.js", "index.html"] {
    try files.copyItem(
      at: assets.appendingPathComponent(name), to: site.appendingPathComponent(name))
  }
  let images = archive.appendingPathComponent("images")
  if files.fileExists(atPath: images.path) {
    try files.copyItem(at: images, to: site.appendingPathComponent("images"))
  }
  print("\(pages.count) pages in \(site.path)")
  return found + brokenLinks(in: pages)
}

let found = try run()
for line in found { print(line) }
exit(found.isEmpty ? 0 : 1)
