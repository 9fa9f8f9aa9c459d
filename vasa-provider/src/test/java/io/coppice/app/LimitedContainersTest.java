package io.coppice.app;

import static io.coppice.app.WireArguments.element;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.app.Site.Member;
import io.coppice.app.VasaClient.Reply;
import io.coppice.engine.VolumeId;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.event.Alarms;
import io.coppice.vasa.event.EventLog;
import io.coppice.vasa.event.NewEvent;
import io.coppice.vasa.event.RaisedAlarm;
import io.coppice.vasa.policy.ProfileDraft;
import io.coppice.vasa.policy.Profiles;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.session.TrustSets;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// A container that is limited to one registration: for the vCenter and the hosts of another one it
/// and what is in it do not exist.
class LimitedContainersTest {

  @RegisterExtension private static final SharedProvider provider = new SharedProvider();

  private static final String NAMES = "xmlns:v='http://vvol.data.vasa.vim.vmware.com/xsd'";
  private static final String METADATA =
      "<d:parameterName>VMW_VVolName</d:parameterName><d:parameterValue>%s</d:parameterValue>";

  private final String name = "disk-" + UUID.randomUUID();
  private Site ours;
  private Member vcenter;
  private Member host;
  private Site theirs;
  private Member stranger;
  private Member strangeHost;
  private UUID shared;
  private UUID container;
  private String volume;
  private String profile;

  @BeforeEach
  void limitAContainerToOneOfTwo() throws Exception {
    ours = new Site(provider.get(), "ours");
    vcenter = ours.register();
    host = ours.host("esx1");
    theirs = new Site(provider.get(), "theirs");
    stranger = theirs.register();
    strangeHost = theirs.host("esx1");
    shared = containers().create("shared-" + UUID.randomUUID(), 1L << 30).id();
    container = containers().create("ours-" + name, 1L << 30).id();
    volume = volume(container);
    profile =
        provider
            .get()
            .bean(Profiles.class)
            .create(
                new ProfileDraft("for " + name, "", Requirements.NONE, Set.of(container)), "test")
            .id();
    containers().limit(container, Set.of(registrationOf(vcenter)));
  }

  @Test
  void listsHaveItForItsOwnRegistrationOnly() throws Exception {
    String all = "queryUniqueIdentifiersForEntity";
    Map<String, String> lists = new LinkedHashMap<>();
    lists.put("queryStorageContainer", "");
    lists.put("queryStorageContainerForArray", element("arrayId", array()));
    lists.put("queryCapabilityProfile", "");
    lists.put("queryCapabilityProfileForResource", "");
    lists.put(
        "queryVirtualVolume",
        "<ns:searchConstraint %s><v:key>VMW_VVolName</v:key></ns:searchConstraint>"
            .formatted(NAMES));
    for (Map.Entry<String, String> list : lists.entrySet()) {
      assertListed(list.getKey(), list.getValue());
    }
    for (String type : List.of("StorageContainer", "VirtualVolumeInfo", "CapabilityProfile")) {
      String argument = element("entityType", type);
      assertListed(all, argument);
      assertThat(number(stranger.done("getNumberOfEntities", argument)))
          .isEqualTo(stranger.done(all, argument).values("return").size())
          .isLessThan(number(vcenter.done("getNumberOfEntities", argument)));
    }
  }

  private void assertListed(String operation, String arguments) throws Exception {
    for (Member own : List.of(vcenter, host)) {
      assertThat(traces(own.done(operation, arguments))).as(operation).isTrue();
    }
    for (Member other : List.of(stranger, strangeHost)) {
      assertThat(traces(other.done(operation, arguments))).as(operation).isFalse();
    }
  }

  private boolean traces(Reply reply) {
    String uuid = volume.substring("rfc4122.".length());
    return List.of(container.toString(), uuid, profile, name).stream()
        .anyMatch(reply.text()::contains);
  }

