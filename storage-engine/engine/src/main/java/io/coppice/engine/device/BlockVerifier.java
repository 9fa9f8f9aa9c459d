package io.coppice.engine.device;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// A judge of the content of blocks, by the structures that name them.
public interface BlockVerifier {

  /// The judgement on the content of a block.
  enum Verdict {
    /// It is what was stored there.
    RIGHT,
    /// It is not.
    WRONG,
    /// Nothing that counts says what must stand there.
    UNTOLD
  }

  /// @param block counted from the first one of the piece
  /// @param bytes that a device has there, one block from its position on; null if it cannot be
  ///   read
  Verdict of(int block, @Nullable ByteBuffer bytes);
}
