/// The script of a page: plain functions, in the order in which they use each other.
enum PageScript {
  /// The whole script.
  static let text =
    "\"use strict\";\n(() => {\n"
    + [
      data, values, links, deleting, places, list, detail, diagram, facts, changes, store, start,
      check,
    ]
    .joined(separator: "\n") + "\n})();\n"
}
