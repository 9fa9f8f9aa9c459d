package io.coppice.app;

import static io.coppice.app.WireArguments.element;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.app.VasaClient.Reply;
import io.coppice.vasa.certificate.Issuer;
import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.certificate.ServedCertificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// A vCenter with an authority of its own, and its hosts: one registration.
final class Site {

  private static final Duration YEAR = Duration.ofDays(365);

  private final TestProvider provider;
  private final String name;
  private final String vcenterGuid;
  private Issuer authority;

  Site(TestProvider provider, String name) {
    this(provider, name, UUID.randomUUID().toString());
  }

  /// @param vcenterGuid what its vCenter calls itself
  Site(TestProvider provider, String name, String vcenterGuid) {
    this.provider = provider;
    this.vcenterGuid = vcenterGuid;
    this.name = name + "-" + UUID.randomUUID().toString().substring(0, 8);
    this.authority = Issuer.create(this.name, Instant.now(), YEAR);
  }

  /// A client with its session, and what it is called.
  record Member(VasaClient client, String guid) {

    Reply call(String operation, String arguments) throws Exception {
      return client.call(operation, arguments);
    }

    /// A call that is answered.
    Reply done(String operation, String arguments) throws Exception {
      Reply reply = call(operation, arguments);
      assertThat(reply.status()).as(reply.text()).isEqualTo(200);
      return reply;
    }
  }

  /// Registers with the password and opens the vCenter's session.
  Member register() throws Exception {
    Reply registered =
        new VasaClient(provider.vasaPort(), null)
            .register(provider.password(), List.of(root()), List.of());
    assertThat(registered.status()).as(registered.text()).isEqualTo(200);
    return vcenter();
  }

  /// A new authority: its next registration is another set of roots.
  void renewAuthority() {
    authority = Issuer.create(name + " renewed", Instant.now(), YEAR);
  }

  /// Another session of the vCenter.
  Member vcenter() throws Exception {
    var client = new VasaClient(provider.vasaPort(), certificate("vcenter"));
    opened(client.openAsVcenter(vcenterGuid));
    return new Member(client, vcenterGuid);
  }

  /// A session of a host that sees all protocol endpoints.
  Member host(String hostName) throws Exception {
    String guid = name + "-" + hostName;
    var client = new VasaClient(provider.vasaPort(), certificate(hostName));
    opened(client.openAsHost(guid, "iqn.2026-11.test:" + guid));
    opened(
        client.call(
            "setPEContext",
            "<ns:listOfHostPE xmlns:v='http://vvol.data.vasa.vim.vmware.com/xsd'><v:inBandBindCapability>None</v:inBandBindCapability><v:inBandId>"
                + "<v:lunId>%s</v:lunId><v:protocolEndpointType>SCSI</v:protocolEndpointType></v:inBandId></ns:listOfHostPE>"
                    .formatted(client.call("queryProtocolEndpoint", "").value("lunId"))));
    return new Member(client, guid);
  }

  /// Its authority, PEM.
  String root() {
    return Pem.of(authority.served().leaf());
  }

  ServedCertificate certificate(String ofWhom) {
    return authority.issue(List.of(ofWhom + "." + name + ".test"), Instant.now(), YEAR);
  }

  /// Binds a volume for a host.
  static void bind(Member host, String volume) throws Exception {
    Reply reply =
        host.done(
            "bindVirtualVolume", element("vvolId", volume) + element("bindContext", "Normal"));
    assertThat(reply.values("vvolHandle")).as(reply.text()).hasSize(1);
  }

  private static void opened(Reply reply) {
    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
  }
}
