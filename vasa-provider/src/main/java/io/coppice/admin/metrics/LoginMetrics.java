package io.coppice.admin.metrics;

import io.coppice.admin.login.WrongSecrets;
import io.prometheus.metrics.model.snapshots.Labels;
import org.springframework.stereotype.Component;

/// The metrics about wrong passwords and tokens.
@Component
final class LoginMetrics implements MetricSource {

  private final WrongSecrets guesses;

  LoginMetrics(WrongSecrets guesses) {
    this.guesses = guesses;
  }

  @Override
  public void addTo(Sheet sheet) {
    String meaning = "Wrong passwords and tokens of REST since the start.";
    sheet.counter(
        "coppice_wrong_secrets_total",
        meaning,
        guesses.wrongPasswords(),
        Labels.of("kind", "password"));
    sheet.counter(
        "coppice_wrong_secrets_total", meaning, guesses.wrongTokens(), Labels.of("kind", "token"));
    sheet.counter(
        "coppice_unlooked_secrets_total",
        "Passwords and tokens that were not looked at, since too many wrong ones came.",
        guesses.unlooked());
  }
}
