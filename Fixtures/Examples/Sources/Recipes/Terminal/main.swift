import Foundation
import RecipeBook

let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 1 else {
  print("usage: Recipes FILE\n\nStart it in several terminals, with one file.\n\(Terminal.help)")
  exit(64)
}

do {
  let kitchen = try Kitchen(path: arguments[0])
  let terminal = Terminal(kitchen)
  while let line = readLine() {
    do {
      try await terminal.run(line)
    } catch {
      print(error)
    }
  }
  try await kitchen.close()
} catch {
  print(error)
  exit(74)
}
