import Entia
import Foundation
import RecipeBook

/// The commands of the recipe book. Numbers are places in the list that was printed last.
@MainActor
final class Terminal {
  static let help = """
    list, find TEXT, with INGREDIENT, show N, favorite N, delete N, undo, redo
    new TITLE, edit N, then title TEXT, method TEXT, add AMOUNT INGREDIENT, save, discard
    cook N, shopping, got N, clear
    picture N ADDRESS WIDTH HEIGHT BYTES, evict BYTES, await TEXT
    """

  private let kitchen: Kitchen
  private var draft: RecipeDraft?
  private var listed: [Recipe.EntityID] = []

  init(_ kitchen: Kitchen) { self.kitchen = kitchen }

  func run(_ line: String) async throws {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    guard let command = words.first else { return }
    let rest = words.dropFirst().joined().trimmingCharacters(in: .whitespaces)
    if try edit(command, rest) { return }
    switch command {
    case "list": list(RecipeBook.recipes(matching: ""))
    case "find": list(RecipeBook.recipes(matching: rest))
    case "with": list(kitchen.state.book.recipes(with: .init(rest.lowercased())))
    case "show": try show(recipe(rest))
    case "favorite": try kitchen.toggleFavorite(recipe(rest))
    case "delete": try kitchen.delete(recipe(rest))
    case "cook": try kitchen.cook(recipe(rest))
    case "shopping":
      for (n, line) in kitchen.shoppingList.value.enumerated() { print(n + 1, line) }
    case "got": try kitchen.toggleBasket(element(rest, of: kitchen.shoppingList.value).id)
    case "clear": try kitchen.clearMenu()
    case "undo": report(kitchen.undoName, isDone: kitchen.undo(), command)
    case "redo": report(kitchen.redoName, isDone: kitchen.redo(), command)
    case "picture": try receivePicture(rest.split(separator: " ").map(String.init))
    case "evict":
      guard let byteCount = Int(rest) else { throw Mistake("how many bytes may remain?") }
      // An eviction keeps what is not yet in the file.
      try await kitchen.saved()
      print(kitchen.plan(evictingDownTo: byteCount))
      kitchen.evict(downTo: byteCount)
    case "await": await wait(for: rest)
    default: print(Self.help)
    }
  }

  /// Runs a command of the draft.
  /// - Returns: Whether it is one.
  private func edit(_ command: String, _ rest: String) throws -> Bool {
    switch command {
    case "new": draft = try RecipeDraft(titled: rest, in: kitchen)
    case "edit": draft = try RecipeDraft(of: recipe(rest), in: kitchen)
    case "title", "method", "add", "save", "discard":
      guard let draft else { throw Mistake("begin with 'new TITLE' or 'edit N'") }
      try edit(draft, command, rest)
    case "undo" where draft != nil: report("an edit", isDone: draft?.undo() ?? false, command)
    default: return false
    }
    return true
  }

  private func edit(_ draft: RecipeDraft, _ command: String, _ rest: String) throws {
    switch command {
    case "title": try draft.recipe.update { $0?.title = rest }
    case "method": try draft.recipe.update { $0?.method = rest }
    case "add": try draft.addIngredient(rest)
    case "save":
      try draft.save()
      self.draft = nil
    default: self.draft = nil
    }
  }

  private func list(_ descriptor: FetchDescriptor<Recipe>) {
    list(kitchen.state.book.fetch(descriptor))
  }

  private func list(_ recipes: [Recipe]) {
    listed = recipes.map(\.entityID)
    for (n, recipe) in recipes.enumerated() {
      print("\(n + 1) \(recipe.title)\(recipe.isFavorite ? " *" : "")")
    }
    if recipes.isEmpty { print("no recipe") }
  }

  private func show(_ id: Recipe.EntityID) throws {
    let book = kitchen.state.book
    guard let recipe = book.view(of: id) else { throw Mistake("the recipe was deleted") }
    print("\(recipe.title), \(recipe.minutes) minutes")
    for line in book.ingredients(of: id) { print("- \(line)") }
    if !recipe.method.isEmpty { print(recipe.method) }
    switch recipe.reference(\.recipePicture) {
    case .loaded(let picture): print("picture of \(picture.width) × \(picture.height)")
    case .missing(let id): print("picture to load again from \(id.raw)")
    case .none: break
    }
  }

  private func receivePicture(_ words: [String]) throws {
    let numbers = words.dropFirst(2).compactMap { Int($0) }
    guard words.count == 5, numbers.count == 3 else { throw Mistake(Self.help) }
    try kitchen.receivePicture(
      from: words[1], width: numbers[0], height: numbers[1], byteCount: numbers[2],
      for: recipe(words[0]), at: Date())
  }

  /// Waits until there is a recipe that a text finds, for example from another process.
  private func wait(for text: String) async {
    for await state in kitchen.store.states {
      guard let found = state.book.first(RecipeBook.recipes(matching: text)) else { continue }
      print("there is \(found.title)")
      return
    }
  }

  private func report(_ name: String?, isDone: Bool, _ command: String) {
    print(isDone ? "\(command): \(name ?? "an edit")" : "there is nothing to \(command)")
  }

  private func recipe(_ place: String) throws -> Recipe.EntityID { try element(place, of: listed) }

  private func element<Element>(_ place: String, of list: [Element]) throws -> Element {
    guard let number = Int(place), list.indices.contains(number - 1) else {
      throw Mistake("there is no '\(place)' in the list; 'list' prints the recipes")
    }
    return list[number - 1]
  }
}
