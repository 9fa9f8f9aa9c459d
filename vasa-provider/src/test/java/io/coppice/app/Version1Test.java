package io.coppice.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.app.VasaClient.Reply;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.certificate.Pem;
import io.coppice.vasa.certificate.ServedCertificate;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.event.Alarms;
import io.coppice.vasa.event.ChangeKind;
import io.coppice.vasa.event.EventLog;
import io.coppice.vasa.event.NewEvent;
import io.coppice.vasa.event.ObjectType;
import io.coppice.vasa.event.RaisedAlarm;
import io.coppice.vasa.export.ExportAudience;
import io.coppice.vasa.export.Exports;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// VASA 1.0 over TLS: what it tells, what it leaves out, and what it refuses.
class Version1Test {

  private static final String V1 = "http://com.vmware.vim.vasa/1.0/xsd";
  private static final String PATH = "/vasa/services/vasaService1";
  private static final List<String> NOT_IN_1_0 =
      List.of(
          "uid",
          "maxBatchSize",
          "maxConcurrentRequestsPerSession",
          "needsExplicitActivation",
          "retainVasaProviderCertificate",
          "priority",
          "arrayId",
          "containerId",
          "backingConfig");

  /// The list operations and the name of their argument.
  private static final Map<String, String> LISTS =
      Map.ofEntries(
          Map.entry("queryArrays", "arrayUniqueId"),
          Map.entry("queryStorageProcessors", "spUniqueId"),
          Map.entry("queryStoragePorts", "portUniqueId"),
          Map.entry("queryStorageLuns", "lunUniqueId"),
          Map.entry("queryStorageFileSystems", "fsUniqueId"),
          Map.entry("queryStorageCapabilities", "capabilityUniqueId"),
          Map.entry("queryAssociatedProcessorsForArray", "arrayUniqueId"),
          Map.entry("queryAssociatedPortsForProcessor", "spUniqueId"),
          Map.entry("queryAssociatedLunsForPort", "portUniqueId"),
          Map.entry("queryAssociatedCapabilityForLun", "lunUniqueId"),
          Map.entry("queryAssociatedCapabilityForFileSystem", "fsUniqueId"));

  @RegisterExtension private static final SharedProvider provider = new SharedProvider();

  private static ServedCertificate vcenter;
  private static VasaClient client;

  @BeforeAll
  static void register() throws Exception {
    vcenter = provider.certificate("vcenter.test");
    Reply registered = call(client(null), "registerVASACertificate", registration(vcenter));
    assertThat(registered.status()).as(registered.text()).isEqualTo(200);
    assertThat(registered.value("sessionId")).isEqualTo("0");
    client = client(vcenter);
    Reply opened = open(client, "<d:vcGuid>old-vcenter</d:vcGuid>");
    assertThat(opened.cookie()).contains(opened.value("sessionId"));
    client.useSession(opened.value("sessionId"));
  }

  @Test
  void theProviderSaysThatItSpeaks1AndNothingThat1DoesNotKnow() throws Exception {
    VasaClient other = client(vcenter);
    Reply opened =
        open(
            other,
            "<d:hostInitiator xsi:nil='true'"
                + " xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'/>"
                + "<d:sessionTimeoutInSeconds>60</d:sessionTimeoutInSeconds>"
                + "<d:vcGuid>old-vcenter</d:vcGuid>");

    assertThat(opened.value("vasaApiVersion")).isEqualTo("1.0");
    assertThat(opened.value("name")).isEqualTo("Coppice");
    assertThat(opened.values("supportedProfile")).isEmpty();
    assertLeftOut(opened);
    assertThat(opened.text()).contains(V1).doesNotContain(VasaClient.SERVICE);
  }

  @Test
  void contextsWithoutAVcenterAreRefused() throws Exception {
    for (String context :
        List.of(
            "",
            "<d:sessionTimeoutInSeconds>-1</d:sessionTimeoutInSeconds><d:vcGuid>a</d:vcGuid>")) {
      assertThat(open(client(vcenter), context).fault()).as(context).isEqualTo("InvalidArgument");
    }
    assertThat(call(client(vcenter), "setContext", "").fault()).isEqualTo("InvalidArgument");
  }

