import Entia
import Foundation

extension RecipeBook {
  /// The recipes that a text finds, the best match first; all of them by title if it is empty.
  package static func recipes(matching text: String) -> FetchDescriptor<Recipe> {
    FetchDescriptor(
      matching: text, in: \RecipeBook.recipeText,
      sortBy: text.isEmpty ? [SortDescriptor(\.title)] : [])
  }

  /// The recipes that need an ingredient.
  package func recipes(with ingredient: Ingredient.EntityID) -> [Recipe] {
    view(of: ingredient)?[through: \.portionIngredient, \.portionRecipe].map(\.entity) ?? []
  }

  /// The ingredients of a recipe, such as "200 g flour".
  package func ingredients(of recipe: Recipe.EntityID) -> [String] {
    view(of: recipe)?[inverse: \.portionRecipe].map { portion in
      "\(portion.amount) \(portion[\.portionIngredient]?.name ?? "")"
    } ?? []
  }

  /// What the recipes on the menu need together. It follows from the rows, so it is not stored.
  package var shoppingList: [ShoppingLine] {
    var lines: IdentifiedArrayOf<ShoppingLine> = []
    for recipe in views(of: menu.ids()) {
      for portion in recipe[inverse: \.portionRecipe] {
        guard let ingredient = portion[\.portionIngredient] else { continue }
        let id = ingredient.entityID
        var line =
          lines[id: id]
          ?? ShoppingLine(id: id, name: ingredient.name, isInBasket: basket.contains(id))
        line.add(portion.amount)
        lines[id: id] = line
      }
    }
    return Array(lines)
  }
}

/// An ingredient on the shopping list.
package struct ShoppingLine: Identifiable, Equatable, Sendable {
  package let id: Ingredient.EntityID
  package let name: String
  package var isInBasket: Bool
  /// One amount for each unit.
  package var amounts: [Amount] = []

  mutating func add(_ amount: Amount) {
    if let index = amounts.firstIndex(where: { $0.unit == amount.unit }) {
      amounts[index].value += amount.value
    } else {
      amounts.append(amount)
    }
  }
}

extension ShoppingLine: CustomStringConvertible {
  package var description: String {
    "[\(isInBasket ? "x" : " ")] \(amounts.map(\.description).joined(separator: " + ")) \(name)"
  }
}

extension Amount: CustomStringConvertible {
  /// Parses an amount such as "200g", "1.5l" or "2".
  package init?(parsing text: String) {
    let digits = text.prefix { $0.isNumber || $0 == "." }
    guard let value = Double(digits) else { return nil }
    self.init(value: value, unit: String(text.dropFirst(digits.count)))
  }

  package var description: String {
    let number = Int(exactly: value).map(String.init) ?? String(value)
    return unit.isEmpty ? number : "\(number) \(unit)"
  }
}
