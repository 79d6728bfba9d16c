// Checks what the documentation compiler does not check, in the site that it has written:
//
// - Every public symbol at the top of a module is curated into a topic.
// - The error catalogue names every public error, and every case of it.
//
// Arguments: the folder of the symbol graphs, the folder of the site, and the modules.
//
// Prints a line for each violation, and exits with 1 when there is one.
import Foundation

struct Graph: Decodable {
  struct Symbol: Decodable {
    struct Identifier: Decodable { let precise: String }
    struct Kind: Decodable { let identifier: String }
    let identifier: Identifier
    let kind: Kind
    let pathComponents: [String]
  }
  struct Relationship: Decodable {
    let kind: String
    let source: String
    let target: String
  }
  let symbols: [Symbol]
  let relationships: [Relationship]
}

struct Page: Decodable {
  struct Section: Decodable {
    let title: String?
    let identifiers: [String]
    let generated: Bool?
  }
  let topicSections: [Section]?
}

func decode<Value: Decodable>(_ type: Value.Type, at path: String) throws -> Value {
  try JSONDecoder().decode(type, from: Data(contentsOf: URL(fileURLWithPath: path)))
}

/// Returns a line for each symbol that the documentation compiler had to put into a topic.
func uncurated(in module: String, site: String) throws -> [String] {
  let page = try decode(Page.self, at: "\(site)/data/documentation/\(module.lowercased()).json")
  return (page.topicSections ?? [])
    .filter { $0.generated == true && $0.title != "Extended Modules" }
    .flatMap(\.identifiers)
    .map { "\(module).docc: \($0.split(separator: "/").last ?? "") is in no topic" }
}

/// Returns the links to the public errors of a module and to their cases.
func errorLinks(of module: String, graphs: String) throws -> [String] {
  let graph = try decode(Graph.self, at: "\(graphs)/\(module).symbols.json")
  let errors = Set(
    graph.relationships.filter { $0.kind == "conformsTo" && $0.target == "s:s5ErrorP" }
      .map(\.source))
  let paths = Dictionary(
    graph.symbols.map { ($0.identifier.precise, $0.pathComponents) }, uniquingKeysWith: { $1 })
  let cases = graph.symbols.filter { $0.kind.identifier == "swift.enum.case" }
  return errors.compactMap { paths[$0] }.flatMap { path -> [String] in
    let own = cases.map(\.pathComponents).filter { Array($0.dropLast()) == path }
    let links = own.isEmpty ? [path] : own
    return links.map { ([module] + $0).joined(separator: "/") }
  }.sorted()
}

let arguments = CommandLine.arguments
guard arguments.count > 3 else {
  print("usage: docs GRAPHS SITE MODULE…")
  exit(64)
}
let (graphs, site, modules) = (arguments[1], arguments[2], Array(arguments[3...]))
let cataloguePath = "Sources/Library/Entia/Entia.docc/Reference/ErrorCatalogue.md"
let catalogue = try String(contentsOfFile: cataloguePath, encoding: .utf8)
var found: [String] = []
for module in modules {
  found += try uncurated(in: module, site: site)
  found += try errorLinks(of: module, graphs: graphs)
    .filter { !catalogue.contains("``\($0)``") }
    .map { "\(cataloguePath): ``\($0)`` is missing" }
}
print(found.isEmpty ? "\(modules.count) modules, nothing found" : found.joined(separator: "\n"))
exit(found.isEmpty ? 0 : 1)
