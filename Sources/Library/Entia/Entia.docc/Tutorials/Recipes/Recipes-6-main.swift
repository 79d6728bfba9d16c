import Entia
import Foundation
import RecipeBook

let kitchen = try Kitchen(path: "recipes.sqlite")
for recipe in kitchen.state.book.fetch(RecipeBook.recipes(matching: "")) {
  let name = recipe.title.lowercased().replacing(" ", with: "-")
  try kitchen.receivePicture(
    from: "https://example.com/\(name).jpg", width: 640, height: 480, byteCount: 80_000,
    for: recipe.entityID, at: Date())
}
try await kitchen.saved()

print(kitchen.plan(evictingDownTo: 100_000))
kitchen.evict(downTo: 100_000)
print("undo:", kitchen.undoName ?? "nothing")

try await kitchen.close()
