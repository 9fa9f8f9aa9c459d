package io.coppice.vasa.volume;

/// A volume or snapshot that nobody seems to need any more.
public record Orphan(VirtualVolume volume, Reason reason) {

  /// The reason why it counts as one.
  public enum Reason {
    /// A vVol without the id of a virtual machine.
    NO_VM,
    /// A vVol of a virtual machine that has no config vVol in the pool.
    VM_GONE,
    /// A snapshot whose volume is neither in the pool nor in the recycle bin.
    VOLUME_GONE,
    /// A clone for a temporary export that has ended.
    EXPORT_GONE
  }
}
