package io.coppice.replication.replica;

import io.coppice.engine.VolumeId;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/// DerivedIds that follow from what they are for, so that a step which is repeated after a crash
/// finds what it made before.
public final class DerivedIds {

  private DerivedIds() {}

  /// The volume that is made for something.
  public static VolumeId volume(String what, Object... of) {
    return new VolumeId(of(what, of));
  }

  private static UUID of(String what, Object... of) {
    StringBuilder text = new StringBuilder("replication/").append(what);
    for (Object one : of) {
      text.append('/').append(one);
    }
    return UUID.nameUUIDFromBytes(text.toString().getBytes(StandardCharsets.UTF_8));
  }
}
