#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The compiler plugin.
package enum CompilerPlugin {
  /// Answers the compiler's messages until the compiler closes the connection.
  package static func run() {
    do throws(ChannelError) {
      try serve(try MessageChannel.toCompiler())
    } catch .failed(operation: "write", code: EPIPE) {
      // The compiler has ended, and nobody reads the answer.
      exit(EXIT_FAILURE)
    } catch {
      // Standard output is redirected to standard error here.
      print("EntiaMacros: \(error)")
      exit(EXIT_FAILURE)
    }
  }

  /// Answers every message of `channel` until the input ends.
  static func serve(_ channel: MessageChannel) throws(ChannelError) {
    while let message = try channel.receive() {
      try channel.send(MessageHandler.answer(message))
    }
  }
}
