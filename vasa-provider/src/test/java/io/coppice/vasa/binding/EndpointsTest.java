package io.coppice.vasa.binding;

import static io.coppice.vasa.testing.ControlPlane.HOST;
import static io.coppice.vasa.testing.ControlPlane.MIB;
import static io.coppice.vasa.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.directory.HostId;
import io.coppice.scsi.directory.ProtocolEndpoint;
import io.coppice.vasa.event.Event;
import io.coppice.vasa.event.EventType;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.HookedEngine.ProcessEnded;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// An endpoint that is taken out of service, and the hosts that are asked to leave it.
class EndpointsTest {

  private static final HostId OTHER = new HostId("host-2");

  private ControlPlane plane;
  private Set<String> both;
  private VolumeId disk;

  @BeforeEach
  void open() {
    plane = new ControlPlane();
    plane.declareHost();
    plane.luns.declareHost(OperationId.random(), OTHER, Set.of("iqn.2026-11.test:host-2"));
    plane.endpoints.add();
    both = plane.luns.endpoints().stream().map(ProtocolEndpoint::naa).collect(Collectors.toSet());
    disk = plane.volume(plane.container("c1"), MIB);
  }

  @Test
  void hostsWithBindingsThereAreAskedToMoveThem() {
    Binding mine = bound(HOST, first());
    VolumeId other = plane.volume(plane.container("c2"), MIB);
    bound(other, OTHER, Set.of(second()));
    long before = newest();

    Endpoints.Endpoint retired = plane.endpoints.retire(1);

    assertThat(retired.retired()).isNotNull();
    assertThat(retired.bindings()).isEqualTo(1);
    assertThat(rebindsFor(HOST, before)).containsExactly(List.of("rfc4122." + disk));
    assertThat(rebindsFor(OTHER, before)).isEmpty();
    assertThat(changesOfEndpoints(before)).containsExactly("Update");
    plane.endpoints.retire(1);
    assertThat(rebindsFor(HOST, before)).as("once more, since it has not moved").hasSize(2);
    assertThat(changesOfEndpoints(before)).containsExactly("Update");

    Binding moved = rebound(HOST, both);
    assertThat(moved.endpoint().lun()).isEqualTo(2);
    assertThat(plane.endpoints.require(1).leaving()).isEqualTo(1);
    assertThat(unbind(BindContext.REBIND_END, mine)).isInstanceOf(UnbindOutcome.Done.class);
    assertThat(plane.endpoints.require(1).leaving()).isZero();
    assertThat(plane.bindings.of(disk)).containsExactly(moved);
    long moving = newest();
    plane.endpoints.retire(1);
    assertThat(rebindsFor(HOST, moving)).isEmpty();
    plane.endpoints.restore(1);
    assertThat(changesOfEndpoints(moving)).containsExactly("Update");
    assertThat(bound(plane.volume(plane.container("c3"), MIB), OTHER, Set.of(first())).endpoint())
        .as("it takes bindings again")
        .isEqualTo(mine.endpoint());
  }

  @Test
  void unbindsOfAMoveMayComeInAnyOrderAndTwice() {
    Binding former = bound(HOST, first());
    plane.endpoints.retire(1);
    assertThat(unbind(BindContext.REBIND_START, former))
        .as("the former place first")
        .isInstanceOf(UnbindOutcome.Done.class);
    Binding moved = rebound(HOST, both);
    assertThat(moved.endpoint().lun()).isEqualTo(2);

    for (int i = 0; i < 2; i++) {
      assertThat(unbind(BindContext.REBIND_END, former)).isInstanceOf(UnbindOutcome.Done.class);
      assertThat(plane.bindings.of(disk)).containsExactly(moved);
    }
    assertThat(fault(unbind(BindContext.NORMAL, former))).isEqualTo("InvalidArgument");
    assertThat(unbind(BindContext.NORMAL, moved)).isInstanceOf(UnbindOutcome.Done.class);
    assertThat(plane.bindings.of(disk)).isEmpty();
    assertThat(fault(unbind(BindContext.REBIND_END, former))).isEqualTo("NotFound");
  }

  @Test
  void handleOfTheFormerPlaceNeverEndsTheBinding() {
    Binding former = bound(HOST, first());
    plane.endpoints.retire(1);
    Binding moved = rebound(HOST, both);
    assertThat(moved.secondaryId())
        .as("told apart by the endpoint")
        .isEqualTo(former.secondaryId());

    assertThat(unbind(BindContext.NORMAL, former)).isInstanceOf(UnbindOutcome.Done.class);

    assertThat(plane.bindings.of(disk)).containsExactly(moved);
    assertThat(plane.bindings.former()).isEmpty();
  }

  @Test
  void hostThatSeesNoOtherEndpointStaysWhereItIsAndBindsNothingNew() {
    Binding bound = bound(HOST, first());
    plane.endpoints.retire(1);

    assertThat(fault(plane.bindings.rebind(HOST, Set.of(first()), List.of(disk)).getFirst()))
        .isEqualTo("StorageFault");
    VolumeId other = plane.volume(plane.container("c2"), MIB);
    assertThat(fault(plane.bindings.bind(HOST, Set.of(first()), List.of(other)).getFirst()))
        .isEqualTo("StorageFault");
    assertThat(plane.bindings.bind(HOST, Set.of(first()), List.of(disk)).getFirst())
        .as("one more bind of what it has")
        .isInstanceOf(BindOutcome.Bound.class);
    assertThat(plane.bindings.of(disk).getFirst().endpoint()).isEqualTo(bound.endpoint());
  }

