#if canImport(SwiftUI)
  import Entia
  import RecipeBook
  import SwiftUI

  /// A form that edits a draft. A text field writes through a pointer, into the draft alone.
  struct RecipeEditor: View {
    let draft: RecipeDraft
    @State private var ingredient = ""
    @State private var problem = ""
    @Environment(\.dismiss) private var dismiss

    var body: some View {
      NavigationStack {
        List {
          TextField("Title", text: draft.recipe[\.title].binding(default: ""))
          TextField("Method", text: draft.recipe[\.method].binding(default: ""))
          ForEach(draft.ingredients, id: \.self) { Text($0) }
          TextField("Ingredient, such as 200g flour", text: $ingredient).onSubmit { add() }
          Text(problem)
        }
        .toolbar {
          Button("Discard") { dismiss() }
          Button("Undo") { draft.undo() }
          Button("Save") { save() }
        }
      }
    }
  }

  extension RecipeEditor {
    private func add() {
      attempt {
        try draft.addIngredient(ingredient)
        ingredient = ""
      }
    }

    private func save() {
      attempt {
        try draft.save()
        dismiss()
      }
    }

    private func attempt(_ edit: () throws -> Void) {
      problem = ""
      do { try edit() } catch { problem = "\(error)" }
    }
  }
#endif
