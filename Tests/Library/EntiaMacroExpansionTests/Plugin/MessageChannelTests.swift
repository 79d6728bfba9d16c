import EntiaTestSupport
import Foundation
import Testing

@testable import EntiaMacroExpansion

/// Two pipes and the channel between them, as the compiler sees it from the outside.
private struct Wire {
  let toPlugin = Pipe()
  let fromPlugin = Pipe()

  var channel: MessageChannel {
    MessageChannel(
      input: toPlugin.fileHandleForReading.fileDescriptor,
      output: fromPlugin.fileHandleForWriting.fileDescriptor)
  }

  func write(_ bytes: [UInt8]) throws {
    try toPlugin.fileHandleForWriting.write(contentsOf: Data(bytes))
  }

  func endInput() throws {
    try toPlugin.fileHandleForWriting.close()
  }

  func output() throws -> [UInt8] {
    try fromPlugin.fileHandleForWriting.close()
    return Array(try fromPlugin.fileHandleForReading.readToEnd() ?? Data())
  }

  static func framed(_ text: String) -> [UInt8] {
    let length = UInt64(text.utf8.count)
    return (0..<8).map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) } + Array(text.utf8)
  }
}

@Suite("Messages over file descriptors")
struct MessageChannelTests {
  @Test("Messages are read one by one until the end of the input")
  func receive() throws {
    let wire = Wire()
    try wire.write(Wire.framed("one") + Wire.framed("") + Wire.framed("größe"))
    try wire.endInput()
    try expectEqual(wire.channel.receive(), Array("one".utf8))
    try expectEqual(wire.channel.receive(), [])
    try expectEqual(wire.channel.receive(), Array("größe".utf8))
    try expectNil(wire.channel.receive())
    try expectNil(wire.channel.receive())
  }

  @Test("A message is sent after its length in little-endian order")
  func send() throws {
    let wire = Wire()
    let text = String(repeating: "x", count: 258)
    try wire.channel.send(Array(text.utf8))
    try expectEqual(wire.output(), [2, 1, 0, 0, 0, 0, 0, 0] + Array(text.utf8))
  }

  @Test("An input that ends inside a message is an error with the number of bytes read")
  func truncated() throws {
    let inHeader = Wire()
    try inHeader.write([1, 0, 0])
    try inHeader.endInput()
    #expect(throws: ChannelError.truncated(expected: 8, received: 3)) {
      try inHeader.channel.receive()
    }
    let inBody = Wire()
    try inBody.write(Wire.framed("message").dropLast(2))
    try inBody.endInput()
    #expect(throws: ChannelError.truncated(expected: 7, received: 5)) {
      try inBody.channel.receive()
    }
    expectEqual(
      "\(ChannelError.truncated(expected: 7, received: 5))",
      "the input ended after 5 of a message's 7 bytes")
  }

  @Test("An unreasonable length is refused before the message is read")
  func unreasonableLength() throws {
    let wire = Wire()
    try wire.write([UInt8](repeating: 0xFF, count: 8))
    #expect(throws: ChannelError.unreasonableLength(.max)) { try wire.channel.receive() }
    expectEqual(
      "\(ChannelError.unreasonableLength(.max))",
      "a message announced 18446744073709551615 bytes, more than any message has")
  }

  @Test("An error of the system has its number")
  func failedCall() {
    let channel = MessageChannel(input: -1, output: -1)
    #expect(throws: ChannelError.failed(operation: "read", code: EBADF)) {
      try channel.receive()
    }
    #expect(throws: ChannelError.failed(operation: "write", code: EBADF)) { try channel.send([1]) }
    expectEqual("\(ChannelError.failed(operation: "read", code: 9))", "read failed with error 9")
  }

  @Test("The plugin answers every message in turn and ends with the input")
  func serve() throws {
    let wire = Wire()
    try wire.write(Wire.framed("{\"getCapability\":{}}") + Wire.framed("nonsense"))
    try wire.endInput()
    try CompilerPlugin.serve(wire.channel)
    let capability = #"{"getCapabilityResult":{"capability":{"protocolVersion":7}}}"#
    let output = try wire.output()
    expectTrue(output.starts(with: Wire.framed(capability)))
    let rest = String(decoding: output.dropFirst(8 + capability.utf8.count + 8), as: UTF8.self)
    expectTrue(rest.hasPrefix(#"{"expandMacroResult":{"diagnostics":[{"message":"The compiler's"#))
  }

  @Test("Printed text is written to standard error, and only messages to standard output")
  func strayPrints() async throws {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardOutputContent, \.standardErrorContent]
    ) {
      let channel = try MessageChannel.toCompiler()
      print("stray")
      try channel.send(Array("kept".utf8))
    }
    let output = String(decoding: result.standardOutputContent, as: UTF8.self)
    expectTrue(output.contains("\u{4}\0\0\0\0\0\0\0kept"))
    expectFalse(output.contains("stray"))
    expectTrue(String(decoding: result.standardErrorContent, as: UTF8.self).contains("stray"))
  }

  @Test(
    "The end of the input ends the plugin with success; an invalid message ends it with an error message"
  )
  func ends() async throws {
    await #expect(processExitsWith: .success) {
      close(STDIN_FILENO)
      let pipe = Pipe()
      dup2(pipe.fileHandleForReading.fileDescriptor, STDIN_FILENO)
      try pipe.fileHandleForWriting.close()
      CompilerPlugin.run()
    }
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      close(STDIN_FILENO)
      let pipe = Pipe()
      dup2(pipe.fileHandleForReading.fileDescriptor, STDIN_FILENO)
      try pipe.fileHandleForWriting.write(contentsOf: Data([1]))
      try pipe.fileHandleForWriting.close()
      CompilerPlugin.run()
    }
    expectTrue(
      String(decoding: result.standardErrorContent, as: UTF8.self)
        .contains("EntiaMacros: the input ended after 1 of a message's 8 bytes"))
  }
}
