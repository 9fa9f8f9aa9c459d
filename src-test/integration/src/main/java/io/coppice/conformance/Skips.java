package io.coppice.conformance;

import java.util.Map;
import java.util.Optional;

/// Suites that a disk of many hosts cannot take, each with its reason. A skip of any other test
/// counts against the target.
final class Skips {

  private static final String NOT_REMOVABLE =
      "the medium cannot be removed, and several hosts share the unit: nobody may stop or lock it";

  private static final Map<String, String> REASONS =
      Map.of(
          "Sanitize", "the unit shares its device with others: it cannot overwrite or erase it",
          "PreventAllow", NOT_REMOVABLE,
          "StartStopUnit", NOT_REMOVABLE,
          "NoMedia", NOT_REMOVABLE,
          "ReadDefectData10", "the medium has no defect list: nothing wears",
          "ReadDefectData12", "the medium has no defect list: nothing wears",
          "ReadOnly", "the unit can be written to");

  private Skips() {}

  /// Why the suite does not apply, if it does not.
  static Optional<String> reasonFor(String suite) {
    return Optional.ofNullable(REASONS.get(suite));
  }
}