  @Test
  void inventoryIsThatOf2WithoutWhat1DoesNotKnow() throws Exception {
    Reply arrays = call(client, "queryArrays", "");
    String array = arrays.value("uniqueIdentifier");

    assertThat(array).startsWith("StorageArray:");
    assertThat(arrays.values("supportedProfile"))
        .contains("CapabilityProfile")
        .doesNotContain("VirtualVolumeProfile", "StatisticsProfile");
    assertThat(arrays.values("supportedBlock")).containsExactly("ISCSI");
    assertLeftOut(arrays);
    assertThat(call(client, "queryStorageProcessors", "").values("spIdentifier")).hasSize(1);
    assertThat(call(client, "queryStoragePorts", "").values("iscsiIdentifier")).hasSize(2);
    Reply ports = call(client, "queryAssociatedPortsForProcessor", "");
    assertThat(ports.values("associatedId")).hasSize(2);
    assertThat(ports.values("entityId")).hasSize(1);
    for (String type :
        List.of(
            "StorageArray",
            "StorageProcessor",
            "StoragePort",
            "StorageLun",
            "StorageCapability",
            "StorageFileSystem")) {
      String argument = "<ns:entityType>" + type + "</ns:entityType>";
      assertThat(call(client, "getNumberOfEntities", argument).value("return"))
          .as(type)
          .isEqualTo(
              String.valueOf(
                  call(client, "queryUniqueIdentifiersForEntity", argument)
                      .values("return")
                      .size()));
    }
    assertThat(call(client, "queryUniqueIdentifiersForLuns", text("arrayUniqueId", array)).status())
        .isEqualTo(200);
    assertThat(
            call(client, "queryUniqueIdentifiersForFileSystems", text("fsUniqueId", array))
                .values("return"))
        .isEmpty();
  }

  @Test
  void lunsAreThoseThatAreServedToTheInitiatorsOfTheSession() throws Exception {
    String initiator = "iqn.2026-11.test:host-1";
    String mine = exported("mine", initiator);
    String alsoMine = exported("also-mine", initiator, "iqn.2026-11.test:neighbour");
    String foreign = exported("foreign", "iqn.2026-11.test:neighbour");
    VasaClient named = client(vcenter);
    open(
        named,
        "<d:hostInitiator><d:iscsiIdentifier>%s</d:iscsiIdentifier></d:hostInitiator><d:vcGuid>old-vcenter</d:vcGuid>"
            .formatted(initiator));
    String array = call(named, "queryArrays", "").value("uniqueIdentifier");
    String type = text("entityType", "StorageLun");

    for (Reply ids :
        List.of(
            call(named, "queryUniqueIdentifiersForLuns", text("arrayUniqueId", array)),
            call(named, "queryUniqueIdentifiersForEntity", type))) {
      assertThat(ids.values("return")).containsExactly(mine, alsoMine);
    }
    assertThat(call(named, "getNumberOfEntities", type).value("return")).isEqualTo("2");
    assertThat(call(client, "getNumberOfEntities", type).value("return"))
        .as("a session that names no initiator")
        .isEqualTo("0");
    Reply luns = call(named, "queryStorageLuns", text("lunUniqueId", mine));
    assertThat(luns.values("uniqueIdentifier")).containsExactly(mine);
    assertThat(luns.value("capacityInMB")).as("63 MiB and 4 KiB").isEqualTo("64");
    assertThat(luns.value("displayName")).isEqualTo("mine");
    assertThat(luns.value("esxLunIdentifier")).matches("naa\\.6[0-9a-f]{31}");
    assertThat(luns.value("thinProvisioned")).isEqualTo("true");
    assertThat(luns.value("usedSpaceInMB")).isEqualTo("0");
    assertLeftOut(luns);
    assertThat(call(named, "queryStorageLuns", text("lunUniqueId", foreign)).values("return"))
        .isEmpty();
    lunsHangOnTheirPortAndCapability(named, mine, alsoMine);
    String pair = text("srcUniqueId", mine) + text("dstUniqueId", alsoMine);
    assertThat(
            call(named, "queryDRSMigrationCapabilityForPerformance", pair + type).value("return"))
        .isEqualTo("false");
  }

