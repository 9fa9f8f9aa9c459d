package io.coppice.driver.soap;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// An alarm; `complianceStatus` is there for a compliance alarm only.
public record StorageAlarm(
    long id,
    String type,
    String status,
    @Nullable String objectType,
    @Nullable String objectId,
    @Nullable String containerId,
    @Nullable String messageId,
    Map<String, String> parameters,
    @Nullable String complianceStatus) {
  static StorageAlarm of(Xml x) {
    return new StorageAlarm(
        x.number("data:alarmId"),
        x.required("data:alarmType"),
        x.required("data:status"),
        x.text("data:objectType"),
        x.text("data:objectId"),
        x.text("data:containerId"),
        x.text("data:messageId"),
        Metadata.of(x, "data:parameterList"),
        x.text("data:complianceStatus"));
  }
}