  @Test
  void clientsAreToldOfAnEndpointOutOfServiceWhileTheyNeedIt() {
    Binding former = bound(HOST, first());
    plane.endpoints.retire(1);
    assertThat(offered(Optional.of(HOST))).containsExactly(1, 2);
    assertThat(offered(Optional.of(OTHER))).containsExactly(2);
    assertThat(offered(Optional.empty())).containsExactly(1, 2);

    rebound(HOST, both);
    assertThat(offered(Optional.of(HOST))).as("it has not left").containsExactly(1, 2);
    unbind(BindContext.REBIND_END, former);

    assertThat(offered(Optional.of(HOST))).containsExactly(2);
    assertThat(offered(Optional.empty())).containsExactly(2);
  }

  @Test
  void manyVolumesAreAskedForInBatchesThatABindTakes() {
    VolumeId[] volumes = new VolumeId[257];
    for (int i = 0; i < volumes.length; i++) {
      volumes[i] = VolumeId.random();
      plane.engine.create(OperationId.random(), VolumeSpec.thin(volumes[i], MIB));
      plane.luns.bind(OperationId.random(), HOST, volumes[i], Set.of(1));
    }
    long before = newest();

    plane.endpoints.retire(1);

    assertThat(rebindsFor(HOST, before)).extracting(List::size).containsExactly(256, 1);
  }

  @Test
  void hostsThatACrashLeftUnaskedAreAskedAtTheNextStart() {
    bound(HOST, first());
    plane.luns.retireEndpoint(OperationId.random(), 1);
    long before = newest();
    plane = plane.restarted();

    plane.endpoints.askAgain();

    assertThat(rebindsFor(HOST, before)).hasSize(1);
    rebound(HOST, both);
    plane = plane.restarted();
    plane.endpoints.askAgain();
    assertThat(rebindsFor(HOST, before)).as("it has moved").hasSize(1);
  }

  @Test
  void crashBeforeTheAnswerLeavesAMoveThatTheNextStartKnows() {
    bound(HOST, first());
    plane.endpoints.retire(1);
    plane.steps.at(1);
    assertThatThrownBy(() -> rebound(HOST, both)).isInstanceOf(ProcessEnded.class);

    plane = plane.restarted();

    assertThat(plane.bindings.of(disk).getFirst().endpoint().lun()).isEqualTo(2);
    assertThat(rebound(HOST, both).endpoint().lun()).isEqualTo(2);
    assertThat(plane.bindings.of(disk).getFirst().count()).isEqualTo(1);
  }

  @Test
  void endpointsThatAreNotThereAndTheLastOneAreRefused() {
    assertFault("NotFound", () -> plane.endpoints.retire(3));
    assertFault("NotFound", () -> plane.endpoints.restore(3));
    assertFault("NotFound", () -> plane.endpoints.require(3));
    plane.endpoints.retire(2);
    assertFault("ResourceInUse", () -> plane.endpoints.retire(1));
    assertThat(plane.endpoints.list())
        .extracting(one -> one.retired() == null)
        .containsExactly(true, false);
  }

  private String first() {
    return plane.luns.endpoints().getFirst().naa();
  }

  private String second() {
    return plane.luns.endpoints().getLast().naa();
  }

  private Binding bound(HostId host, String endpoint) {
    return bound(disk, host, Set.of(endpoint));
  }

  private Binding bound(VolumeId volume, HostId host, Set<String> visible) {
    return of(plane.bindings.bind(host, visible, List.of(volume)).getFirst());
  }

  private Binding rebound(HostId host, Set<String> visible) {
    return of(plane.bindings.rebind(host, visible, List.of(disk)).getFirst());
  }

  private static Binding of(BindOutcome outcome) {
    return ((BindOutcome.Bound) outcome).binding();
  }

  private UnbindOutcome unbind(BindContext context, Binding binding) {
    var handle =
        new Bindings.Handle(
            disk, Optional.of(binding.endpoint().naa()), Optional.of(binding.secondaryId()));
    return plane.bindings.unbind(HOST, context, handle);
  }

  private static String fault(BindOutcome outcome) {
    return name(((BindOutcome.Refused) outcome).why());
  }

  private static String fault(UnbindOutcome outcome) {
    return name(((UnbindOutcome.Refused) outcome).why());
  }

  private static String name(VasaException why) {
    return why.fault().name();
  }

  private List<Integer> offered(Optional<HostId> host) {
    return plane.endpoints.offeredTo(host).stream().map(ProtocolEndpoint::lun).toList();
  }

  private long newest() {
    List<Event> all = plane.events.newest(Long.MAX_VALUE, 1);
    return all.isEmpty() ? -1 : all.getFirst().id();
  }

  private List<List<String>> rebindsFor(HostId host, long after) {
    List<List<String>> asked = new ArrayList<>();
    for (Event event : plane.events.after(after, host.value(), Set.of("Rebind"))) {
      assertThat(event.type()).isEqualTo(EventType.REBIND);
      asked.add(event.virtualVolumes());
    }
    return asked;
  }

  private List<String> changesOfEndpoints(long after) {
    return plane.events.after(after, "anybody", Set.of("ConfigProtocolEndpoint")).stream()
        .map(Event::change)
        .toList();
  }
}