  private static void lunsHangOnTheirPortAndCapability(VasaClient named, String... luns)
      throws Exception {
    Reply ofPorts = call(named, "queryAssociatedLunsForPort", "");
    assertThat(ofPorts.values("associatedId")).containsExactly(luns);
    assertThat(ofPorts.values("entityId"))
        .singleElement()
        .satisfies(port -> assertThat(port).startsWith("StoragePort:").endsWith(":lun"));
    Reply ofLuns = call(named, "queryAssociatedCapabilityForLun", text("lunUniqueId", luns[0]));
    assertThat(ofLuns.values("entityId")).containsExactly(luns[0]);
    assertThat(ofLuns.values("associatedId"))
        .isSubsetOf(call(named, "queryStorageCapabilities", "").values("uniqueIdentifier"))
        .hasSize(1);
  }

  /// A plain volume of 64 MiB that is served to initiators.
  ///
  /// @return its identifier as a LUN
  private static String exported(String name, String... initiators) {
    TestProvider running = provider.get();
    var container = running.bean(Containers.class).create("of " + name, 1L << 30);
    VolumeId volume =
        io.coppice.vasa.testing.ControlPlane.made(
            running
                .bean(VirtualVolumes.class)
                .create(
                    new NewVolume(
                        container.id(),
                        VolumeType.DATA,
                        VolumeOrigin.ADMIN,
                        null,
                        (63L << 20) + 4096,
                        Map.of("VMW_VVolName", name))));
    running
        .bean(Exports.class)
        .export(
            volume,
            Optional.empty(),
            Optional.empty(),
            ExportAudience.of(Set.of(initiators)),
            false);
    return "StorageLun:" + volume;
  }

  @Test
  void listsMayBeNilAndUnknownIdsAreSkipped() throws Exception {
    for (Map.Entry<String, String> list : LISTS.entrySet()) {
      String nil =
          "<ns:%s xsi:nil='true' xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance'/>"
              .formatted(list.getValue());
      Reply all = call(client, list.getKey(), "");
      Reply ofNil = call(client, list.getKey(), nil);

      assertThat(all.status()).as(all.text()).isEqualTo(200);
      assertThat(ofNil.values("return")).as(list.getKey()).isEqualTo(all.values("return"));
      String unknown = unknown(list.getValue());
      Reply ofUnknown = call(client, list.getKey(), text(list.getValue(), unknown));
      assertThat(ofUnknown.status()).as(ofUnknown.text()).isEqualTo(200);
      assertThat(ofUnknown.values("return")).as(list.getKey()).isEmpty();
      assertThat(call(client, list.getKey(), text(list.getValue(), "unknown")).fault())
          .as(list.getKey())
          .isEqualTo("InvalidArgument");
    }
  }

  /// An identifier of the form that an argument has, of nothing.
  private static String unknown(String argument) {
    return switch (argument) {
          case "arrayUniqueId" -> "StorageArray:";
          case "spUniqueId" -> "StorageProcessor:";
          case "portUniqueId" -> "StoragePort:";
          case "lunUniqueId" -> "StorageLun:";
          case "fsUniqueId" -> "StorageFileSystem:";
          default -> "StorageCapability:";
        }
        + UUID.randomUUID();
  }

  @Test
  void argumentsThat1DoesNotKnowAreRefused() throws Exception {
    for (String type : List.of("", "StorageContainer", "ProtocolEndpoint", "Nonsense")) {
      for (String operation : List.of("getNumberOfEntities", "queryUniqueIdentifiersForEntity")) {
        assertThat(call(client, operation, text("entityType", type)).fault())
            .as(operation + " of " + type)
            .isEqualTo("InvalidArgument");
      }
    }
    for (Map.Entry<String, String> one :
        Map.of(
                "queryUniqueIdentifiersForLuns", "arrayUniqueId",
                "queryUniqueIdentifiersForFileSystems", "fsUniqueId")
            .entrySet()) {
      assertThat(call(client, one.getKey(), "").fault()).isEqualTo("InvalidArgument");
      assertThat(call(client, one.getKey(), text(one.getValue(), "StorageArray:x")).fault())
          .isEqualTo("InvalidArgument");
      String unknown = "StorageArray:" + UUID.randomUUID();
      assertThat(call(client, one.getKey(), text(one.getValue(), unknown)).fault())
          .isEqualTo("NotFound");
    }
    String pair = text("srcUniqueId", "a") + text("dstUniqueId", "b");
    String migration = "queryDRSMigrationCapabilityForPerformance";
    assertThat(call(client, migration, pair + text("entityType", "StorageArray")).fault())
        .isEqualTo("InvalidArgument");
    assertThat(call(client, migration, pair + text("entityType", "StorageLun")).fault())
        .isEqualTo("InvalidArgument");
    String unknown = "StorageLun:" + UUID.randomUUID();
    String pairOfUnknown = text("srcUniqueId", unknown) + text("dstUniqueId", unknown);
    assertThat(call(client, migration, pairOfUnknown + text("entityType", "StorageLun")).fault())
        .isEqualTo("NotFound");
  }

