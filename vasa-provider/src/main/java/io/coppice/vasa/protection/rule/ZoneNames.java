package io.coppice.vasa.protection.rule;

import io.coppice.vasa.fault.VasaException;
import java.time.DateTimeException;
import java.time.ZoneId;

/// Names of time zones, as people write them.
public final class ZoneNames {

  private ZoneNames() {}

  /// @param name such as `Europe/Berlin`, `UTC` or `+02:00`
  /// @throws VasaException (InvalidArgument) if no such zone is known
  public static ZoneId parse(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw VasaException.invalidArgument(
          "expected a time zone such as Europe/Berlin or UTC, got '%s'"
              .formatted(name.length() > 60 ? name.substring(0, 60) + "…" : name));
    }
  }
}
