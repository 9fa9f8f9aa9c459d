package io.coppice.engine.range;

/// A run of bytes of a volume.
public record ByteRange(long offset, long length) {

  /// @throws IllegalArgumentException if a component is negative or their sum overflows
  public ByteRange {
    if (offset < 0 || length < 0 || offset + length < 0) {
      throw new IllegalArgumentException(
          "expected a range of non-negative offset and length, got offset %d, length %d"
              .formatted(offset, length));
    }
  }

  /// First byte after the range.
  public long end() {
    return offset + length;
  }
}
