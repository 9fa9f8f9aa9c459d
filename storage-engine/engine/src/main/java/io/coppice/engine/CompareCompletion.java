package io.coppice.engine;

/// The end of a compare-and-write. Exactly one method is called, once, on any thread. It must not
/// block.
public interface CompareCompletion {

  /// All bytes compared equal and the new ones are stable.
  void written();

  /// The stored bytes differ; nothing was written.
  ///
  /// @param mismatchOffset offset of the first differing byte, from the start of the compared range
  void miscompared(long mismatchOffset);

  /// As [Completion#failed].
  void failed(StorageException failure);
}
