package io.coppice.driver.soap;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// The client that opens a session: `hostGuid` for an ESXi host, `vcGuid` for vCenter.
///
/// `timeoutSeconds` below 0 leaves the session's timeout to the provider.
public record UsageContext(
    @Nullable String hostGuid,
    List<String> iscsiInitiators,
    long timeoutSeconds,
    List<String> subscribedEvents,
    @Nullable String vcGuid) {
  private static final List<String> ALL_EVENTS =
      List.of("System", "Config", "Policy", "ConfigProtocolEndpoint", "Rebind");

  public UsageContext {
    iscsiInitiators = List.copyOf(iscsiInitiators);
    subscribedEvents = List.copyOf(subscribedEvents);
  }

  public static UsageContext ofHost(String hostGuid, String iscsiInitiator) {
    return new UsageContext(
        hostGuid, List.of(iscsiInitiator), 1800, List.of("ConfigProtocolEndpoint", "Rebind"), null);
  }

  public static UsageContext ofVcenter(String vcGuid) {
    return new UsageContext(null, List.of(), 1800, ALL_EVENTS, vcGuid);
  }

  void write(XmlText xml) {
    xml.optional("data:hostGuid", hostGuid);
    for (String initiator : iscsiInitiators) {
      xml.element(
          "data:hostInitiator",
          info ->
              info.text("data:uniqueIdentifier", initiator)
                  .text("data:iscsiIdentifier", initiator)
                  .absent("data:nodeWwn")
                  .absent("data:portWwn"));
    }
    if (timeoutSeconds >= 0) {
      xml.text("data:sessionTimeoutInSeconds", timeoutSeconds);
    }
    xml.each("data:subscribeEvent", subscribedEvents);
    xml.optional("data:vcGuid", vcGuid);
  }
}
