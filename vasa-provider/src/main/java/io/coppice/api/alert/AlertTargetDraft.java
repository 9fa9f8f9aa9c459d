package io.coppice.api.alert;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A target as a client wants it. In a change, what is null stays.
///
/// @param kind `webhook` or `mail`; never changes
/// @param severity `warning` or `critical`
/// @param url of a webhook
/// @param server of a mail server: host and port
/// @param security of a mail server: `starttls`, `tls` or `none`
/// @param user of a mail server; empty for none
/// @param ca certificates in PEM; empty for the authorities of Java
/// @param secret key of signatures, or password
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AlertTargetDraft(
    @Nullable String name,
    @Nullable String kind,
    @Nullable Boolean enabled,
    @Nullable String severity,
    @Nullable String url,
    @Nullable String server,
    @Nullable String security,
    @Nullable String user,
    @Nullable String from,
    @Nullable List<String> to,
    @Nullable String ca,
    @Nullable String secret) {

  /// Never the secrets.
  @Override
  public String toString() {
    return "AlertTargetDraft[%s]".formatted(name);
  }
}
