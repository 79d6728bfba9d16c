@main
struct EntiaCommand {
  static func main() {}
}
