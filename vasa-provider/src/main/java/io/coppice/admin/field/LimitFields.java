package io.coppice.admin.field;

import io.coppice.admin.problem.RequestRejectedException;
import io.coppice.scsi.limit.Limits;
import org.jspecify.annotations.Nullable;

/// The fields `maxIops` (I/Os a second) and `maxBandwidth` (bytes a second): null for no limit.
public final class LimitFields {

  private LimitFields() {}

  /// @throws RequestRejectedException if one is out of range
  public static Limits parse(@Nullable Long maxIops, @Nullable Long maxBandwidth) {
    return new Limits(
        checked("maxIops", maxIops, Limits.MIN_IOPS, Limits.MAX_IOPS),
        checked("maxBandwidth", maxBandwidth, Limits.MIN_BANDWIDTH, Limits.MAX_BANDWIDTH));
  }

  private static long checked(String field, @Nullable Long value, long least, long most) {
    if (value == null) {
      return 0;
    }
    if (value < least || value > most) {
      throw RequestRejectedException.field(
          field,
          "expected %s from %d to %d, or null for no limit, got %d"
              .formatted(field, least, most, value));
    }
    return value;
  }

  public static @Nullable Long orNull(long limit) {
    return limit == 0 ? null : limit;
  }
}
