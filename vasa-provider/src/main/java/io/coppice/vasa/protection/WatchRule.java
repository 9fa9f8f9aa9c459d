package io.coppice.vasa.protection;

import java.time.Duration;

/// The rule of a policy for the moment at which the ransomware watch suspects a volume.
///
/// @param alert whether there is an alert
/// @param lock how long the recovery point is locked that is taken then; zero for none
public record WatchRule(boolean alert, Duration lock) {

  /// The rule of a policy that says nothing: an alert and nothing else.
  public static final WatchRule USUAL = new WatchRule(true, Duration.ZERO);
}
