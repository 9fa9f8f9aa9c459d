package io.coppice.vasa.history;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.history.file.Form;
import java.util.UUID;

/// The keys by which records are found.
final class Keys {

  private static final String POOL = "pool";

  private Keys() {}

  static long poolTraffic() {
    return Form.TRAFFIC.key(POOL);
  }

  static long poolSpace() {
    return Form.EXACT_SPACE.key(POOL);
  }

  static long containerTraffic(UUID container) {
    return Form.TRAFFIC.key("container:" + container);
  }

  static long containerSpace(UUID container) {
    return Form.EXACT_SPACE.key("container:" + container);
  }

  /// @param name lower-case iSCSI name
  static long initiatorTraffic(String name) {
    return Form.TRAFFIC.key("initiator:" + name);
  }

  static long volumeTraffic(VolumeId volume) {
    return Form.TRAFFIC.key("volume:" + volume);
  }

  static long volumeSpace(VolumeId volume) {
    return Form.SPACE_CHANGE.key("volume:" + volume);
  }
}
