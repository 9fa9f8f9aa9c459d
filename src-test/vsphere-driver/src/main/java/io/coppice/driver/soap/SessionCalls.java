package io.coppice.driver.soap;

import org.jspecify.annotations.Nullable;

/// Opening a session and making a provider the active one, contract 4.2 and 5.1.
public final class SessionCalls {
  private final Exchange exchange;

  SessionCalls(Exchange exchange) {
    this.exchange = exchange;
  }

  /// Opens a session; from here on the client sends its cookie. Null leaves the argument out.
  public ProviderInfo setContext(@Nullable UsageContext context) {
    return exchange.one(
        "setContext",
        ProviderInfo::of,
        x -> {
          if (context == null) {
            x.absent("ns:usageContext");
          } else {
            x.element("ns:usageContext", context::write);
          }
        });
  }

  /// Makes this provider the active one of `entityId`.
  public void activateProvider(String entityId) {
    exchange.send("activateProvider", x -> x.text("ns:entityId", entityId));
  }

  /// As [#activateProvider], as a task.
  ///
  /// @param activeUrl the provider that was active until now, null if it is not known
  public TaskInfo activateProviderEx(String entityId, @Nullable String activeUrl) {
    return exchange.one(
        "activateProviderEx",
        TaskInfo::of,
        x ->
            x.element(
                "ns:activationSpec",
                spec ->
                    spec.optional("data:currentActiveProviderUrl", activeUrl)
                        .text("data:entityId", entityId)));
  }
}
