package io.coppice.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.coppice.app.VasaClient.Reply;
import io.coppice.app.WireArguments.Argument;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.vasa.certificate.ServedCertificate;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.session.TrustSets;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.wsdl.service.VasaServicePortType;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/// Arguments that are not what their client meant: absent, in no namespace or in another one,
/// misspelt, said twice, or a text where elements belong. None of them is taken for absent in
/// silence.
class ArgumentsTest {

  @RegisterExtension private static final SharedProvider provider = new SharedProvider();

  private static VasaClient vcenter;
  private static VasaClient host;

  @BeforeAll
  static void connect() throws Exception {
    ServedCertificate certificate = provider.certificate("vcenter.test");
    vcenter = provider.client(certificate);
    host = provider.client(provider.certificate("esx1.test"));
  }

  @BeforeEach
  void openSessions() throws Exception {
    provider.register();
    vcenter.useSession(null);
    vcenter.openAsVcenter("vc-1");
    host.useSession(null);
    host.openAsHost("host-1", "iqn.2026-11.test:host-1");
  }

  static List<Method> operations() {
    return Stream.of(VasaServicePortType.class.getDeclaredMethods())
        .sorted(java.util.Comparator.comparing(Method::getName))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("operations")
  void argumentOfNoOrAnotherNamespaceIsNamedInAListedFault(Method operation) throws Exception {
    for (Argument argument : WireArguments.of(operation.getName()).values()) {
      String name = argument.name();
      for (String sent :
          List.of(
              "<%s>x</%s>".formatted(name, name),
              "<d:%s>x</d:%s>".formatted(name, name),
              "<o:%s xmlns:o='urn:other'>x</o:%s>".formatted(name, name),
              "<ns:%s>x</ns:%s>"
                  .formatted(name.toUpperCase(Locale.ROOT), name.toUpperCase(Locale.ROOT)))) {
        for (VasaClient caller : List.of(vcenter, host)) {
          assertRefused(operation, name, sent, caller.call(operation.getName(), sent));
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("operations")
  void mandatoryArgumentThatIsAbsentIsRefusedByAListedFault(Method operation) throws Exception {
    Map<String, Argument> all = WireArguments.of(operation.getName());
    for (Argument argument : all.values()) {
      if (argument.mandatory()) {
        Map<String, String> others = new LinkedHashMap<>();
        all.values().stream()
            .filter(other -> !other.equals(argument))
            .forEach(other -> others.put(other.name(), plausible(other)));
        Reply reply = vcenter.call(operation.getName(), WireArguments.elements(others));
        assertRefused(operation, argument.name(), others.toString(), reply);
      }
    }
  }

  /// A value that the reader takes; what the operation thinks of it does not matter.
  private static String plausible(Argument argument) {
    return switch (argument.kind()) {
      case "long", "int" -> "1";
      case "boolean" -> "false";
      case "string" -> "x";
      default -> "";
    };
  }

  private static void assertRefused(Method operation, String argument, String sent, Reply reply) {
    String what = operation.getName() + " with " + sent + ": " + reply.text();
    Set<String> listed =
        Arrays.stream(operation.getExceptionTypes())
            .map(type -> type.getSimpleName().replace("Exception", ""))
            .collect(Collectors.toSet());
    assertThat(reply.status()).as(what).isEqualTo(500);
    assertThat(listed).as(what).contains(reply.fault());
    assertThat(reply.fault()).as(what).isNotEqualTo("InvalidSession");
    if (listed.contains("InvalidArgument")) {
      assertThat(reply.fault()).as(what).isEqualTo("InvalidArgument");
    }
    assertThat(reply.value("faultstring")).as(what).contains("expected", argument);
  }

  @Test
  void noFormOfAnAbsentCertificateEndsARegistration() throws Exception {
    Object before = provider.get().bean(TrustSets.class).all();
    for (String arguments :
        List.of(
            "",
            "<ns:existingCertificate/>",
            "<ns:existingCertificate> </ns:existingCertificate>",
            "<ns:existingCertificate i:nil='true'"
                + " xmlns:i='http://www.w3.org/2001/XMLSchema-instance'/>",
            "<existingCertificate>x</existingCertificate>",
            "<d:existingCertificate>x</d:existingCertificate>",
            "<ns:certificate>x</ns:certificate>",
            "x")) {
      Reply reply = vcenter.call("unregisterVASACertificate", arguments);

      assertThat(reply.fault()).as(arguments).isEqualTo("InvalidCertificate");
      assertThat(reply.value("faultstring")).as(arguments).contains("Certificate");
      assertThat(provider.get().bean(TrustSets.class).all()).as(arguments).isEqualTo(before);
      assertThat(vcenter.callEmpty("queryCatalog").status()).as(arguments).isEqualTo(200);
      assertThat(host.callEmpty("queryCatalog").status()).as(arguments).isEqualTo(200);
    }
  }

  @Test
  void filterThatIsNotUnderstoodUnbindsNothing() throws Exception {
    bindOne();
    Object before = luns().bindings();
    assertThat(luns().bindings()).isNotEmpty();
    for (String arguments :
        List.of(
            "<hostUuid>host-2</hostUuid>",
            "<d:hostUuid>host-2</d:hostUuid>",
            "<ns:hostUUID>host-2</ns:hostUUID>",
            "<ns:vvolId>rfc4122.x</ns:vvolId>",
            "<ns:hostUuid>host-2</ns:hostUuid><ns:hostUuid>host-1</ns:hostUuid>",
            "host-2")) {
      for (VasaClient caller : List.of(host, vcenter)) {
        Reply reply = caller.call("unbindAllVirtualVolumesFromHost", arguments);

        assertThat(reply.fault()).as(arguments).isEqualTo("InvalidArgument");
        assertThat(luns().bindings()).as(arguments).isEqualTo(before);
      }
    }

    assertThat(host.call("unbindAllVirtualVolumesFromHost", "").status()).isEqualTo(200);
    assertThat(luns().bindings()).as("the session's own host").isEmpty();
  }

  @Test
  void elementsInsideOfArgumentsAreLookedAtToo() throws Exception {
    for (String context :
        List.of(
            "<vcGuid>vc-1</vcGuid>",
            "<ns:vcGuid>vc-1</ns:vcGuid>",
            "<d:vcGuid>vc-1</d:vcGuid><d:vcGuid>vc-2</d:vcGuid>",
            "<d:vcGuid><d:value>vc-1</d:value></d:vcGuid>",
            "<d:vcGuid>vc-1</d:vcGuid><d:hostInitiator>iqn.2026-11.test:x</d:hostInitiator>")) {
      Reply reply = vcenter.open(context);

      assertThat(reply.fault()).as(context).isEqualTo("InvalidArgument");
    }
    assertThat(
            vcenter
                .call(
                    "queryVirtualVolume",
                    "<ns:searchConstraint><key>VMW_VVolName</key></ns:searchConstraint>")
                .fault())
        .isEqualTo("InvalidArgument");
  }

  @Test
  void valueOfAnotherTypeIsAnInvalidArgument() throws Exception {
    for (String last : List.of("ten", "", "1e3", "0x1", "9223372036854775808")) {
      Reply reply = vcenter.call("getEvents", WireArguments.element("lastEventId", last));

      assertThat(reply.fault()).as(last).isEqualTo("InvalidArgument");
      assertThat(reply.value("faultstring")).contains("expected a number in lastEventId", last);
    }
    assertThat(
            vcenter
                .call(
                    "registerCASignedProviderCertificate",
                    "<ns:providerCert>x</ns:providerCert><ns:forceApply>maybe</ns:forceApply>")
                .value("faultstring"))
        .contains("expected true or false in forceApply", "maybe");
  }

  @Test
  void listsOfQueriesThatAreAbsentMeanAll() throws Exception {
    assertThat(vcenter.call("queryArrays", "").values("arrayName")).hasSize(1);
    assertThat(vcenter.call("queryCapabilityMetadata", "").values("schemaId")).isNotEmpty();
    assertThat(host.call("getEvents", "").status()).isEqualTo(200);
  }

  @Test
  void nameOfANewerVersionIsReadOverAndLoggedOnceForAClient() throws Exception {
    var root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    var logged = new ListAppender<ILoggingEvent>();
    logged.start();
    root.addAppender(logged);
    try {
      for (int i = 0; i < 3; i++) {
        assertThat(vcenter.call("queryArrays", "<ns:quantumId><ns:a>1</ns:a></ns:quantumId>"))
            .satisfies(reply -> assertThat(reply.values("arrayName")).hasSize(1));
      }
    } finally {
      root.detachAppender(logged);
    }
    assertThat(List.copyOf(logged.list))
        .filteredOn(event -> String.valueOf(event.getKeyValuePairs()).contains("quantumId"))
        .singleElement()
        .satisfies(
            event ->
                assertThat(event.getFormattedMessage())
                    .isEqualTo("element of a version that is not known here, read over"));
  }

  @Test
  void version1LooksAtItsArgumentsTooAndReadsOverThoseOf2() throws Exception {
    VasaClient old = provider.client(provider.certificate("vcenter.test"));
    old.useService("/vasa/services/vasaService1");
    String v1 = "http://com.vmware.vim.vasa/1.0/xsd";
    String context = "<ns:setContext><ns:usageContext>%s</ns:usageContext></ns:setContext>";

    Reply refused =
        old.send(
            VasaClient.envelope(context.formatted("<vcGuid>vc-1</vcGuid>"))
                .replace(VasaClient.SERVICE, v1),
            "urn:setContext");
    Reply opened =
        old.send(
            VasaClient.envelope(
                    context.formatted(
                        "<d:hostIoIpAddress>10.0.0.1</d:hostIoIpAddress><d:vcGuid>vc-1</d:vcGuid>"))
                .replace(VasaClient.SERVICE, v1),
            "urn:setContext");

    assertThat(refused.fault()).isEqualTo("InvalidArgument");
    assertThat(opened.status()).as(opened.text()).isEqualTo(200);
  }

  private static LunDirectory luns() {
    return provider.get().bean(LunDirectory.class);
  }

  private static void bindOne() throws Exception {
    TestProvider running = provider.get();
    var containers = running.bean(Containers.class);
    VolumeId volume =
        ControlPlane.made(
            running
                .bean(VirtualVolumes.class)
                .create(
                    new NewVolume(
                        containers.create("c1", 1L << 40).id(),
                        VolumeType.DATA,
                        VolumeOrigin.HOST,
                        null,
                        1 << 20,
                        Map.of("VMW_VVolName", "disk"))));
    String pe = host.call("queryProtocolEndpoint", "").value("lunId");
    String v = "xmlns:v='http://vvol.data.vasa.vim.vmware.com/xsd'";
    host.call(
        "setPEContext",
        "<ns:listOfHostPE %s><v:inBandId><v:lunId>%s</v:lunId></v:inBandId></ns:listOfHostPE>"
            .formatted(v, pe));
    Reply bound =
        host.call(
            "bindVirtualVolume",
            WireArguments.element("vvolId", "rfc4122." + volume)
                + WireArguments.element("bindContext", "Normal"));
    assertThat(bound.values("vvolSecondaryId")).as(bound.text()).hasSize(1);
  }
}
