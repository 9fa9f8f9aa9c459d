package io.coppice.app.setting;

import static io.coppice.app.setting.SettingRange.within;

import java.time.Duration;
import org.springframework.util.unit.DataSize;

/// The limits of a support bundle.
///
/// @param volumes whose histories of a day are in it, the busiest
public record SupportLimits(DataSize size, DataSize logSize, int volumes, Duration patience) {

  public SupportLimits {
    within("support.size", size, DataSize.ofMegabytes(1), DataSize.ofGigabytes(1));
    within("support.log-size", logSize, DataSize.ofKilobytes(64), DataSize.ofMegabytes(256));
    within("support.volumes", volumes, 0, 1000);
    within("support.patience", patience, Duration.ofSeconds(1), Duration.ofMinutes(10));
  }
}
