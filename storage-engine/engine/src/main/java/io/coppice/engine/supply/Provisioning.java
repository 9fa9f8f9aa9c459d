package io.coppice.engine.supply;

/// How the files of a pool get their place on the file system.
///
/// | Component | Meaning |
/// |---|---|
/// | `thin` | whether a file that is made for a second copy is sparse; else all of it is allocated |
public record Provisioning(boolean thin) {

  /// Sparse files.
  public static Provisioning sparse() {
    return new Provisioning(true);
  }
}
