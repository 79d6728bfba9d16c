@_exported public import EntiaDatabase
@_exported public import EntiaStore

// These are the collections that apps use. For the building blocks of tables and indexes, an app
// adds `import EntiaCollections`. Each name is imported separately, so that it takes precedence
// over an equal name in a module that a file imports as a whole.
@_exported public import enum EntiaCollections.DuplicatePolicy
@_exported public import struct EntiaCollections.Identified
@_exported public import struct EntiaCollections.IdentifiedArray
@_exported public import enum EntiaCollections.IdentifiedArrayError
@_exported public import typealias EntiaCollections.IdentifiedArrayOf
@_exported public import struct EntiaCollections.IdentifiedArraySlice
@_exported public import struct EntiaCollections.OrderedChanges
@_exported public import struct EntiaCollections.OrderedIDs
@_exported public import struct EntiaCollections.ReversedTreeCollection
@_exported public import enum EntiaCollections.SortedBound
@_exported public import enum EntiaCollections.TableInsertion
