package io.coppice.app;

import static io.coppice.app.WireArguments.element;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.coppice.app.VasaClient.Reply;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.LoggerFactory;

/// Requests that lack their body, are larger than what is kept of them, or come again and again:
/// the answers are short, have a type where there is an operation, and the log stays short too.
class BoundedAnswersTest {

  private static final String TEXT_XML = "text/xml; charset=UTF-8";
  private static final String SOAP_XML = "application/soap+xml; charset=UTF-8";
  private static final String SOAP_12 = "http://www.w3.org/2003/05/soap-envelope";
  private static final String LONG = "n".repeat(200_000);

  @RegisterExtension private static final SharedProvider provider = new SharedProvider();

  private static RightArguments arguments;
  private static VasaClient host;

  @BeforeAll
  static void open() throws Exception {
    provider.register();
    arguments = new RightArguments(provider.get(), "c1", "host-1", "iqn.2026-11.test:host-1");
    host = provider.client(provider.certificate("esx1.test"));
    host.openAsHost("host-1", "iqn.2026-11.test:host-1");
  }

  @Test
  void envelopeWithoutABodySaysSo() throws Exception {
    for (String inside : List.of("", " ", "<s:Header/>", "<!-- nothing -->")) {
      for (String version : List.of(VasaClient.SOAP_11, SOAP_12)) {
        String envelope = "<s:Envelope xmlns:s='%s'>%s</s:Envelope>".formatted(version, inside);
        boolean old = version.equals(VasaClient.SOAP_11);

        Reply reply = host.send(envelope, old ? TEXT_XML : SOAP_XML, false);

        assertThat(reply.status()).as(reply.text()).isBetween(400, 500);
        assertThat(reply.document().getDocumentElement().getNamespaceURI()).isEqualTo(version);
        assertThat(reply.value(old ? "faultstring" : "Text"))
            .as(envelope)
            .isEqualTo("expected an envelope with a Body, got one without");
      }
      assertThat(
              host.send(
                      "<s:Envelope xmlns:s='%s'>%s</s:Envelope>"
                          .formatted(VasaClient.SOAP_11, inside),
                      "urn:queryCatalog")
                  .value("faultstring"))
          .isEqualTo("expected an envelope with a Body, got one without");
    }
  }

  @Test
  void longNamesAreRefusedOrKeptButNotSaidBack() throws Exception {
    String pair =
        "<d:parameterName>VMW_VVolName</d:parameterName><d:parameterValue>%s</d:parameterValue>"
            .formatted(LONG);
    String key =
        "<d:parameterName>%s</d:parameterName><d:parameterValue>x</d:parameterValue>"
            .formatted(LONG);
    RightArguments.Hosts hosts = new RightArguments.Hosts(host, host, "host-1");
    String create = arguments.of("createVirtualVolume", hosts);
    String update = arguments.of("updateVirtualVolumeMetaData", hosts);
    String container = arguments.of("setStorageContainerContext", hosts);
    for (Map.Entry<String, String> each :
        List.of(
            Map.entry("createVirtualVolume", withMetadata(create, pair)),
            Map.entry("createVirtualVolume", withMetadata(create, key)),
            Map.entry("updateVirtualVolumeMetaData", withMetadata(update, pair)),
            Map.entry("updateVirtualVolumeMetaData", withMetadata(update, key)),
            Map.entry("setStorageContainerContext", container.replace("somebody", LONG)),
            Map.entry(
                "setContext",
                element("usageContext", "<d:hostGuid>%s</d:hostGuid>".formatted(LONG))),
            Map.entry(
                "setContext",
                element(
                    "usageContext",
                    "<d:hostGuid>host-1</d:hostGuid><d:subscribeEvent>%s</d:subscribeEvent>"
                        .formatted(LONG))))) {
      Reply reply = host.call(each.getKey(), each.getValue());

      assertThat(reply.fault()).as(each.getKey()).isEqualTo("InvalidArgument");
      assertThat(reply.text().length()).as(reply.text()).isLessThan(3000);
    }
  }

  private static String withMetadata(String arguments, String pair) {
    return arguments.replaceFirst("<d:parameterName>.*</d:parameterValue>", pair);
  }

  @Test
  void longProfileIsRefusedWithAShortTypedAnswer() throws Exception {
    RightArguments.Hosts hosts = new RightArguments.Hosts(host, host, "host-1");
    String right = arguments.of("updateStorageProfileForVirtualVolume", hosts);
    for (String wrong :
        List.of(
            right.replace("<p:name>none", "<p:name>" + LONG),
            right.replaceFirst("<p:profileId>[^<]*", "<p:profileId>" + LONG))) {
      Reply reply = host.call("updateStorageProfileForVirtualVolume", wrong);

      assertThat(reply.fault()).as(reply.text()).isEqualTo("InvalidProfile");
      assertThat(reply.text().length()).isLessThan(3000);
    }
  }

  @Test
  void longTextsThatAreNoCertificatesAreNotSaidBackWhole() throws Exception {
    Reply reply =
        host.register(provider.get().password(), List.of(LONG, "no certificate"), List.of());

    assertThat(reply.fault()).isEqualTo("InvalidCertificate");
    assertThat(reply.values("certificate").getLast()).isEqualTo("no certificate");
    assertThat(reply.text().length()).isLessThan(20_000);
  }

  @Test
  void catalogsAreCounted() throws Exception {
    int listed = host.callEmpty("queryCatalog").values("catalogUri").size();
    String type = element("entityType", "MessageCatalog");

    assertThat(listed).isPositive();
    assertThat(host.call("getNumberOfEntities", type).value("return"))
        .isEqualTo(String.valueOf(listed));
    assertThat(host.call("queryUniqueIdentifiersForEntity", type).values("return"))
        .hasSize(listed)
        .doesNotHaveDuplicates();
  }

  @Test
  void foreignSessionIdIsLoggedOnceAndNotForEachRequest() throws Exception {
    String id = host.openAsHost("host-1", "iqn.2026-11.test:host-1").value("sessionId");
    VasaClient thief = provider.client(provider.certificate("esx-" + UUID.randomUUID()));
    thief.useSession(id);
    var root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    var logged = new ListAppender<ILoggingEvent>();
    logged.start();
    root.addAppender(logged);
    try {
      for (int i = 0; i < 20; i++) {
        assertThat(thief.callEmpty("queryCatalog").fault()).isEqualTo("InvalidSession");
      }
    } finally {
      root.detachAppender(logged);
    }
    assertThat(List.copyOf(logged.list))
        .filteredOn(event -> event.getFormattedMessage().startsWith("session id shown"))
        .hasSize(1);
  }

  @Test
  void wsdlTellsThePortThatWasAsked() throws Exception {
    String asked = "https://127.0.0.1:" + provider.get().vasaPort() + "/vasa/services/";
    for (String service : List.of("vasaService", "vasaService1")) {
      String wsdl = host.get("/vasa/services/" + service + "?wsdl").body();

      var addresses = Pattern.compile("address location=\"([^\"]*)\"").matcher(wsdl);
      assertThat(addresses.results().map(found -> found.group(1)))
          .as(wsdl)
          .hasSize(2)
          .containsOnly(asked + service);
    }
  }
}
