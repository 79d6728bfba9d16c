import Entia

@Entity
struct Item {
  let id: Int
  var text: String
  var parent: Item.EntityID?
}

@NormalizedStorage
struct Outline {
  @Table var items: Tables.Ordered<Item> = .init()
  @Relationship var itemParent: ToOne<Item, Item> = .init(\.parent, onDelete: .cascade)
}

struct EditorState: StateType {
  var outline = Outline()
  var selection: Item.EntityID?
}
