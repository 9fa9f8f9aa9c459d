package io.coppice.driver.vcenter;

import io.coppice.driver.pki.CertificateAuthority;
import io.coppice.driver.pki.Identity;
import io.coppice.driver.pki.Pem;
import io.coppice.driver.pki.ServerTrust;
import io.coppice.driver.soap.CallLog;
import io.coppice.driver.soap.ClientOptions;
import io.coppice.driver.soap.ContainerSpaceStats;
import io.coppice.driver.soap.ProviderInfo;
import io.coppice.driver.soap.StorageAlarm;
import io.coppice.driver.soap.StorageEvent;
import io.coppice.driver.soap.UsageContext;
import io.coppice.driver.soap.VasaClient;
import io.coppice.driver.soap.VersionDocument;
import java.io.IOException;
import java.net.URI;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A vCenter with its own certificate authority, client certificate and id.
///
/// It registers a provider, signs its certificate, opens a session, reads everything and polls for
/// events, in the orders of contract §8.1. One thread at a time.
public final class VCenter implements AutoCloseable {
  private final CertificateAuthority authority;
  private final Identity identity;
  private final String guid;
  private final ClientOptions options;
  private final CallLog log;
  private final String name;
  private @Nullable URI service;
  private @Nullable VasaClient client;
  private @Nullable ProviderInfo info;
  private boolean signed;
  private String thumbprint = "";
  private long lastEvent = -1;
  private long lastAlarm = -1;

  /// A vCenter named `name`, with a new authority of its own.
  public VCenter(String name, ClientOptions options, CallLog log) {
    this(name, CertificateAuthority.create(name + " VMCA"), options, log);
  }

  /// A vCenter that shares an authority with others.
  public VCenter(String name, CertificateAuthority authority, ClientOptions options, CallLog log) {
    this(
        name,
        new Being(authority, authority.issueClient(name + " sms"), UUID.randomUUID().toString()),
        options,
        log);
  }

  /// A vCenter with this authority, certificate and id: one that was there before, or is to expire.
  public VCenter(String name, Being being, ClientOptions options, CallLog log) {
    this.name = name;
    this.authority = being.authority();
    this.identity = being.identity();
    this.guid = being.guid();
    this.options = options;
    this.log = log;
  }

  /// The identity of a vCenter.
  public record Being(CertificateAuthority authority, Identity identity, String guid) {}

  public CertificateAuthority authority() {
    return authority;
  }

  public Identity identity() {
    return identity;
  }

  public String guid() {
    return guid;
  }

  /// Registers the provider whose version.xml stands at `versionXml` and opens a session with it.
  ///
  /// The certificate shown at first contact is accepted by its thumbprint, as after an
  /// administrator confirmed it. Unless the provider keeps its own, its request is signed,
  /// registered, and must be what a new TLS connection shows.
  public ProviderInfo register(URI versionXml, String user, String password) throws IOException {
    thumbprint = Pem.thumbprint(ServerTrust.firstContact(versionXml));
    try (VasaClient first = client(versionXml, ServerTrust.thumbprint(thumbprint))) {
      service = announced(versionXml, first);
    }
    VasaClient registering = client(service(), ServerTrust.thumbprint(thumbprint));
    client = registering;
    ProviderInfo registered =
        registering
            .registration()
            .registerCACertificatesAndCRLs(
                user,
                password,
                List.of(authority.certificatePem()),
                List.of(authority.crlPem(List.of())));
    if (!registered.retainCertificate()) {
      renewCertificate();
    }
    return openSession();
  }

  private static URI announced(URI versionXml, VasaClient client) {
    VasaClient.RawReply reply = client.get(versionXml);
    if (reply.status() != 200) {
      throw new IllegalStateException(
          "%s: expected HTTP 200, got %d".formatted(versionXml, reply.status()));
    }
    return VersionDocument.parse(versionXml, reply.text()).versions().getLast().service();
  }

  /// Asks for a request, signs it and registers the result; also the renewal of a certificate.
  ///
  /// @throws IllegalStateException if a new connection shows another certificate
  public X509Certificate renewCertificate() throws IOException {
    String csr = client().registration().requestCSR();
    X509Certificate certificate = authority.signServer(csr);
    client().registration().registerCASignedProviderCertificate(Pem.encode(certificate), true);
    X509Certificate shown = ServerTrust.firstContact(service());
    if (!shown.equals(certificate)) {
      throw new IllegalStateException(
          "expected a new connection to show serial %x, got %x"
              .formatted(certificate.getSerialNumber(), shown.getSerialNumber()));
    }
    signed = true;
    String session = client().session();
    reconnect();
    client().useSession(session);
    return certificate;
  }

