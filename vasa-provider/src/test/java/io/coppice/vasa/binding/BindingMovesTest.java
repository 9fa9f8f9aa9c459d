package io.coppice.vasa.binding;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static io.coppice.vasa.testing.ControlPlane.HOST;
import static io.coppice.vasa.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.directory.HostId;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.task.VasaTask;
import io.coppice.vasa.testing.ControlPlane;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BindingMovesTest {

  private static final HostId DESTINATION = new HostId("host-2");
  private static final HostId THIRD = new HostId("host-3");
  private static final Predicate<HostId> ANY = _ -> true;

  private ControlPlane plane;
  private StorageContainer container;
  private Set<String> visible;
  private BindingMoves changes;

  @BeforeEach
  void open() {
    plane = new ControlPlane();
    container = plane.container("c1");
    visible = plane.declareHost();
    for (HostId host : List.of(DESTINATION, THIRD)) {
      plane.luns.declareHost(OperationId.random(), host, Set.of("iqn.2026-11.test:" + host));
    }
    changes = plane.bindingChanges(false);
  }

  @Test
  void changeIsCompleteOnceTheDestinationHasBound() {
    VolumeId id = bound();
    VasaTask task = changes.prepare(List.of(id), DESTINATION, ANY);
    assertThat(task.state().ended()).isTrue();
    assertThat(task.volume()).isEqualTo(id);

    assertThat(fault(changes.complete(id, ANY))).isEqualTo("InvalidArgument");
    assertThat(changes.destinationOf(id, ANY)).contains(DESTINATION);
    bind(DESTINATION, id);
    assertThat(changes.complete(id, ANY)).isEqualTo(new UnbindOutcome.Done(id));

    assertThat(hosts(id)).containsExactly(HOST, DESTINATION);
    assertThat(fault(changes.complete(id, ANY))).isEqualTo("NotFound");
  }

  @Test
  void endsOfChangesEndTheBindingsNobodyNeedsIfTheyAreToldTo() {
    BindingMoves ending = plane.bindingChanges(true);
    VolumeId moved = bound();
    VolumeId stays = bound();
    bind(HOST, moved);
    ending.prepare(List.of(moved, stays), DESTINATION, ANY);
    bind(DESTINATION, moved);
    bind(DESTINATION, stays);
    bind(DESTINATION, stays);

    ending.complete(moved, ANY);
    ending.cancel(stays, ANY);

    assertThat(hosts(moved)).containsExactly(DESTINATION);
    assertThat(hosts(stays)).containsExactly(HOST);
  }

  @Test
  void preparedChangeOutlivesARestart() {
    VolumeId id = bound();
    changes.prepare(List.of(id), DESTINATION, ANY);

    ControlPlane again = plane.restarted();
    again.reconciliation.atStart();
    BindingMoves found = again.bindingChanges(false);

    assertThat(found.destinationOf(id, ANY)).contains(DESTINATION);
    assertThat(found.cancel(id, ANY)).isEqualTo(new UnbindOutcome.Done(id));
    assertThat(found.destinationOf(id, ANY)).isEmpty();
  }

  @Test
  void changeThatCannotBeIsRefusedAsAWhole() {
    VolumeId id = bound();
    VolumeId unbound = plane.volume(container, GIB);

    assertFault("NotFound", () -> changes.prepare(List.of(id), new HostId("nobody"), ANY));
    assertFault(
        "NotFound", () -> changes.prepare(List.of(id, VolumeId.random()), DESTINATION, ANY));
    assertFault("InvalidArgument", () -> changes.prepare(List.of(id, unbound), DESTINATION, ANY));
    assertFault("InvalidArgument", () -> changes.prepare(List.of(id), HOST, ANY));
    assertThat(changes.destinationOf(id, ANY)).isEmpty();

    changes.prepare(List.of(id), DESTINATION, ANY);
    VolumeId other = bound();
    assertFault("InvalidArgument", () -> changes.prepare(List.of(other, id), THIRD, ANY));
    assertThat(changes.destinationOf(other, ANY)).isEmpty();
    changes.prepare(List.of(id), DESTINATION, ANY);
    assertThat(changes.destinationOf(id, ANY)).contains(DESTINATION);
  }

  @Test
  void changeThatNobodyEndsIsForgotten() {
    VolumeId id = bound();
    changes.prepare(List.of(id), DESTINATION, ANY);

    plane.clock.advance(ControlPlane.KEPT.plus(Duration.ofSeconds(1)));
    changes.prepare(List.of(id), THIRD, ANY);

    assertThat(changes.destinationOf(id, ANY)).contains(THIRD);
  }

  @Test
  void changeGoesWithItsVolume() {
    VolumeId id = bound();
    changes.prepare(List.of(id), DESTINATION, ANY);
    plane.bindings.unbindAll(HOST);

    plane.volumes.delete(id);

    assertThat(changes.destinationOf(id, ANY)).isEmpty();
    assertThat(fault(changes.cancel(id, ANY))).isEqualTo("NotFound");
  }

  private VolumeId bound() {
    VolumeId id = plane.volume(container, GIB);
    bind(HOST, id);
    return id;
  }

  private void bind(HostId host, VolumeId id) {
    assertThat(plane.bindings.bind(host, visible, List.of(id)).getFirst())
        .isInstanceOf(BindOutcome.Bound.class);
  }

  private List<HostId> hosts(VolumeId id) {
    return plane.bindings.of(id).stream().map(Binding::host).sorted().toList();
  }

  private static String fault(UnbindOutcome outcome) {
    return ((UnbindOutcome.Refused) outcome).why().fault().name();
  }
}
