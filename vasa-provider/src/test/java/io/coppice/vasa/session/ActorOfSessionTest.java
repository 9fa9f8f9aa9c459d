package io.coppice.vasa.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.actor.Actor;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.event.ChangeFilter;
import io.coppice.vasa.event.ChangeHistory;
import io.coppice.vasa.event.EventSentences;
import io.coppice.vasa.event.HistorySettings;
import io.coppice.vasa.event.KeptChange;
import io.coppice.vasa.testing.ControlPlane;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The actor of what a VASA session changes: the vCenter or the host.
class ActorOfSessionTest {

  private final ControlPlane plane = new ControlPlane();
  private final ChangeHistory history =
      new ChangeHistory(plane.jdbc, plane.transactions, new HistorySettings(1000, 3));

  @Test
  void changesOfVolumesNameTheHostOrVcenterThatMadeThem() throws Exception {
    StorageContainer container = plane.container("shared");
    VasaSession host = VasaSession.of("h", new Peer.Host("host-1"));
    VasaSession vcenter = VasaSession.of("v", new Peer.Vcenter("vc-1"));
    long before = history.newestId();

    VolumeId volume = CurrentSession.call(host, () -> plane.volume(container, ControlPlane.GIB));
    CurrentSession.call(vcenter, () -> plane.volumes.resize(volume, 2 * ControlPlane.GIB));
    VolumeId snapshot = CurrentSession.call(host, () -> plane.snapshot(volume));
    CurrentSession.call(host, () -> plane.reverts.revert(volume, snapshot));
    plane.volumes.updateMetadata(volume, Map.of("VMW_VVolName", "renamed"), Set.of());
    plane.volumes.updateMetadata(volume, Map.of("VMW_VVolName", "renamed"), Set.of());
    plane.volumes.delete(snapshot);

    List<KeptChange> changes = history.following(ChangeFilter.ALL, before, 100);
    var sentences = new EventSentences();
    assertThat(changes)
        .extracting(sentences::of)
        .containsExactly(
            "Volume disk (%s) of 1 GiB was made in storage container shared (%s)."
                .formatted(volume, container.id()),
            "Volume disk (%s) was grown from 1 GiB to 2 GiB.".formatted(volume),
            "Snapshot %s of volume disk (%s) was taken.".formatted(snapshot, volume),
            "Volume disk (%s) was reverted to snapshot %s.".formatted(volume, snapshot),
            "Volume disk (%s) was renamed from disk to renamed.".formatted(volume),
            "Snapshot %s was deleted.".formatted(snapshot));
    assertThat(changes)
        .extracting(KeptChange::actor)
        .containsExactly(
            Actor.vasa("host host-1"),
            Actor.vasa("vCenter vc-1"),
            Actor.vasa("host host-1"),
            Actor.vasa("host host-1"),
            Actor.COPPICE,
            Actor.COPPICE);
  }
}