  @Test
  void idsAnswerAsThoseOfNothing() throws Exception {
    String task =
        vcenter
            .done("resizeVirtualVolume", element("vvolId", volume) + element("sizeInMB", "8"))
            .value("taskId");
    String own = volume(shared);
    Map<String, List<String>> cases = new LinkedHashMap<>();
    String nobody = "rfc4122." + UUID.randomUUID();
    for (Map.Entry<String, String> each : ofVolumes(own).entrySet()) {
      cases.put(each.getKey(), both(each.getValue(), volume, nobody));
    }
    for (Map.Entry<String, String> each : ofContainers(own).entrySet()) {
      cases.put(
          each.getKey(), both(each.getValue(), container.toString(), UUID.randomUUID().toString()));
    }
    String other = "resizeVirtualVolume:" + UUID.randomUUID();
    cases.put("getTaskUpdate", both(element("taskId", "%s"), task, other));
    cases.put("cancelTask", both(element("taskId", "%s"), task, other));
    cases.put(
        "queryCapabilityProfile",
        both(element("profileId", "%s"), profile, UUID.randomUUID().toString()));

    for (Map.Entry<String, List<String>> each : cases.entrySet()) {
      String operation = each.getKey().replaceAll(" .*", "");
      List<String> ids = each.getValue();
      for (Member caller : List.of(stranger, strangeHost)) {
        Reply hidden = caller.call(operation, ids.get(0));
        Reply unknown = caller.call(operation, ids.get(1));
        assertThat(hidden.status()).as(each.getKey()).isEqualTo(unknown.status());
        assertThat(hidden.text().replace(ids.get(2), "ID"))
            .as(each.getKey())
            .isEqualTo(unknown.text().replace(ids.get(3), "ID"));
      }
    }
    assertThat(vcenter.done("queryVirtualVolumeInfo", element("vvolId", volume)).text())
        .contains(volume);
    assertThat(vcenter.done("getTaskUpdate", element("taskId", task)).text()).contains(task);
  }

  private static List<String> both(String arguments, String hidden, String unknown) {
    return List.of(
        arguments.replace("%s", hidden),
        arguments.replace("%s", unknown),
        hidden.replaceAll("rfc4122[.]", ""),
        unknown.replaceAll("rfc4122[.]", ""));
  }

  private static Map<String, String> ofVolumes(String own) {
    String it = element("vvolId", "%s");
    String metadata = element("metadata", METADATA.replace("%s", "n"));
    String segment =
        element("segmentStartOffsetBytes", "0") + element("segmentLengthBytes", "1048576");
    Map<String, String> cases = new LinkedHashMap<>();
    cases.put("resizeVirtualVolume", it + element("sizeInMB", "16"));
    cases.put("queryVirtualVolumeInfo", it);
    cases.put("spaceStatsForVirtualVolume", it);
    cases.put("unbindVirtualVolumeFromAllHost", it);
    cases.put("bindVirtualVolume", it + element("bindContext", "Normal"));
    cases.put("bindingChangeComplete", it);
    cases.put("cancelBindingChange", it);
    cases.put("cloneVirtualVolume", it + metadata);
    cases.put("fastCloneVirtualVolume", it + metadata);
    cases.put(
        "updateVirtualVolumeMetaData", it + element("keyValuePair", METADATA.replace("%s", "n")));
    cases.put("prepareToSnapshotVirtualVolume", it + element("snapType", "SnapshotReadOnly"));
    cases.put(
        "snapshotVirtualVolume",
        "<ns:snapshotInfo %s><v:vvolId>".formatted(NAMES)
            + "%s</v:vvolId></ns:snapshotInfo><ns:timeoutMS>10000</ns:timeoutMS>");
    cases.put("revertVirtualVolume", it + element("snapshotVvolId", own));
    cases.put(
        "revertVirtualVolume to it", element("vvolId", own) + element("snapshotVvolId", "%s"));
    cases.put(
        "copyDiffsToVirtualVolume",
        element("srcVVolId", own) + element("srcBaseVVolId", own) + element("dstVVolId", "%s"));
    cases.put(
        "copyDiffsToVirtualVolume from it",
        element("srcVVolId", "%s") + element("srcBaseVVolId", own) + element("dstVVolId", own));
    cases.put("allocatedBitmapVirtualVolume", it + segment + element("chunkSizeBytes", "4096"));
    cases.put("unsharedChunksVirtualVolume", it + element("baseVvolId", own) + segment);
    cases.put(
        "unsharedBitmapVirtualVolume",
        element("vvolId", own)
            + element("baseVvolId", "%s")
            + segment
            + element("chunkSizeBytes", "4096"));
    cases.put(
        "queryComplianceResult",
        "<ns:compliance"
            + " xmlns:c='http://compliance.policy.data.vasa.vim.vmware.com/xsd'><c:objectId>%s</c:objectId></ns:compliance>");
    cases.put(
        "queryAssociatedStatisticsForEntity",
        element("entityTypeName", "VirtualVolumeInfo") + element("entityId", "%s"));
    cases.put("deleteVirtualVolume", it);
    return cases;
  }

