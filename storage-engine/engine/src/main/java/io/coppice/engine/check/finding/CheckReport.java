package io.coppice.engine.check.finding;

import java.util.List;
import java.util.Map;

/// The outcome of a check.
///
/// @param findings the first thousand, in the order they were met
/// @param damages how many there are, kept in `findings` or not
/// @param warnings how many there are, kept in `findings` or not
/// @param counts objects looked at and their number, by name, in a fixed order
public record CheckReport(
    List<Finding> findings, long damages, long warnings, Map<String, Long> counts) {

  /// Whether everything is right; notes do not count.
  public boolean isClean() {
    return damages == 0 && warnings == 0;
  }
}
