package io.coppice.it;

import static io.coppice.it.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.driver.pki.CertificateAuthority;
import io.coppice.driver.soap.UsageContext;
import io.coppice.driver.soap.VasaClient;
import io.coppice.driver.soap.VasaFault;
import io.coppice.driver.vcenter.VCenter;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Callers that may not call and requests that are none: each ends in the right fault, and nothing
/// is changed.
class VasaAccessIT {

  private static final int REQUEST_LIMIT = 8 << 20;
  private static final String ENVELOPE =
      "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\""
          + " xmlns:ns=\"http://com.vmware.vim.vasa/2.0/xsd\"><s:Body>%s</s:Body></s:Envelope>";

  @RegisterExtension private static final SharedSite shared = new SharedSite();

  private static String volume;

  private SiteState before;

  @BeforeAll
  static void start() {
    volume = shared.site().create("Data", 4, Map.of("VMW_VVolName", "coveted"));
  }

  @BeforeEach
  void remember() {
    before = SiteState.of(shared.site());
  }

  @AfterEach
  void nothingChanged() {
    assertThat(SiteState.of(shared.site())).isEqualTo(before);
    assertThat(shared.site().vcenter().client().registration().queryCACertificates()).hasSize(1);
  }

  @Test
  void aSessionIsWorthNothingToAnotherCertificate() {
    String stolen = shared.site().host().client().session();
    VCenter vcenter = shared.site().vcenter();
    try (VasaClient thief = Wrong.client(shared.site(), vcenter.authority().issueClient("thief"));
        VasaClient stranger =
            Wrong.client(
                shared.site(), CertificateAuthority.create("elsewhere").issueClient("host"))) {
      for (VasaClient client : List.of(thief, stranger)) {
        client.useSession(stolen);
        assertNoSession("a stolen session", client);
      }
    }
    assertThat(shared.site().host().client().volumes().queryVirtualVolumeInfo(List.of(volume)))
        .hasSize(1);
  }

  @Test
  void withoutASessionNothingIsAnswered() {
    VCenter vcenter = shared.site().vcenter();
    try (VasaClient client = Wrong.client(shared.site(), vcenter.authority().issueClient("late"))) {
      assertNoSession("no session", client);
      client.useSession("00000000000000000000000000000000");
      assertNoSession("an unknown session", client);
      client.useSession(null);
      UsageContext host = UsageContext.ofHost(Wrong.uuid(), "iqn.1998-01.com.vmware:late");
      client.sessions().setContext(host);
      String first = client.session();
      client.sessions().setContext(host);
      client.useSession(first);
      assertNoSession("a session that another one replaced", client);
    }
  }

  @Test
  void anUnknownCertificateOpensNoSessionAndEndsNoRegistration() {
    CertificateAuthority authority = CertificateAuthority.create("stranger");
    try (VasaClient stranger = Wrong.client(shared.site(), authority.issueClient("stranger"));
        VasaClient expired =
            Wrong.client(
                shared.site(),
                shared
                    .site()
                    .vcenter()
                    .authority()
                    .issueClient("old", CertificateAuthority.Validity.EXPIRED))) {
      for (VasaClient client : List.of(stranger, expired)) {
        assertFault(
            "setContext",
            VasaFault.INVALID_SESSION,
            () -> client.sessions().setContext(UsageContext.ofVcenter(Wrong.uuid())));
        assertFault(
            "unregisterVASACertificate",
            VasaFault.INVALID_SESSION,
            () ->
                client
                    .registration()
                    .unregisterVASACertificate(
                        shared.site().vcenter().authority().certificatePem()));
      }
      assertFault(
          "registration with a wrong password",
          "InvalidLogin",
          () ->
              stranger
                  .registration()
                  .registerCACertificatesAndCRLs(
                      "vasa", "wrong", List.of(authority.certificatePem()), List.of()));
      assertFault(
          "registration under a wrong name",
          "InvalidLogin",
          () ->
              stranger
                  .registration()
                  .registerCACertificatesAndCRLs(
                      "admin",
                      shared.provider().process().vasaPassword(),
                      List.of(authority.certificatePem()),
                      List.of()));
      assertFault(
          "setContext after failed registrations",
          VasaFault.INVALID_SESSION,
          () -> stranger.sessions().setContext(UsageContext.ofVcenter(Wrong.uuid())));
    }
  }