  private static Map<String, String> ofContainers(String own) {
    String it = element("containerId", "%s");
    String metadata = element("metadata", METADATA.replace("%s", "n"));
    Map<String, String> cases = new LinkedHashMap<>();
    cases.put("queryStorageContainer", it);
    cases.put("spaceStatsForStorageContainer", it);
    cases.put("setStorageContainerContext", it + element("userId", "somebody"));
    cases.put("queryDefaultProfileForStorageContainer", it);
    cases.put("queryCapabilityProfileForResource", element("resourceId", "%s"));
    cases.put(
        "createVirtualVolume",
        it + element("vvolType", "Data") + element("sizeInMB", "4") + metadata);
    cases.put(
        "cloneVirtualVolume into it",
        element("vvolId", own) + element("newContainerId", "%s") + metadata);
    return cases;
  }

  @Test
  void statisticsLeaveItsVolumesOut() throws Exception {
    String choice =
        """
        <ns:arrayStatisticsManifest xmlns:s='http://statistics.data.vasa.vim.vmware.com/xsd'>\
        <s:arrayId>%s</s:arrayId><s:entityStatisticsManifest>\
        <s:counterInfo><s:counterId>1</s:counterId></s:counterInfo>\
        <s:entityTypeName>VirtualVolumeInfo</s:entityTypeName><s:maxRetrievalSize>1</s:maxRetrievalSize>\
        <s:pollingInterval>3600</s:pollingInterval></s:entityStatisticsManifest>\
        </ns:arrayStatisticsManifest>\
        """
            .formatted(array());
    String asked = element("entityTypeName", "VirtualVolumeInfo") + element("entityId", volume);
    for (Member each : List.of(vcenter, stranger)) {
      each.done("setStatisticsContext", choice);
      assertThat(each.done("queryAssociatedStatisticsForEntity", asked).values("entityId"))
          .hasSize(each.equals(vcenter) ? 1 : 0);
    }
  }

  @Test
  void eventsAndAlarmsAreToldToItsRegistrationOnlyWhateverBecomesOfIt() throws Exception {
    provider
        .get()
        .bean(Alarms.class)
        .report(
            new Alarms.Subject("Object", "VirtualVolumeInfo", volume, container.toString()),
            RaisedAlarm.Status.RED,
            "io.coppice.alarm.DamagedBlocks",
            Map.of("object", volume));
    containers().update(container, "renamed-" + name, 2L << 30);
    containers().setBinTime(container, Duration.ZERO); // so that it is empty below
    vcenter.done("deleteVirtualVolume", element("vvolId", volume));
    containers().delete(container);

    String id = container.toString();
    assertThat(vcenter.done("getEvents", element("lastEventId", "-1")).text())
        .contains("ContainerNew", "ContainerUpdate", "ContainerDelete", id, profile);
    assertThat(vcenter.done("getAlarms", element("lastAlarmId", "-1")).text()).contains(volume);
    for (Member other : List.of(stranger, strangeHost)) {
      Reply events = other.done("getEvents", element("lastEventId", "-1"));
      assertThat(events.values("objectId").stream().filter(id::equals))
          .as("that it is gone, and nothing else of it")
          .hasSize(1);
      assertThat(events.text()).doesNotContain(profile, volume);
      assertThat(other.done("getAlarms", element("lastAlarmId", "-1")).text())
          .doesNotContain(volume);
    }
  }

