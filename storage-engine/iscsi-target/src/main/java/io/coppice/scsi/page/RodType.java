package io.coppice.scsi.page;

import java.util.Optional;

/// The types of representations of data (SPC-4 §5.17.6.2, SBC-4 §4.28.4), in ascending order.
public enum RodType {
  /// A point in time copy, kept as we like.
  DEFAULT(0x0080_0000, true, true),
  /// A point in time copy that might end when its source changes. Ours does not.
  CHANGE_VULNERABLE(0x0080_0001, true, true),
  /// A point in time copy that stays, whatever its source becomes.
  PERSISTENT(0x0080_0002, true, true),
  /// Asks for the best point in time copy there is; the token says which it became.
  ANY(0x0080_ffff, false, true),
  /// Zeros. Hosts make such tokens themselves.
  ZERO(0xffff_0001, true, false);

  private final int code;
  private final boolean in;
  private final boolean out;

  RodType(int code, boolean in, boolean out) {
    this.code = code;
    this.in = in;
    this.out = out;
  }

  /// ROD TYPE.
  public int code() {
    return code;
  }

  /// Whether WRITE USING TOKEN takes tokens of this type.
  public boolean comesIn() {
    return in;
  }

  /// Whether POPULATE TOKEN may ask for it.
  public boolean goesOut() {
    return out;
  }

  /// The type with that code.
  public static Optional<RodType> of(int code) {
    for (RodType type : values()) {
      if (type.code == code) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }
}
