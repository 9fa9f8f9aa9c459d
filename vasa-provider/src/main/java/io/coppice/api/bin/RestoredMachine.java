package io.coppice.api.bin;

import java.util.List;
import java.util.UUID;

/// A virtual machine that was restored from the recycle bin.
///
/// @param left what could not be restored and is still in the bin
public record RestoredMachine(List<Restored> restored, List<Left> left) {

  public RestoredMachine {
    restored = List.copyOf(restored);
    left = List.copyOf(left);
  }

  /// A volume or snapshot that is still in the bin.
  ///
  /// @param reason why, in one sentence
  public record Left(UUID id, String reason) {}
}
