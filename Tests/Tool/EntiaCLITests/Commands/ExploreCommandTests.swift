import EntiaTestSupport
import Foundation
import Testing

@Suite("entia explore")
struct ExploreCommandTests {
  private let folder: TemporaryFolder
  private let blog = Repository.root.appending(path: "Fixtures/blog/expected.json")

  init() throws { folder = try TemporaryFolder() }

  private func copyBlog(to name: String) throws -> String {
    try folder.write(String(contentsOf: blog, encoding: .utf8), to: name)
  }

  @Test(
    "The page is written next to the database, with its name",
    arguments: [
      ("blog.json", "blog.html"), ("blog", "blog.html"), ("my.blog.json", "my.blog.html"),
      (".blog", ".blog.html"),
    ])
  func name(database: String, page: String) throws {
    let path = try copyBlog(to: database)
    let outcome = try EntiaProcess.run(["explore", path])
    expectEqual(outcome.exitCode, 0, "\(outcome.errorText)")
    expectEqual(outcome.outputText, "wrote '\(folder.path(page))'\n")
    try expectEqual(folder.names(), [database, page].sorted())
    // The same bytes again, over the first page.
    let first = try folder.text(of: page)
    try expectEqual(EntiaProcess.run(["explore", path]).exitCode, 0)
    try expectEqual(folder.text(of: page), first)
    expectTrue(first.contains("<title>entia explore</title>"))
  }

  @Test("The page of a difference has the newer name")
  func difference() throws {
    let (old, new) = (try copyBlog(to: "old.json"), try copyBlog(to: "new.json"))
    let outcome = try EntiaProcess.run(["explore", old, new])
    expectEqual(outcome.outputText, "wrote '\(folder.path("new.changes.html"))'\n")
    try expectTrue(
      folder.text(of: "new.changes.html").contains("\"difference\":{\"old\":\"old.json\""))
  }

  @Test("Another file with the name of the page is kept, unless -o names it")
  func existing() throws {
    let path = try copyBlog(to: "blog.json")
    let page = try folder.write("<p>My notes.</p>", to: "blog.html")
    let refused = try EntiaProcess.run(["explore", path])
    expectEqual(refused.exitCode, 73)
    expectEqual(
      refused.errorText,
      "entia explore: '\(page)' exists and is not a page of entia explore; name another file with -o\n"
    )
    try expectEqual(folder.text(of: "blog.html"), "<p>My notes.</p>")
    try expectEqual(EntiaProcess.run(["explore", path, "-o", page]).exitCode, 0)
    try expectTrue(folder.text(of: "blog.html").hasPrefix("<!doctype html>"))
  }

  @Test("Standard input and standard output, which have no names")
  func streams() throws {
    let data = try Data(contentsOf: blog)
    let unnamed = try EntiaProcess.run(["explore", "-"], input: data)
    expectEqual(unnamed.exitCode, 64)
    expectEqual(
      unnamed.errorText,
      "entia explore: standard input has no name; name the page with -o PAGE.html\n")
    let page = try EntiaProcess.run(["explore", "-", "-o", "-"], input: data)
    expectEqual(page.exitCode, 0)
    expectTrue(page.outputText.hasPrefix("<!doctype html>"))
    expectTrue(page.outputText.hasSuffix("</html>\n"))
    let opened = try EntiaProcess.run(["explore", "-", "-o", "-", "--open"], input: data)
    expectEqual(opened.exitCode, 64)
    expectEqual(opened.errorText, "entia explore: --open needs a file; name it with -o PAGE.html\n")
  }

  @Test("An input is never overwritten, and invalid inputs leave no page")
  func inputs() throws {
    let path = try copyBlog(to: "blog.html")
    let same = try EntiaProcess.run(["explore", path])
    expectEqual(same.exitCode, 73)
    try expectEqual(EntiaProcess.run(["explore", path, "-o", path]).exitCode, 64)
    try expectTrue(folder.text(of: "blog.html").hasPrefix("{"))
    let page = folder.path("page.html")
    try expectEqual(EntiaProcess.run("explore nosuch.json -o \(page)").exitCode, 66)
    try expectEqual(EntiaProcess.run("explore Fixtures/bad/empty.json -o \(page)").exitCode, 65)
    let nested = try EntiaProcess.run("explore Fixtures/blog/posts.json -o \(page)")
    expectEqual(nested.exitCode, 64)
    expectTrue(nested.errorText.contains("needs --root, and --schema or --id"))
    try expectEqual(folder.names(), ["blog.html"])
    let schema = "--schema Fixtures/blog/schema.json --root posts"
    let read = try EntiaProcess.run("explore Fixtures/blog/posts.json \(schema) -o \(page)")
    expectEqual(read.exitCode, 0, "\(read.errorText)")
  }

  @Test("--open runs the system's program, and its failure is reported")
  func open() throws {
    #if os(macOS)
      let program = "open"
    #else
      let program = "xdg-open"
    #endif
    _ = try copyBlog(to: "-blog.json")
    let script = try folder.write("#!/bin/sh\nprintf '%s' \"$1\" >opened\n", to: program)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    let line = "explore ./-blog.json --open -o -blog.html"
    let opened = try EntiaProcess.shell("PATH=.:$PATH; entia \(line)", in: folder)
    expectEqual(opened.exitCode, 64, "a value that begins with a dash needs =")
    let attached = "explore ./-blog.json --open -o=-blog.html"
    let found = try EntiaProcess.shell("PATH=.:$PATH; entia \(attached)", in: folder)
    expectEqual(found.exitCode, 0, "\(found.errorText)")
    try expectEqual(folder.text(of: "opened"), "./-blog.html")
    let failing = try folder.write("#!/bin/sh\nexit 3\n", to: program)
    expectEqual(failing, script)
    let failed = try EntiaProcess.shell("PATH=.:$PATH; entia \(attached)", in: folder)
    expectEqual(failed.exitCode, 69)
    expectEqual(
      failed.errorText,
      "entia explore: cannot open '-blog.html': '\(program)' failed; open the file in a browser\n")
    expectEqual(failed.outputText, "wrote '-blog.html'\n")
  }

  #if ENTIA_SQLITE
    @Test("The page of a SQLite database is that of its JSON")
    func sqlite() throws {
      let json = try copyBlog(to: "blog.json")
      let path = folder.path("blog.sqlite")
      try expectEqual(EntiaProcess.run(["export", json, "-o", path]).exitCode, 0)
      try expectEqual(EntiaProcess.run(["explore", json]).exitCode, 0)
      let page = try folder.text(of: "blog.html")
      // Of the same name, and written by the tool: it is replaced.
      try expectEqual(EntiaProcess.run(["explore", path]).exitCode, 0)
      let other = try folder.text(of: "blog.html")
      expectEqual(other.replacing("\"blog.sqlite\"", with: "\"blog.json\""), page)
    }
  #endif
}
