package io.coppice.vasa.event;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A state that needs attention, or its end (Green).
///
/// @param id rises by one with each change of an alarm
/// @param type `AlarmTypeEnum` value
/// @param objectType `EntityTypeEnum` value
/// @param containerId storage container of the object
/// @param messageId key into the Alarm catalog
public record RaisedAlarm(
    long id,
    Instant at,
    String type,
    Status status,
    String objectType,
    String objectId,
    @Nullable String containerId,
    String messageId,
    Map<String, String> parameters) {

  /// Type of alarms about policies that are not kept.
  public static final String COMPLIANCE = "Compliance";

  /// Name of the parameter of such an alarm that is the policy's id.
  public static final String POLICY = "policy";

  public RaisedAlarm {
    parameters = Map.copyOf(parameters);
  }

  /// `AlarmStatusEnum`.
  public enum Status {
    GREEN("Green"),
    YELLOW("Yellow"),
    RED("Red");

    private final String wireName;

    Status(String wireName) {
      this.wireName = wireName;
    }

    public String wireName() {
      return wireName;
    }

    static Status ofWireName(String name) {
      return valueOf(name.toUpperCase(java.util.Locale.ROOT));
    }
  }
}
