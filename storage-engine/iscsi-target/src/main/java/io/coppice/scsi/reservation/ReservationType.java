package io.coppice.scsi.reservation;

import java.util.Optional;

/// The TYPE of a persistent reservation (SPC-4 §6.15.3.4).
public enum ReservationType {
  WRITE_EXCLUSIVE(1),
  EXCLUSIVE_ACCESS(3),
  WRITE_EXCLUSIVE_REGISTRANTS_ONLY(5),
  EXCLUSIVE_ACCESS_REGISTRANTS_ONLY(6),
  WRITE_EXCLUSIVE_ALL_REGISTRANTS(7),
  EXCLUSIVE_ACCESS_ALL_REGISTRANTS(8);

  private final int code;

  ReservationType(int code) {
    this.code = code;
  }

  public static Optional<ReservationType> of(int code) {
    for (ReservationType type : values()) {
      if (type.code == code) {
        return Optional.of(type);
      }
    }
    return Optional.empty();
  }

  /// The four bits on the wire.
  public int code() {
    return code;
  }

  /// Whether every registrant may do what the holder may.
  public boolean admitsRegistrants() {
    return code >= 5;
  }

  /// Whether every registrant is a holder.
  public boolean isHeldByAll() {
    return code >= 7;
  }

  /// Whether others may not even read.
  public boolean forbidsReads() {
    return this == EXCLUSIVE_ACCESS
        || this == EXCLUSIVE_ACCESS_REGISTRANTS_ONLY
        || this == EXCLUSIVE_ACCESS_ALL_REGISTRANTS;
  }
}
