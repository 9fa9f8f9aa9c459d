package io.coppice.app.setting;

import static io.coppice.app.setting.CoppiceProperties.within;

import java.time.Duration;
import org.springframework.util.unit.DataSize;

/// The limits of a support bundle.
public record SupportLimits(DataSize size, DataSize logSize, Duration patience) {

  public SupportLimits {
    within("support.size", size, DataSize.ofMegabytes(1), DataSize.ofGigabytes(1));
    within("support.log-size", logSize, DataSize.ofKilobytes(64), DataSize.ofMegabytes(256));
    within("support.patience", patience, Duration.ofSeconds(1), Duration.ofMinutes(10));
  }
}
