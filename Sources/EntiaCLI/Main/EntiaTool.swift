import EntiaCLI

@main
struct EntiaTool {
  static func main() {
    EntiaCommand.main()
  }
}
