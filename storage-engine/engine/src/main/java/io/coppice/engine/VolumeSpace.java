package io.coppice.engine;

/// The space of one volume, in bytes.
///
/// | Component | Meaning |
/// |---|---|
/// | `mapped` | bytes of the volume that have stored data, shared or not |
/// | `unique` | bytes of those that it holds alone, each counted once for every place. What volumes share through a deleted relative that has several of them as children counts as shared until one is left |
/// | `reserved` | bytes set aside for it beyond what it has already stored |
public record VolumeSpace(long mapped, long unique, long reserved) {

  /// Bytes of `mapped` that its family holds with it.
  public long shared() {
    return mapped - unique;
  }
}
