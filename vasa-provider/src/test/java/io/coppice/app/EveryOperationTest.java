package io.coppice.app;

import static io.coppice.app.WireArguments.element;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.coppice.app.VasaClient.Reply;
import io.coppice.app.WireArguments.Argument;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.session.TrustSets;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import io.coppice.wsdl.service.VasaServicePortType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/// Every operation of 2.0, each argument in turn missing, nil, empty, malformed, unknown, too long
/// or out of range beside arguments that are right, from a host and from a vCenter: answered, or
/// refused by a fault of its list with a sentence of ours, and then nothing has changed. Nothing
/// that is secret is logged.
class EveryOperationTest {

  private static final String XSI = "http://www.w3.org/2001/XMLSchema-instance";

  private static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "x",
          "rfc4122.x",
          "rfc4122." + UUID.randomUUID(),
          UUID.randomUUID().toString(),
          "StorageArray:" + UUID.randomUUID(),
          "../../etc/passwd",
          "'; drop table volume; --",
          "%s%n${jndi:ldap://x}",
          "x".repeat(10_000));

  private static final List<String> NUMBERS =
      List.of(
          "-1",
          "0",
          "-9223372036854775808",
          "9223372036854775807",
          "9223372036854775808",
          "99999999999999999999999999",
          "1e3",
          "ten",
          "");

  @RegisterExtension private static final SharedProvider provider = new SharedProvider();

  private static final ListAppender<ILoggingEvent> logged = new ListAppender<>();

  private static VasaClient host;
  private static VasaClient vcenter;

  private VolumeId volume;
  private UUID container;

  @BeforeAll
  static void listen() throws Exception {
    logged.start();
    root().addAppender(logged);
    vcenter = provider.client(provider.certificate("vcenter.test"));
    host = provider.client(provider.certificate("esx1.test"));
  }

  @AfterAll
  static void nothingSecretIsLogged() {
    root().detachAppender(logged);
    String password = provider.get().password();
    for (ILoggingEvent event : List.copyOf(logged.list)) {
      assertThat(event.getFormattedMessage() + event.getKeyValuePairs())
          .doesNotContain(password)
          .doesNotContainPattern("VASASESSIONID=[0-9a-f]")
          .doesNotContain("PRIVATE KEY");
    }
  }

  private static Logger root() {
    return (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  }

  @BeforeEach
  void makeWhatIsNamed() throws Exception {
    provider.register();
    vcenter.useSession(null);
    vcenter.openAsVcenter("vc-1");
    host.useSession(null);
    host.openAsHost("host-1", "iqn.2026-11.test:host-1");
    TestProvider running = provider.get();
    var containers = running.bean(Containers.class);
    container =
        containers.list().isEmpty()
            ? containers.create("c1", 1L << 40).id()
            : containers.list().getFirst().id();
    volume =
        ControlPlane.made(
            running
                .bean(VirtualVolumes.class)
                .create(
                    new NewVolume(
                        container,
                        VolumeType.DATA,
                        VolumeOrigin.HOST,
                        null,
                        1 << 20,
                        Map.of("VMW_VVolName", "disk"))));
  }

  static List<Method> operations() {
    List<Method> all = new ArrayList<>(List.of(VasaServicePortType.class.getDeclaredMethods()));
    all.sort(java.util.Comparator.comparing(Method::getName));
    assertThat(all).hasSize(74);
    return all;
  }

  @ParameterizedTest
  @MethodSource("operations")
  void badArgumentsAreRefusedByAListedFaultAndChangeNothing(Method operation) throws Exception {
    Set<String> listed =
        Arrays.stream(operation.getExceptionTypes())
            .map(type -> type.getSimpleName().replace("Exception", ""))
            .collect(Collectors.toSet());
    for (VasaClient caller : List.of(host, vcenter)) {
      for (String arguments : bad(operation.getName())) {
        String what = operation.getName() + " " + shortened(arguments);
        State before = state();

        Reply reply = caller.call(operation.getName(), arguments);

        if (reply.status() != 200) {
          assertRefused(what, reply, listed);
          assertThat(state()).as(what).isEqualTo(before);
        }
      }
    }
  }

  private static void assertRefused(String what, Reply reply, Set<String> listed) {
    String sentence = reply.value("faultstring");
    assertThat(sentence)
        .as(what)
        .isNotBlank()
        .doesNotContain("unexpected failure", "Exception", "org.apache", "java.");
    if (reply.fault().isEmpty()) {
      assertThat(sentence).as(what).startsWith("expected a ");
    } else {
      assertThat(listed).as(what + ": " + sentence).contains(reply.fault());
    }
  }

  private static String shortened(String text) {
    return text.length() > 300 ? text.substring(0, 300) + "…" : text;
  }

  /// What may not change by a call that is refused.
  private record State(Object volumes, Object bindings, Object containers, Object trust) {}

  private static State state() {
    TestProvider running = provider.get();
    return new State(
        running.bean(StorageEngine.class).list().stream()
            .map(EveryOperationTest::withoutItsOperation)
            .collect(Collectors.toSet()),
        running.bean(LunDirectory.class).bindings(),
        running.bean(Containers.class).list(),
        running.bean(TrustSets.class).all());
  }

  /// A volume as it is; which operation made it is forgotten in the background.
  private static List<Object> withoutItsOperation(VolumeInfo volume) {
    Map<String, String> attributes = new HashMap<>(volume.attributes());
    attributes.keySet().removeAll(Set.of("coppice.state", "coppice.operation"));
    return List.of(volume.id(), volume.kind(), volume.sizeInBytes(), volume.reserved(), attributes);
  }

  /// Arguments of an operation, each list of them with one that is wrong.
  private List<String> bad(String operation) {
    Map<String, Argument> arguments = WireArguments.of(operation);
    List<String> all = new ArrayList<>();
    all.add("");
    all.add(
        arguments.keySet().stream()
            .map(name -> "<ns:%s xmlns:i='%s' i:nil='true'/>".formatted(name, XSI))
            .collect(Collectors.joining()));
    arguments.forEach(
        (wrong, argument) ->
            bad(argument)
                .map(
                    value ->
                        arguments.entrySet().stream()
                            .map(
                                each ->
                                    each.getKey().equals(wrong)
                                        ? value
                                        : element(each.getKey(), good(each.getKey())))
                            .collect(Collectors.joining()))
                .forEach(all::add));
    return all;
  }

  private static Stream<String> bad(Argument argument) {
    String name = argument.name();
    Stream<String> values =
        switch (argument.kind()) {
          case "string" -> TEXTS.stream();
          case "long", "int" -> NUMBERS.stream();
          case "boolean" -> Stream.of("maybe", "");
          default -> Stream.of("", "x", "<ns:junk>x</ns:junk>");
        };
    Stream<String> elements = values.map(value -> element(name, value));
    Stream<String> absent =
        Stream.of("", "<ns:%s xmlns:i='%s' i:nil='true'/>".formatted(name, XSI));
    Stream<String> many = Stream.of(element(name, "x").repeat(argument.repeated() ? 300 : 2));
    return Stream.concat(Stream.concat(elements, absent), many);
  }

  /// A right value of an argument, so that the wrong one beside it is what is looked at.
  private String good(String name) {
    String id = "rfc4122." + volume;
    return switch (name) {
      case "vvolId", "srcVVolId", "srcBaseVVolId", "dstVVolId", "baseVvolId", "snapshotVvolId" ->
          id;
      case "containerId", "newContainerId", "resourceId" -> container.toString();
      case "arrayId", "arrayUniqueId", "fsUniqueId" ->
          "StorageArray:" + provider.get().bean(StorageEngine.class).pool().id();
      case "vvolType" -> "Data";
      case "entityType", "entityTypeName" -> "StorageArray";
      case "sizeInMB", "timeoutMS" -> "4";
      case "segmentStartOffsetBytes", "lastEventId", "lastAlarmId" -> "0";
      case "segmentLengthBytes" -> "1048576";
      case "chunkSizeBytes" -> "4096";
      case "bindContext", "unbindContext" -> "Normal";
      case "snapType" -> "SnapshotReadOnly";
      case "destHostId", "hostUuid" -> "host-1";
      case "metadata", "keyValuePair" ->
          "<d:parameterName>VMW_VVolName</d:parameterName><d:parameterValue>n</d:parameterValue>";
      case "snapshotInfo" ->
          "<v:vvolId xmlns:v='http://vvol.data.vasa.vim.vmware.com/xsd'>%s</v:vvolId>"
              .formatted(id);
      case "vvolHandle" ->
          "<d:uniqueIdentifier>%s</d:uniqueIdentifier><v:vvolSecondaryId xmlns:v='http://vvol.data.vasa.vim.vmware.com/xsd'>0xd2000001</v:vvolSecondaryId>"
              .formatted(id);
      case "userName", "providerUserName" -> "vasa";
      case "forceApply" -> "true";
      default -> "";
    };
  }
}
