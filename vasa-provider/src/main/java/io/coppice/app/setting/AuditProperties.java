package io.coppice.app.setting;

import io.coppice.vasa.audit.AuditSettings;
import io.coppice.vasa.audit.syslog.SyslogSettings;
import java.time.Duration;
import org.springframework.util.unit.DataSize;

/// The settings of the audit trail.
public record AuditProperties(
    Duration kept,
    int entries,
    DataSize spoolSize,
    Duration checkPeriod,
    Duration ownWorkPeriod,
    Syslog syslog) {
  public AuditProperties {
    // checks the limits
    new AuditSettings(kept, entries, spoolSize.toBytes(), checkPeriod, ownWorkPeriod);
  }

  public AuditSettings settings() {
    return new AuditSettings(kept, entries, spoolSize.toBytes(), checkPeriod, ownWorkPeriod);
  }

  /// The syslog server that gets the audit trail.
  public record Syslog(
      String server,
      SyslogSettings.Transport transport,
      String ca,
      long enterpriseNumber,
      DataSize messageSize,
      Duration patience) {
    public Syslog {
      new SyslogSettings(
          server, transport, ca, enterpriseNumber, (int) messageSize.toBytes(), patience);
    }

    public SyslogSettings settings() {
      return new SyslogSettings(
          server, transport, ca, enterpriseNumber, (int) messageSize.toBytes(), patience);
    }
  }
}
