import Entia
import Foundation

let usage = """
  usage: BooksToRead add TITLE AUTHOR
         BooksToRead list
         BooksToRead move BOOK PLACE
         BooksToRead read BOOK
         BooksToRead forget AUTHOR
  """

// The library is a Codable value: a file of JSON is enough to keep it.
let file = URL(filePath: "reading-list.json")
var library = Library()
if FileManager.default.fileExists(atPath: file.path) {
  library = try JSONDecoder().decode(Library.self, from: Data(contentsOf: file))
}
let before = library

let arguments = Array(CommandLine.arguments.dropFirst())
let numbers = arguments.dropFirst().compactMap { Int($0) }
switch (arguments.first, arguments.count - 1, numbers.count) {
case ("add", 2, _): library.add(arguments[1], by: arguments[2])
case ("list", 0, _): print(library.listing)
case ("move", 2, 2): library.move(.init(numbers[0]), to: numbers[1])
case ("read", 1, 1): library.read(.init(numbers[0]))
case ("forget", 1, _): print(try library.forget(arguments[1]))
default:
  print(usage)
  exit(64)
}

// Comparing costs what changed.
if library != before {
  try JSONEncoder().encode(library).write(to: file, options: .atomic)
}