  @Test
  void eventsAreThoseThat1Knows() throws Exception {
    var events = provider.get().bean(EventLog.class);
    String before = last(call(client, "getEvents", ""));
    String message = "io.coppice.event.ContainerNew";
    events.append(NewEvent.config(ChangeKind.NEW, ObjectType.STORAGE_CONTAINER, "c", message));
    events.append(NewEvent.protocolEndpoint(ChangeKind.NEW, "p"));
    events.append(NewEvent.config(ChangeKind.NEW, ObjectType.STORAGE_ARRAY, "l", message));

    Reply reply = call(client, "getEvents", text("lastEventId", before));

    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    assertThat(reply.values("eventObjType")).containsExactly("StorageArray");
    assertThat(reply.values("objectId")).containsExactly("l");
    assertThat(Instant.parse(reply.value("eventTimeStamp")))
        .isBefore(Instant.now().plusSeconds(60));
    assertLeftOut(reply);
    assertThat(call(client, "getEvents", text("lastEventId", last(reply))).values("return"))
        .isEmpty();
    assertThat(call(client, "getEvents", text("lastEventId", "-2")).fault())
        .isEqualTo("InvalidArgument");
    assertThat(call(client, "getEvents", text("lastEventId", "1000000")).fault())
        .isEqualTo("LostEvent");
  }

  @Test
  void alarmsAreThoseThat1Knows() throws Exception {
    var alarms = provider.get().bean(Alarms.class);
    for (String type : List.of("VirtualVolume", "StorageArray", "StorageContainer")) {
      alarms.report(
          new Alarms.Subject("Object", type, "a " + type, "c"),
          RaisedAlarm.Status.RED,
          "io.coppice.alarm.PoolDamaged",
          Map.of("what", "by this test"));
    }

    Reply reply = call(client, "getAlarms", "");

    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    assertThat(reply.values("objectId")).contains("a StorageArray");
    assertThat(reply.values("objectType"))
        .isNotEmpty()
        .doesNotContain("VirtualVolume", "StorageContainer");
    assertThat(reply.values("status")).contains("Red");
    assertThat(reply.values("parameterValue")).contains("by this test");
    assertThat(reply.values("alarmTimeStamp")).hasSameSizeAs(reply.values("alarmId"));
    assertLeftOut(reply);
    assertThat(
            call(client, "getAlarms", text("lastAlarmId", reply.values("alarmId").getLast()))
                .values("return"))
        .isEmpty();
    assertThat(call(client, "getAlarms", text("lastAlarmId", "-2")).fault())
        .isEqualTo("InvalidArgument");
    assertThat(call(client, "getAlarms", text("lastAlarmId", "1000000")).fault())
        .isEqualTo("LostAlarm");
  }

  @Test
  void catalogsAreWithoutPolicies() throws Exception {
    Reply reply = send(client, VasaClient.envelope(""), "queryCatalog");

    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    assertThat(reply.values("catalogName"))
        .containsExactlyInAnyOrder("Event", "Alarm", "Fault", "Event", "Alarm", "Fault");
    assertThat(reply.values("lastModified")).hasSize(6);
    assertThat(reply.text()).contains(V1);
  }

  @Test
  void withoutASessionOrWithAnothersNothingIsAnswered() throws Exception {
    var stranger = client(null);
    for (String operation : LISTS.keySet()) {
      Reply reply = call(stranger, operation, "");
      assertThat(reply.fault()).as(operation).isEqualTo("InvalidSession");
      assertThat(reply.text()).contains(V1).doesNotContain(VasaClient.SERVICE);
    }
    assertThat(send(stranger, VasaClient.envelope(""), "queryCatalog").fault())
        .isEqualTo("InvalidSession");
    assertThat(open(stranger, "<d:vcGuid>a</d:vcGuid>").fault()).isEqualTo("InvalidSession");
    VasaClient other = client(provider.certificate("thief.test"));
    assertThat(open(other, "<d:vcGuid>a</d:vcGuid>").fault()).isEqualTo("InvalidSession");
  }