  @Test
  void aHostDoesNotPassForTheVcenter() {
    VasaClient host = shared.site().host().client();

    assertFault(
        "roots from a host",
        "PermissionDenied",
        () ->
            host.registration()
                .refreshCACertificatesAndCRLs(
                    List.of(CertificateAuthority.create("a host's own").certificatePem()),
                    List.of()));
    try (VasaClient client = Wrong.client(shared.site(), shared.site().host().identity())) {
      assertFault(
          "a host that says it is a vCenter",
          "InvalidArgument",
          () -> client.sessions().setContext(UsageContext.ofVcenter(Wrong.uuid())));
      assertFault(
          "a host that says it is this vCenter",
          "InvalidArgument",
          () ->
              client.sessions().setContext(UsageContext.ofVcenter(shared.site().vcenter().guid())));
    }
  }

  @Test
  void requestsThatAreNoRequestsAreRefusedWithoutAWordOfTheInside() {
    String delete =
        "<ns:deleteVirtualVolume><ns:vvolId>" + volume + "</ns:vvolId></ns:deleteVirtualVolume>";
    Map<String, String> requests =
        Map.of(
            "nothing", "",
            "no XML", "delete everything",
            "XML that breaks off", ENVELOPE.formatted(delete).substring(0, 200),
            "no envelope", delete,
            "a document type",
                "<!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>"
                    + ENVELOPE.formatted(delete.replace(volume, "&e;")),
            "an unknown operation", ENVELOPE.formatted("<ns:deleteEverything/>"),
            "an unknown namespace",
                ENVELOPE.formatted(delete).replace("vasa/2.0/xsd", "vasa/9.0/xsd"),
            "an empty body", ENVELOPE.formatted(""),
            "a number that is none",
                ENVELOPE.formatted(
                    "<ns:resizeVirtualVolume><ns:vvolId>%s</ns:vvolId>".formatted(volume)
                        + "<ns:sizeInMB>many</ns:sizeInMB></ns:resizeVirtualVolume>"),
            "an endless nest", ENVELOPE.formatted("<a>".repeat(2000) + "</a>".repeat(2000)));

    requests.forEach(
        (what, request) -> {
          VasaClient.RawReply reply = post(request);

          assertThat(reply.status()).as("%s: %s", what, reply.text()).isBetween(400, 500);
          assertThat(reply.text())
              .as(what)
              .contains("Fault")
              .doesNotContain("Exception", "java.", "io.coppice", "\tat ", "root:");
        });
  }

  @Test
  void aRequestBeyondTheLimitIsRefused() {
    String request =
        ENVELOPE.formatted(
            "<ns:deleteVirtualVolume><ns:vvolId>%s</ns:vvolId></ns:deleteVirtualVolume>"
                .formatted(volume + " ".repeat(REQUEST_LIMIT)));

    VasaClient.RawReply reply = post(request);

    assertThat(reply.status()).isEqualTo(413);
    assertThat(reply.text()).contains("at most " + REQUEST_LIMIT + " bytes");
  }

  private static void assertNoSession(String what, VasaClient client) {
    Map<String, Runnable> calls = new HashMap<>();
    calls.put("delete", () -> client.volumes().deleteVirtualVolume(volume));
    calls.put("resize", () -> client.volumes().resizeVirtualVolume(volume, 8));
    calls.put(
        "create",
        () ->
            client
                .volumes()
                .createVirtualVolume(
                    shared.site().container(), "Data", null, 1, Map.of("VMW_VVolType", "Data")));
    calls.put("bind", () -> client.bindings().bindVirtualVolume(List.of(volume), "Normal"));
    calls.put("list", () -> client.volumes().queryVirtualVolume(Map.of("VMW_VVolType", "Data")));
    calls.put("catalog", () -> client.inventory().queryCatalog());
    calls.put("events", () -> client.events().getEvents(-1));
    calls.put(
        "refresh",
        () -> client.registration().refreshCACertificatesAndCRLs(List.of("none"), List.of()));
    calls.forEach(
        (name, call) -> assertFault(name + " with " + what, VasaFault.INVALID_SESSION, call::run));
  }

  private static VasaClient.RawReply post(String request) {
    return shared
        .site()
        .host()
        .client()
        .post(
            request.getBytes(StandardCharsets.UTF_8),
            Map.of(
                "Content-Type",
                "text/xml; charset=UTF-8",
                "SOAPAction",
                "\"urn:deleteVirtualVolume\"",
                "Cookie",
                "VASASESSIONID=" + shared.site().host().client().session()));
  }
}
