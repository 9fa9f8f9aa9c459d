package io.coppice.app.setting;

import static io.coppice.app.setting.SettingRange.within;

import io.coppice.vasa.container.Containers;
import io.coppice.vasa.volume.bin.BinSettings;
import java.time.Duration;

/// The settings of the recycle bin.
///
/// @param time how long something stays there; zero: nothing does
/// @param freePercent free space of the pool below which the oldest of it goes early
public record BinProperties(Duration time, int freePercent) {

  public BinProperties {
    if (!time.isZero()) {
      within("bin.time", time, Duration.ofMinutes(1), Containers.LONGEST_BIN_TIME);
    }
    within("bin.free-percent", freePercent, 0, 50);
  }

  public BinSettings settings() {
    return new BinSettings(time, freePercent);
  }
}
