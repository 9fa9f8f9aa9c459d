package io.coppice.driver.soap;

import org.jspecify.annotations.Nullable;

/// Opening a session, contract 4.2 and 5.1.
public final class SessionCalls {
  private final VasaClient client;

  SessionCalls(VasaClient client) {
    this.client = client;
  }

  /// Opens a session; from here on the client sends its cookie. Null leaves the argument out.
  public ProviderInfo setContext(@Nullable UsageContext context) {
    Xml reply =
        client.ask(
            "setContext",
            x -> {
              if (context == null) {
                x.absent("ns:usageContext");
              } else {
                x.element("ns:usageContext", context::write);
              }
            });
    return ProviderInfo.of(reply.one("ns:return"));
  }
}
