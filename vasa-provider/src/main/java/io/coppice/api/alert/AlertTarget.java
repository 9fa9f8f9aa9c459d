package io.coppice.api.alert;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A place where alerts are sent. What is secret, also the URL of a webhook, is never shown.
///
/// @param kind `webhook` or `mail`
/// @param severity of the least alerts that are sent there, `warning` or `critical`
/// @param server host and port
/// @param security of a mail server: `starttls`, `tls` or `none`; null for a webhook
/// @param user of a mail server; null without one
/// @param from sender of mails; null for a webhook
/// @param to recipients of mails; null for a webhook
/// @param ca certificates in PEM; null for the authorities of Java
/// @param secret whether there is one
/// @param waiting messages that wait
/// @param lost messages that were given up since the start
/// @param obstacle why the last attempt failed; null if it did not
/// @param delivered when something arrived last since the start; null for never
/// @param test what became of the last test since the start; null for none
public record AlertTarget(
    UUID id,
    String name,
    String kind,
    boolean enabled,
    String severity,
    String server,
    @Nullable String security,
    @Nullable String user,
    @Nullable String from,
    @Nullable List<String> to,
    @Nullable String ca,
    boolean secret,
    int waiting,
    long lost,
    @Nullable String obstacle,
    @Nullable Instant delivered,
    @Nullable AlertTargetTest test) {

  /// A test of a target.
  ///
  /// @param outcome `waiting`, `delivered` or `failed`
  /// @param reason null if it did not fail
  public record AlertTargetTest(UUID id, Instant at, String outcome, @Nullable String reason) {}
}
