package io.coppice.app;

import static io.coppice.app.WireArguments.element;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.app.Site.Member;
import io.coppice.app.VasaClient.Reply;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.directory.HostId;
import io.coppice.vasa.binding.Bindings;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Bindings of another vCenter's hosts: they are shown to nobody else and ended by nobody else,
/// also where the volume is shared.
class ForeignBindingsTest {

  @RegisterExtension private static final SharedProvider provider = new SharedProvider();

  private Site ours;
  private Site theirs;
  private Member vcenter;
  private Member host;
  private Member foreignVcenter;
  private Member foreignHost;
  private String volume;

  @BeforeEach
  void bindOneVolumeByHostsOfTwoVcenters() throws Exception {
    ours = new Site(provider.get(), "ours");
    vcenter = ours.register();
    host = ours.host("esx1");
    theirs = new Site(provider.get(), "theirs");
    foreignVcenter = theirs.register();
    foreignHost = theirs.host("esx1");
    volume = volume();
    Site.bind(host, volume);
    Site.bind(foreignHost, volume);
  }

  @Test
  void unbindFromAllHostsEndsThoseOfTheCallersHostsOnly() throws Exception {
    Reply ended = foreignVcenter.done("unbindVirtualVolumeFromAllHost", element("vvolId", volume));

    assertThat(ended.values("errorResult")).isEmpty();
    assertThat(hostsOf(volume)).containsExactly(host.guid());
    assertThat(vcenter.call("deleteVirtualVolume", element("vvolId", volume)).fault())
        .isEqualTo("ResourceInUse");
    vcenter.done("unbindVirtualVolumeFromAllHost", element("vvolId", volume));
    assertThat(hostsOf(volume)).isEmpty();
  }

  @Test
  void hostOfAnotherVcenterIsUnknownToUnbindAll() throws Exception {
    Reply refused =
        foreignVcenter.call("unbindAllVirtualVolumesFromHost", element("hostUuid", host.guid()));
    Reply unknown =
        foreignVcenter.call(
            "unbindAllVirtualVolumesFromHost", element("hostUuid", "nobody-at-all"));

    assertThat(refused.fault()).isEqualTo("NotFound").isEqualTo(unknown.fault());
    assertThat(refused.value("faultstring").replace(host.guid(), "X"))
        .isEqualTo(unknown.value("faultstring").replace("nobody-at-all", "X"));
    assertThat(hostsOf(volume)).containsExactlyInAnyOrder(host.guid(), foreignHost.guid());
    vcenter.done("unbindAllVirtualVolumesFromHost", element("hostUuid", host.guid()));
    assertThat(hostsOf(volume)).containsExactly(foreignHost.guid());
  }

  @Test
  void moveToOrFromAHostOfAnotherVcenterCannotBePrepared() throws Exception {
    Member second = ours.host("esx2");
    String mine = element("vvolId", volume);
    assertThat(prepare(foreignVcenter, mine, second)).isEqualTo("NotFound");
    String onlyOurs = volume();
    Site.bind(host, onlyOurs);
    assertThat(prepare(foreignVcenter, element("vvolId", onlyOurs), foreignHost))
        .isEqualTo("InvalidArgument");

    assertThat(prepare(vcenter, mine, second)).isEmpty();
  }

  @Test
  void moveOfAnotherVcenterIsNeitherCompletedNorCancelledNorInTheWay() throws Exception {
    Member second = ours.host("esx2");
    String arguments = element("vvolId", volume);
    assertThat(prepare(vcenter, arguments, second)).isEmpty();

    assertThat(item(foreignVcenter.done("cancelBindingChange", arguments))).contains("NotFound");
    assertThat(item(foreignVcenter.done("bindingChangeComplete", arguments))).contains("NotFound");
    Member foreignSecond = theirs.host("esx2");
    assertThat(prepare(foreignVcenter, arguments, foreignSecond)).isEmpty();
    Site.bind(second, volume);
    assertThat(item(vcenter.done("bindingChangeComplete", arguments))).isEmpty();
    assertThat(item(foreignVcenter.done("cancelBindingChange", arguments))).isEmpty();
  }

  @Test
  void hostsThatHaveNotFollowedTheirVcentersNewRegistrationAreItsOwn() throws Exception {
    ours.renewAuthority();
    Member moved = ours.register();

    moved.done("unbindVirtualVolumeFromAllHost", element("vvolId", volume));

    assertThat(hostsOf(volume)).containsExactly(foreignHost.guid());
  }

  private static String prepare(Member caller, String volumes, Member destination)
      throws Exception {
    Reply reply =
        caller.call("prepareForBindingChange", volumes + element("destHostId", destination.guid()));
    return reply.status() == 200 ? "" : reply.fault();
  }

  /// The fault of a batch's one item.
  private static String item(Reply reply) {
    var found = reply.document().getElementsByTagNameNS("*", "error");
    return found.getLength() == 0
        ? ""
        : ((org.w3c.dom.Element) found.item(0))
            .getAttributeNS("http://www.w3.org/2001/XMLSchema-instance", "type");
  }

  private static java.util.List<String> hostsOf(String volume) {
    return provider
        .get()
        .bean(Bindings.class)
        .of(new VolumeId(UUID.fromString(volume.substring("rfc4122.".length()))))
        .stream()
        .map(Binding::host)
        .map(HostId::value)
        .toList();
  }

  private static String volume() {
    var containers = provider.get().bean(Containers.class);
    UUID container = containers.create("c-" + UUID.randomUUID(), 1L << 30).id();
    return "rfc4122."
        + ControlPlane.made(
            provider
                .get()
                .bean(VirtualVolumes.class)
                .create(
                    new NewVolume(
                        container,
                        VolumeType.DATA,
                        VolumeOrigin.HOST,
                        null,
                        4 << 20,
                        Map.of("VMW_VVolName", "disk"))));
  }
}