  /// Names of vCenters and of hosts are apart.
  @Test
  void vcenterThatIsCalledAsAHostOfAnotherGetsNoneOfItsRebindEvents() throws Exception {
    provider
        .get()
        .bean(EventLog.class)
        .append(NewEvent.rebind(host.guid(), "endpoint", List.of(volume)));
    Member namesake = new Site(provider.get(), "namesake", host.guid()).register();

    assertThat(namesake.done("getEvents", element("lastEventId", "-1")).text())
        .doesNotContain(volume);
    assertThat(host.done("getEvents", element("lastEventId", "-1")).text()).contains(volume);
  }

  @Test
  void itIsThereForAllAgainOnceTheLimitIsTakenBack() throws Exception {
    containers().offerToAll(container);

    assertThat(stranger.done("queryStorageContainer", "").text()).contains(container.toString());
    Site.bind(strangeHost, volume);
    assertThat(stranger.done("getEvents", element("lastEventId", "-1")).text())
        .contains("ContainerNew");
    assertThat(vcenter.done("queryStorageContainer", "").text()).contains(container.toString());
  }

  @Test
  void itFollowsItsVcenterToANewRegistrationAndIsNobodysOnceThatEnds() throws Exception {
    ours.renewAuthority();
    Member moved = ours.register();

    String listed = container.toString();
    assertThat(moved.done("queryStorageContainer", "").text()).contains(listed);
    assertThat(host.done("queryStorageContainer", "").text())
        .as("a host that has not followed yet")
        .contains(listed);
    assertThat(containers().limits().get(container)).containsExactly(registrationOf(moved));

    moved.done("unregisterVASACertificate", element("existingCertificate", ours.root()));
    Member again = ours.register();
    assertThat(again.done("queryStorageContainer", "").text()).doesNotContain(listed);
    assertThat(stranger.done("queryStorageContainer", "").text()).doesNotContain(listed);
    assertThat(containers().limits().get(container)).isEmpty();
    containers().limit(container, Set.of(registrationOf(again)));
    assertThat(again.done("queryStorageContainer", "").text()).contains(listed);
  }

  @Test
  void hostMayAlwaysEndItsOwnBindings() throws Exception {
    String bound = volume(shared);
    Site.bind(strangeHost, bound);
    containers().limit(shared, Set.of(registrationOf(vcenter)));

    strangeHost.done("unbindAllVirtualVolumesFromHost", "");

    vcenter.done("deleteVirtualVolume", element("vvolId", bound));
  }

  private static int number(Reply reply) {
    return Integer.parseInt(reply.value("return"));
  }

  private String array() throws Exception {
    return vcenter.done("queryArrays", "").value("uniqueIdentifier");
  }

  private static Containers containers() {
    return provider.get().bean(Containers.class);
  }

  private static UUID registrationOf(Member vcenter) {
    return provider.get().bean(TrustSets.class).known().stream()
        .filter(known -> known.vcenters().contains(vcenter.guid()))
        .findFirst()
        .orElseThrow()
        .id();
  }

  private String volume(UUID where) {
    VolumeId made =
        ControlPlane.made(
            provider
                .get()
                .bean(VirtualVolumes.class)
                .create(
                    new NewVolume(
                        where,
                        VolumeType.DATA,
                        VolumeOrigin.HOST,
                        null,
                        4 << 20,
                        Map.of("VMW_VVolName", where.equals(shared) ? "shared" : name))));
    return "rfc4122." + made;
  }
}
