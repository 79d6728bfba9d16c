import Entia

extension RecipeBook {
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
