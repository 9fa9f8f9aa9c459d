package io.coppice.vasa.binding;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static io.coppice.vasa.testing.ControlPlane.HOST;
import static io.coppice.vasa.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.directory.HostId;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.testing.ControlPlane;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;

class BindingsTest {

  private ControlPlane plane;
  private StorageContainer container;
  private Set<String> visible;

  @BeforeEach
  void open() {
    plane = new ControlPlane();
    container = plane.container("c1");
    visible = plane.declareHost();
  }

  @Test
  void batchAnswersEachItemInOrder() {
    VolumeId first = plane.volume(container, GIB);
    VolumeId unknown = VolumeId.random();
    VolumeId exported = plane.volume(container, GIB);
    plane.luns.export(OperationId.random(), exported, Optional.empty(), true, Set.of("iqn.x"));

    List<BindOutcome> outcomes =
        plane.bindings.bind(HOST, visible, List.of(unknown, first, exported));

    assertThat(outcomes).extracting(BindOutcome::id).containsExactly(unknown, first, exported);
    assertThat(fault(outcomes.get(0))).isEqualTo("NotFound");
    assertThat(outcomes.get(1)).isInstanceOf(BindOutcome.Bound.class);
    assertThat(fault(outcomes.get(2))).isEqualTo("ResourceInUse");
    assertThat(plane.bindings.list()).hasSize(1);
  }

  @Test
  void secondBindCountsAndReturnsTheSameHandle() {
    VolumeId id = plane.volume(container, GIB);

    BindOutcome.Bound first = bind(id);
    BindOutcome.Bound second = bind(id);

    assertThat(second.binding().secondaryId()).isEqualTo(first.binding().secondaryId());
    assertThat(second.binding().count()).isEqualTo(2);
    unbind(id, Optional.of(first.binding().secondaryId()));
    assertThat(plane.bindings.of(id)).hasSize(1);
    unbind(id, Optional.empty());
    assertThat(plane.bindings.of(id)).isEmpty();
    assertThat(plane.bindings.list()).isEmpty();
  }

  @Test
  void databaseThatFailsRefusesTheBindAndChangesNoBinding() {
    VolumeId id = plane.volume(container, GIB);
    bind(id);
    plane.jdbc.sql("alter table volume rename to volume_away").update();

    assertThatThrownBy(() -> plane.bindings.bind(HOST, visible, List.of(id)))
        .isInstanceOf(DataAccessException.class);
    plane.jdbc.sql("alter table volume_away rename to volume").update();

    assertThat(plane.bindings.of(id)).singleElement().extracting(Binding::count).isEqualTo(1);
  }

  @Test
  void unbindNeedsNoDatabase() {
    VolumeId id = plane.volume(container, GIB);
    bind(id);
    plane.jdbc.sql("alter table volume rename to volume_away").update();

    unbind(id, Optional.empty());

    assertThat(plane.bindings.of(id)).isEmpty();
  }

  @Test
  void hostThatSeesNoEndpointCannotBind() {
    VolumeId id = plane.volume(container, GIB);

    assertFault("StorageFault", () -> plane.bindings.bind(HOST, Set.of(), List.of(id)));
    assertFault("StorageFault", () -> plane.bindings.bind(HOST, Set.of("naa.6f00"), List.of(id)));
    assertThat(plane.bindings.list()).isEmpty();
  }

  @Test
  void oneCallIsForOneContainer() {
    VolumeId first = plane.volume(container, GIB);
    VolumeId second = plane.volume(plane.container("c2"), GIB);

    assertFault(
        "InvalidArgument", () -> plane.bindings.bind(HOST, visible, List.of(first, second)));
    assertThat(plane.bindings.list()).isEmpty();
  }

  @Test
  void unbindOfWhatIsNotBoundOrHasAnotherNumberIsRefused() {
    VolumeId id = plane.volume(container, GIB);
    bind(id);

    assertThat(fault(unbind(VolumeId.random(), Optional.empty()))).isEqualTo("NotFound");
    assertThat(fault(unbind(id, Optional.of("0xd2ffffff")))).isEqualTo("InvalidArgument");
    assertThat(plane.bindings.of(id)).hasSize(1);
  }

  @Test
  void unbindAllEndsOnlyTheHostsOwnBindings() {
    HostId other = new HostId("host-2");
    plane.luns.declareHost(OperationId.random(), other, Set.of("iqn.2026-11.test:host-2"));
    VolumeId id = plane.volume(container, GIB);
    bind(id);
    bind(id);
    plane.bindings.bind(other, visible, List.of(id));

    assertThat(plane.bindings.unbindAll(HOST)).isEqualTo(1);

    assertThat(plane.bindings.of(id)).extracting(binding -> binding.host()).containsExactly(other);
    assertThat(plane.bindings.unbindFromAllHosts(id, _ -> true))
        .isEqualTo(new UnbindOutcome.Done(id));
    assertThat(plane.bindings.list()).isEmpty();
  }

  private BindOutcome.Bound bind(VolumeId id) {
    return (BindOutcome.Bound) plane.bindings.bind(HOST, visible, List.of(id)).getFirst();
  }

  private UnbindOutcome unbind(VolumeId id, Optional<String> secondaryId) {
    return plane.bindings.unbind(
        HOST, BindContext.NORMAL, new Bindings.Handle(id, Optional.empty(), secondaryId));
  }

  private static String fault(BindOutcome outcome) {
    return ((BindOutcome.Refused) outcome).why().fault().name();
  }

  private static String fault(UnbindOutcome outcome) {
    return ((UnbindOutcome.Refused) outcome).why().fault().name();
  }
}
