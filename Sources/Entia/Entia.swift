@_exported public import EntiaDatabase
@_exported public import EntiaStore

// Of the collections, the names that apps write. The parts of tables and indexes come with
// `import EntiaCollections`. A name that is imported by itself takes precedence over the same name
// in another module that a file imports as a whole.
@_exported public import enum EntiaCollections.DuplicatePolicy
@_exported public import struct EntiaCollections.Identified
@_exported public import struct EntiaCollections.IdentifiedArray
@_exported public import struct EntiaCollections.IdentifiedArrayChanges
@_exported public import enum EntiaCollections.IdentifiedArrayError
@_exported public import typealias EntiaCollections.IdentifiedArrayOf
@_exported public import protocol EntiaCollections.IdentifiedCollection
@_exported public import protocol EntiaCollections.MutableIdentifiedCollection
@_exported public import struct EntiaCollections.OrderedIDs
@_exported public import enum EntiaCollections.SortedBound
@_exported public import enum EntiaCollections.TableInsertion
