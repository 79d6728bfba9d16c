import Foundation

/// Decompresses gzip data on demand, with the system's zlib.
///
/// The library is loaded when the first gzip input is opened. The tool can therefore be built, and
/// can read other inputs, without the library.
final class Gunzip {
  /// The reason why data cannot be decompressed.
  enum Failure: Error, Equatable, CustomStringConvertible {
    case noLibrary
    case damaged
    case truncated

    var description: String {
      switch self {
      case .noLibrary:
        "this is gzip, and the system has no zlib to read it with; decompress it with 'gunzip' first"
      case .damaged: "the gzip data are damaged"
      case .truncated: "the gzip data end too early; the file is not complete"
      }
    }
  }

  typealias Fill = (UnsafeMutableRawBufferPointer) throws -> Int

  private let source: Fill
  private let library: Library
  private let stream: UnsafeMutablePointer<Stream>
  private let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
  /// Whether a member of the gzip file has ended. Another member may follow.
  private var isBetweenMembers = false
  private var isAtEnd = false

  init(_ source: @escaping Fill) throws(Failure) {
    guard let library = Library.shared else { throw .noLibrary }
    self.source = source
    self.library = library
    stream = .allocate(capacity: 1)
    stream.initialize(to: Stream())
    guard library.start(stream) == Library.isFine else { throw .damaged }
  }

  deinit {
    _ = library.end(stream)
    stream.deallocate()
    input.deallocate()
  }

  /// Fills memory with the next decompressed bytes. Returns their number, which is less than the
  /// size of the memory only at the end of the data.
  func read(into memory: UnsafeMutableRawBufferPointer) throws -> Int {
    guard !isAtEnd, !memory.isEmpty else { return 0 }
    let limit = min(memory.count, Int(Int32.max))
    stream.pointee.output = memory.baseAddress
    stream.pointee.outputCount = UInt32(limit)
    while stream.pointee.outputCount > 0 {
      if stream.pointee.inputCount == 0 {
        let count = try source(input)
        if count == 0 {
          guard isBetweenMembers else { throw Failure.truncated }
          isAtEnd = true
          break
        }
        stream.pointee.input = UnsafeRawPointer(input.baseAddress)
        stream.pointee.inputCount = UInt32(count)
      }
      if isBetweenMembers {
        // Some tools pad the file after the last member. The padding is ignored. It is recognized
        // because it does not begin like a member.
        guard stream.pointee.input?.load(as: UInt8.self) == Self.magic[0] else {
          isAtEnd = true
          break
        }
        isBetweenMembers = false
        guard library.reset(stream) == Library.isFine else { throw Failure.damaged }
      }
      switch library.inflate(stream) {
      case Library.isFine, Library.needsMore: continue
      case Library.isEnd: isBetweenMembers = true
      default: throw Failure.damaged
      }
    }
    return limit - Int(stream.pointee.outputCount)
  }

  /// The first bytes of gzip data.
  static let magic: [UInt8] = [0x1F, 0x8B]
}

extension Gunzip {
  /// The `z_stream` of zlib: the same members in the same order.
  fileprivate struct Stream {
    var input: UnsafeRawPointer?
    var inputCount: UInt32 = 0
    var inputTotal: UInt = 0
    var output: UnsafeMutableRawPointer?
    var outputCount: UInt32 = 0
    var outputTotal: UInt = 0
    var message: UnsafePointer<CChar>?
    var state: OpaquePointer?
    var allocate: OpaquePointer?
    var free: OpaquePointer?
    var opaque: OpaquePointer?
    var dataType: Int32 = 0
    var checksum: UInt = 0
    var reserved: UInt = 0
  }

  /// The functions of zlib.
  fileprivate struct Library: @unchecked Sendable {
    // Unchecked because of the function pointers, which never change.
    private typealias Start =
      @convention(c) (UnsafeMutableRawPointer, Int32, UnsafePointer<CChar>, Int32) -> Int32
    private typealias Step = @convention(c) (UnsafeMutableRawPointer, Int32) -> Int32
    private typealias Change = @convention(c) (UnsafeMutableRawPointer) -> Int32

    static let isFine: Int32 = 0
    static let isEnd: Int32 = 1
    static let needsMore: Int32 = -5

    private let inflateInit2: Start
    private let step: Step
    private let inflateReset: Change
    private let inflateEnd: Change

    static let shared = Library()

    private init?() {
      for name in ["libz.so.1", "libz.1.dylib", "/usr/lib/libz.1.dylib", "libz.so"] {
        guard let handle = dlopen(name, RTLD_NOW) else { continue }
        guard let start = dlsym(handle, "inflateInit2_"), let step = dlsym(handle, "inflate"),
          let reset = dlsym(handle, "inflateReset"), let end = dlsym(handle, "inflateEnd")
        else { continue }
        inflateInit2 = unsafeBitCast(start, to: Start.self)
        self.step = unsafeBitCast(step, to: Step.self)
        inflateReset = unsafeBitCast(reset, to: Change.self)
        inflateEnd = unsafeBitCast(end, to: Change.self)
        return
      }
      return nil
    }

    func start(_ stream: UnsafeMutablePointer<Stream>) -> Int32 {
      // 15 is the size of the window in bits, and 16 selects the header of gzip. zlib compares the
      // first digit of the version and the size of the stream with its own, and rejects another
      // layout.
      inflateInit2(stream, 15 + 16, "1", Int32(MemoryLayout<Stream>.size))
    }

    func inflate(_ stream: UnsafeMutablePointer<Stream>) -> Int32 { step(stream, 0) }
    func reset(_ stream: UnsafeMutablePointer<Stream>) -> Int32 { inflateReset(stream) }
    func end(_ stream: UnsafeMutablePointer<Stream>) -> Int32 { inflateEnd(stream) }
  }
}
