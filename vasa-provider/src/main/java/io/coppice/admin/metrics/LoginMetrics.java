package io.coppice.admin.metrics;

import io.coppice.admin.login.PasswordLogin;
import io.coppice.admin.login.WrongSecrets;
import io.prometheus.metrics.model.snapshots.Labels;
import org.springframework.stereotype.Component;

/// The metrics about passwords and tokens that were checked.
@Component
final class LoginMetrics implements MetricSource {

  private final WrongSecrets guesses;
  private final PasswordLogin login;

  LoginMetrics(WrongSecrets guesses, PasswordLogin login) {
    this.guesses = guesses;
    this.login = login;
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
    sheet.counter(
        "coppice_password_hashes_total",
        "Hashes of passwords that were computed since the start.",
        login.hashesComputed());
  }
}
