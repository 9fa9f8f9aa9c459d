package io.coppice.engine.range;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A part of the ranges in which two volumes of a family may differ.
///
/// @param ranges in bytes, ascending, with a gap between each two; whole blocks of 4096, but for
///   the end of a volume
/// @param next where the next part begins; null at the end of the volume
public record DifferencePart(List<ByteRange> ranges, @Nullable Place next) {

  /// A place between two parts.
  ///
  /// @param offset in bytes, a multiple of 4096
  /// @param version of the volume when the part before was made; 0 before the first
  /// @param baseVersion the same of the base; 0 without one
  public record Place(long offset, int version, int baseVersion) {

    /// Where the first part begins.
    public static final Place START = new Place(0, 0, 0);
  }

  public DifferencePart {
    ranges = List.copyOf(ranges);
  }
}
