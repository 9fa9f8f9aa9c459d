package io.coppice.vasa.soap.translate;

import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.session.SessionLimits;
import io.coppice.vasa.session.UsageContext;
import io.coppice.vasa.soap.fault.Batches;
import io.coppice.vasa.soap.value.Xml;
import io.coppice.wsdl.data.HostInitiatorInfo;
import io.coppice.wsdl.data.ObjectFactory;
import io.coppice.wsdl.data.VasaProviderInfo;
import io.coppice.wsdl.data.VendorModel;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// The translation of `UsageContext` to values, and of values to `VasaProviderInfo`.
@Component
public final class SessionMapper {

  /// `sessionId` of a reply that opened none.
  public static final String NO_SESSION = "0";

  /// Longest guid or initiator name that a client may use.
  private static final int LONGEST_NAME = 200;

  /// Types of events that a client may want; the contract has five.
  private static final int MOST_EVENTS = 100;

  private static final ObjectFactory DATA = new ObjectFactory();

  private final ProviderIdentity identity;
  private final SessionLimits sessions;

  public SessionMapper(ProviderIdentity identity, SessionLimits sessions) {
    this.identity = identity;
    this.sessions = sessions;
  }

  /// This provider's identity for its clients.
  ///
  /// @param name shown in vCenter
  /// @param uid stable id
  /// @param version of the software
  /// @param apiVersion newest VASA version it speaks
  public record ProviderIdentity(String name, String uid, String version, String apiVersion) {}

  public static UsageContext usageContext(io.coppice.wsdl.data.@Nullable UsageContext wire) {
    if (wire == null) {
      throw VasaException.invalidArgument("expected a usageContext, got none");
    }
    Set<String> initiators = new HashSet<>();
    for (HostInitiatorInfo initiator : Xml.all(wire.getHostInitiator(), "hostInitiator")) {
      String name = Xml.text(initiator.getIscsiIdentifier());
      if (name != null) {
        initiators.add(name("iscsiIdentifier", name));
      }
    }
    return new UsageContext(
        name("vcGuid", Xml.text(wire.getVcGuid())),
        name("hostGuid", Xml.text(wire.getHostGuid())),
        initiators,
        events(Xml.all(wire.getSubscribeEvent(), "subscribeEvent")),
        wire.getSessionTimeoutInSeconds());
  }

  /// The wanted types, of limited number: they stay as long as the session.
  private static Set<String> events(List<String> types) {
    Set<String> distinct = new HashSet<>(types);
    if (distinct.size() > MOST_EVENTS
        || distinct.stream().anyMatch(type -> type.length() > LONGEST_NAME)) {
      throw VasaException.invalidArgument(
          "expected at most %d types of events of at most %d characters in subscribeEvent"
              .formatted(MOST_EVENTS, LONGEST_NAME));
    }
    return distinct;
  }

  @org.jspecify.annotations.NullUnmarked
  private static String name(String element, String text) {
    if (text == null) {
      return null;
    }
    boolean bad = text.chars().anyMatch(c -> c <= ' ' || c == '/' || c > '~');
    if (bad || text.length() > LONGEST_NAME) {
      throw VasaException.invalidArgument(
          "expected a %s of at most %d printable ASCII characters without '/', got one of %d"
              .formatted(element, LONGEST_NAME, text.length()));
    }
    return text.toLowerCase(Locale.ROOT);
  }

  public VasaProviderInfo providerInfo(String sessionId, boolean retainsCertificate) {
    var info = new VasaProviderInfo();
    info.setDefaultNamespace(DATA.createVasaProviderInfoDefaultNamespace("io.coppice"));
    info.setDefaultSessionTimeoutInSeconds(sessions.defaultTimeout().toSeconds());
    info.setMaxBatchSize((long) Batches.MAX_SIZE);
    info.setMaxConcurrentRequestsPerSession((long) sessions.concurrentCalls());
    info.setName(DATA.createVasaProviderInfoName(identity.name()));
    info.setNeedsExplicitActivation(false);
    info.setRetainVasaProviderCertificate(retainsCertificate);
    info.setSessionId(DATA.createVasaProviderInfoSessionId(sessionId));
    info.getSupportedProfile().add("ProfileBasedManagementProfile");
    info.getSupportedVendorModel().add(vendorModel());
    info.setUid(identity.uid());
    info.setVasaApiVersion(DATA.createVasaProviderInfoVasaApiVersion(identity.apiVersion()));
    info.setVasaProviderVersion(DATA.createVasaProviderInfoVasaProviderVersion(identity.version()));
    return info;
  }

  private VendorModel vendorModel() {
    var model = new VendorModel();
    model.setModelId(DATA.createVendorModelModelId(InventoryMapper.MODEL));
    model.setVendorId(DATA.createVendorModelVendorId(InventoryMapper.VENDOR));
    return model;
  }
}
