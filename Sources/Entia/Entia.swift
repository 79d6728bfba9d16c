@_exported public import EntiaCollections
@_exported public import EntiaDatabase
@_exported public import EntiaStore
