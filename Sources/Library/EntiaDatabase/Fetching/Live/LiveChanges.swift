/// The changes since a version.
package struct LiveChanges<Storage: NormalizedStorageType> {
  let since: Storage
  let set: StorageChangeSet<Storage>

  package init(since: Storage, set: StorageChangeSet<Storage>) {
    self.since = since
    self.set = set
  }
}
