package io.coppice.vasa.replication.lag;

import org.jspecify.annotations.Nullable;

/// A minute of a group; all is null in a gap.
///
/// @param lagSeconds the longest lag that was seen; null if no replica was due
/// @param dataBytes data that cycles sent which ended in it, before compression
/// @param linkBytes bytes of them that went over the link
public record LagMinute(
    @Nullable Long lagSeconds, @Nullable Long dataBytes, @Nullable Long linkBytes) {

  static final LagMinute GAP = new LagMinute(null, null, null);
}