  /// Replaces the connections: new TLS, no cookie. Call [#openSession] next.
  public void reconnect() {
    VasaClient old = client;
    if (old != null) {
      old.close();
    }
    client = client(service(), trust());
  }

  /// Opens a session, and again by itself whenever the provider has forgotten it.
  public ProviderInfo openSession() {
    VasaClient now = client();
    ProviderInfo opened = now.sessions().setContext(UsageContext.ofVcenter(guid));
    now.renewSessionWith(() -> now.sessions().setContext(UsageContext.ofVcenter(guid)));
    info = opened;
    return opened;
  }

  /// The description of the provider in the reply to the last [#openSession].
  public ProviderInfo info() {
    if (info == null) {
      throw new IllegalStateException("expected a session, got none: register first");
    }
    return info;
  }

  /// Reads everything, in the order of contract §8.1 step 6.
  public Inventory sync() {
    VasaClient now = client();
    var inventory = now.inventory();
    var catalogs = inventory.queryCatalog();
    var arrays = inventory.queryArrays(List.of());
    List<String> containerIds = new ArrayList<>();
    List<String> endpointIds = new ArrayList<>();
    for (var array : arrays) {
      containerIds.addAll(inventory.queryStorageContainerForArray(array.id()));
      endpointIds.addAll(inventory.queryProtocolEndpointForArray(array.id()));
    }
    var containers = inventory.queryStorageContainer(List.of());
    var schemas = now.policies().queryCapabilityMetadata(List.of());
    var profiles = now.policies().queryCapabilityProfile(List.of());
    now.policies().queryCapabilityProfileForResource(containerIds);
    for (String id : containerIds) {
      now.policies().queryDefaultProfileForStorageContainer(id, List.of("Data"));
    }
    return new Inventory(
        catalogs, arrays, containers, containerIds, endpointIds, schemas, profiles);
  }

  /// Events since the last poll, as vCenter asks for them every 10 s.
  public List<StorageEvent> pollEvents() {
    List<StorageEvent> events = client().events().getEvents(lastEvent);
    for (StorageEvent event : events) {
      if (event.id() <= lastEvent) {
        throw new IllegalStateException(
            "expected an event id above %d, got %d".formatted(lastEvent, event.id()));
      }
      lastEvent = event.id();
    }
    return events;
  }

  /// Alarms since the last poll.
  public List<StorageAlarm> pollAlarms() {
    List<StorageAlarm> alarms = client().events().getAlarms(lastAlarm);
    for (StorageAlarm alarm : alarms) {
      lastAlarm = Math.max(lastAlarm, alarm.id());
    }
    return alarms;
  }

  /// Space of a whole container.
  public ContainerSpaceStats space(String containerId) {
    return client().inventory().spaceStatsForStorageContainer(containerId, List.of()).getFirst();
  }

  /// Hands the provider the present root and revocation list, with `revoked` on it.
  public void refreshTrust(List<X509Certificate> revoked) {
    client()
        .registration()
        .refreshCACertificatesAndCRLs(
            List.of(authority.certificatePem()), List.of(authority.crlPem(revoked)));
  }

  /// Removes this vCenter's certificate and so its registration.
  public void unregister() {
    client().registration().unregisterVASACertificate(authority.certificatePem());
    client().renewSessionWith(null);
  }

  /// Where hosts reach the service.
  public URI service() {
    if (service == null) {
      throw new IllegalStateException("expected a registered provider, got none");
    }
    return service;
  }

  /// How hosts of this vCenter judge the provider's certificate.
  public ServerTrust trust() {
    return signed
        ? ServerTrust.authorities(List.of(authority.certificate()))
        : ServerTrust.thumbprint(thumbprint);
  }

  /// The client below, for calls that have no method here.
  public VasaClient client() {
    if (client == null) {
      throw new IllegalStateException("expected a registered provider, got none");
    }
    return client;
  }

  private VasaClient client(URI uri, ServerTrust trust) {
    return new VasaClient(uri, name, trust.context(identity), options, log);
  }

  @Override
  public void close() {
    if (client != null) {
      client.close();
    }
  }
}
