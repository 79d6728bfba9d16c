#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The compiler plugin: answers the compiler's messages until it closes the connection.
@main
enum EntiaPlugin {
  static func main() {
    do throws(ChannelError) {
      try serve(try MessageChannel.toCompiler())
    } catch {
      // Standard output is the standard error by now.
      print("EntiaMacros: \(error)")
      exit(EXIT_FAILURE)
    }
  }

  /// Answers every message of `channel` until its end.
  static func serve(_ channel: MessageChannel) throws(ChannelError) {
    while let message = try channel.receive() {
      try channel.send(MessageHandler.answer(message))
    }
  }
}