  @Test
  void registrationsThatAreRefusedNameNoCertificate() throws Exception {
    var stranger = client(null);

    assertThat(call(stranger, "registerVASACertificate", registration("wrong", vcenter)).fault())
        .isEqualTo("InvalidLogin");
    Reply bad =
        call(
            stranger,
            "registerVASACertificate",
            text("userName", "vasa")
                + text("password", provider.get().password())
                + text("newCertificate", "none"));
    assertThat(bad.fault()).isEqualTo("InvalidCertificate");
    assertThat(bad.values("certificate")).isEmpty();
    assertThat(
            call(stranger, "unregisterVASACertificate", text("existingCertificate", "none"))
                .fault())
        .isEqualTo("InvalidSession");
  }

  @Test
  void operationsOf2AreNotOfferedHereNorThoseOf1There() throws Exception {
    for (String operation : List.of("queryVirtualVolume", "registerCACertificatesAndCRLs")) {
      Reply reply = call(client, operation, "");
      assertThat(reply.status()).isEqualTo(500);
      assertThat(reply.fault()).as(operation).isEmpty();
    }
    assertThat(send(client, VasaClient.envelope(""), "requestCSR").fault()).isEmpty();
    var second = provider.client(vcenter);
    assertThat(
            second
                .send(
                    VasaClient.envelope("<ns:queryArrays/>").replace(VasaClient.SERVICE, V1),
                    "urn:queryArrays")
                .fault())
        .isEmpty();
  }

  @Test
  void unregisteringEndsTheRegistrationAndOneSettingTurnsTheVersionOff(@TempDir Path other)
      throws Exception {
    try (TestProvider off =
        TestProvider.start(other, "--coppice.vasa.version-1.offered=false").ready()) {
      var stranger = new VasaClient(off.vasaPort(), null);
      assertThat(stranger.get("/vasa/version.xml").body())
          .contains("id=\"2.0\"")
          .doesNotContain("id=\"1.0\"", PATH, "{");
      assertThat(stranger.get(PATH).statusCode()).isEqualTo(404);
    }
    assertThat(client.get("/vasa/version.xml").body()).contains("id=\"1.0\"", PATH);
    ServedCertificate leaving = provider.certificate("leaving.test");
    call(client(null), "registerVASACertificate", registration(leaving));
    VasaClient gone = client(leaving);
    assertThat(open(gone, "<d:vcGuid>leaving</d:vcGuid>").status()).isEqualTo(200);

    Reply ended =
        call(
            gone, "unregisterVASACertificate", text("existingCertificate", Pem.of(leaving.leaf())));

    assertThat(ended.status()).as(ended.text()).isEqualTo(200);
    assertThat(open(gone, "<d:vcGuid>leaving</d:vcGuid>").fault()).isEqualTo("InvalidSession");
  }

  private static String last(Reply events) {
    List<String> ids = events.values("eventId");
    return ids.isEmpty() ? "-1" : ids.getLast();
  }

  private static void assertLeftOut(Reply reply) {
    for (String element : NOT_IN_1_0) {
      assertThat(reply.values(element)).as(element).isEmpty();
    }
  }

  private static String registration(ServedCertificate certificate) {
    return registration(provider.get().password(), certificate);
  }

  private static String registration(String password, ServedCertificate certificate) {
    return text("userName", "vasa")
        + text("password", password)
        + text("newCertificate", Pem.of(certificate.leaf()));
  }

  private static String text(String element, String value) {
    return "<ns:%s>%s</ns:%s>".formatted(element, value, element);
  }

  private static VasaClient client(@Nullable ServedCertificate certificate) throws Exception {
    var made = provider.client(certificate);
    made.useService(PATH);
    return made;
  }

  private static Reply open(VasaClient client, String context) throws Exception {
    Reply reply = call(client, "setContext", "<ns:usageContext>" + context + "</ns:usageContext>");
    reply.cookie().ifPresent(client::useSession);
    return reply;
  }

  private static Reply call(VasaClient client, String operation, String arguments)
      throws Exception {
    return send(
        client,
        VasaClient.envelope("<ns:%s>%s</ns:%s>".formatted(operation, arguments, operation)),
        operation);
  }

  private static Reply send(VasaClient client, String envelope, String operation) throws Exception {
    return client.send(envelope.replace(VasaClient.SERVICE, V1), "urn:" + operation);
  }
}
