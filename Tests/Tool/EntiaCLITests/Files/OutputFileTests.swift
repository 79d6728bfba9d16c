import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaCLI

@Suite("Writing files")
struct OutputFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test("A new file holds the bytes and nothing else is left in the folder")
  func newFile() throws {
    try OutputFile(name: folder.path("out.json")).write(Array("new".utf8))
    try expectEqual(folder.text(of: "out.json"), "new")
    try expectEqual(folder.names(), ["out.json"])
  }

  @Test("An old file is replaced whole and keeps its permissions")
  func oldFile() throws {
    let path = try folder.write("something longer", to: "out.json")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    try OutputFile(name: path).write(Array("new".utf8))
    try expectEqual(folder.text(of: "out.json"), "new")
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    expectEqual((attributes[.posixPermissions] as? NSNumber)?.intValue, 0o640)
    try expectEqual(folder.names(), ["out.json"])
  }

  @Test(
    "A reader of the old file still reads the old content: the file is replaced, not overwritten")
  func replacedNotOverwritten() throws {
    let path = try folder.write("old", to: "out.json")
    let handle = try #require(FileHandle(forReadingAtPath: path))
    try OutputFile(name: path).write(Array("new".utf8))
    try expectEqual(handle.readToEnd(), Data("old".utf8))
  }

  @Test("A symbolic link stays one, and what it points to is replaced")
  func symbolicLink() throws {
    let target = try folder.write("old", to: "target.json")
    let link = folder.path("link.json")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
    try OutputFile(name: link).write(Array("new".utf8))
    try expectEqual(folder.text(of: "target.json"), "new")
    try expectEqual(FileManager.default.destinationOfSymbolicLink(atPath: link), target)
  }

  @Test("A device is written to, not replaced")
  func device() throws {
    try OutputFile(name: "/dev/null").write(Array("gone".utf8))
    let status = try SystemCalls.status(of: "/dev/null")
    expectFalse(status.isRegularFile)
  }

  @Test("Pipes are written to, also through names that the system links to them")
  func pipes() throws {
    let path = try folder.write(#"{"a": [{"id": 1}]}"#, to: "in.json")
    let expected = try EntiaProcess.run("import \(path) -o \(folder.path("b.json"))")
    expectEqual(expected.exitCode, 0)
    for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
      guard FileManager.default.fileExists(atPath: name) else { continue }
      let piped = try EntiaProcess.shell("entia export b.json -o \(name) | cat", in: folder)
      expectEqual(piped.errorText, "")
      try expectEqual(piped.outputText, folder.text(of: "b.json"), "\(name)")
    }
    let head = try EntiaProcess.shell("entia export b.json -o /dev/stdout | head -c 1", in: folder)
    expectTrue(head.errorText == "" && head.outputText == "{")
    let named = try EntiaProcess.shell(
      "mkfifo pipe; ln -s pipe link; cat pipe & entia export b.json -o link; wait; test -p pipe",
      in: folder)
    expectTrue(named.exitCode == 0 && named.errorText == "")
    try expectEqual(named.outputText, folder.text(of: "b.json"))
  }

  @Test("A file that may not be written is refused with what its user can do")
  func denied() throws {
    let denial = SystemCalls.Failure(code: EACCES)
    expectEqual(
      OutputFile.reason(denial, 0o444, mayChangePermissions: true),
      "the file is read-only; 'chmod u+w' makes it writable")
    expectEqual(
      OutputFile.reason(denial, 0o644, mayChangePermissions: false),
      "the file belongs to another user, who does not let you write it")
    expectEqual(
      OutputFile.reason(SystemCalls.Failure(code: EROFS), 0o644, mayChangePermissions: true),
      "Read-only file system")
    expectTrue(OutputFile.reason(nil, 0o244, mayChangePermissions: false).contains("another user"))
  }

  @Test("A report that cannot be printed names the file that was written")
  func fullOutput() throws {
    let path = try folder.write(#"{"a": [{"id": 1}]}"#, to: "in.json")
    let imported = try EntiaProcess.shell(
      "{ entia import '\(path)' -o out.json >/dev/full; } 2>&1; echo $?", in: folder)
    expectEqual(
      imported.outputText,
      """
      entia import: cannot write standard output: No space left on device
      entia import: the file 'out.json' was written
      73

      """)
    let patched = try EntiaProcess.shell(
      "{ entia patch out.json a 1 '{\"n\": 2}' >/dev/full; } 2>&1; echo $?", in: folder)
    expectTrue(patched.outputText.hasSuffix("the file 'out.json' was written\n73\n"))
    let dry = try EntiaProcess.shell(
      "{ entia patch out.json a 1 '{\"n\": 3}' --dry-run >/dev/full; } 2>&1", in: folder)
    expectFalse(dry.outputText.contains("was written"))
  }

  @Test("A missing folder, and a folder in place of a file, are refused by name")
  func refused() throws {
    let nowhere = folder.path("nowhere/out.json")
    #expect(
      throws: CommandFailure(
        .cannotWrite, "cannot write '\(nowhere)': No such file or directory")
    ) {
      try OutputFile(name: nowhere).write([])
    }
    let path = folder.path("")
    #expect(throws: CommandFailure(.cannotWrite, "cannot write '\(path)': Is a directory")) {
      try OutputFile(name: path).write([])
    }
    try expectEqual(folder.names(), [])
  }

  @Test("If the last step fails, the old file is kept and no unfinished file remains")
  func failedRename() throws {
    // A folder in the target's place is what makes a rename fail.
    let path = folder.path("out.json")
    let occupied = folder.url.appending(path: "out.json")
    try FileManager.default.createDirectory(at: occupied, withIntermediateDirectories: false)
    #expect(throws: SystemCalls.Failure.self) {
      _ = try OutputFile(name: path).replace(
        path,
        with: { (put) throws(SystemCalls.Failure) in try put(Array("new".utf8)) },
        permissions: nil)
    }
    try expectEqual(folder.names(), ["out.json"])
  }
}
