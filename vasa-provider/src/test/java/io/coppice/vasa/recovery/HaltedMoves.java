package io.coppice.vasa.recovery;

import static io.coppice.vasa.testing.ControlPlane.HOST;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.directory.ProtocolEndpoint;
import io.coppice.vasa.binding.BindContext;
import io.coppice.vasa.binding.BindOutcome;
import io.coppice.vasa.binding.Bindings;
import io.coppice.vasa.binding.UnbindOutcome;
import io.coppice.vasa.event.Event;
import io.coppice.vasa.recovery.PlaneState.Place;
import io.coppice.vasa.testing.ControlPlane;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Draws moves of bindings between two protocol endpoints: one goes out of service, the host moves
/// its bindings and leaves their former places, the endpoint comes back.
final class HaltedMoves {

  private final Random random;

  HaltedMoves(Random random) {
    this.random = random;
  }

  HaltedChange next(ControlPlane plane, PlaneState now) {
    if (now.retired().isEmpty()) {
      return retire(plane, 1 + random.nextInt(2));
    }
    int retired = now.retired().iterator().next();
    Optional<VolumeId> stuck = one(now, place -> place.lun() == retired && place.former() == 0);
    Optional<VolumeId> moved = one(now, place -> place.former() != 0);
    Optional<HaltedChange> move = stuck.or(() -> moved).map(id -> move(plane, now, id));
    return switch (random.nextInt(8)) {
      case 0 -> restore(plane, retired);
      case 1 -> retire(plane, retired);
      case 2, 3, 4 ->
          moved
              .map(id -> leave(plane, now, id))
              .or(() -> move)
              .orElseGet(() -> retire(plane, retired));
      default -> move.orElseGet(() -> restore(plane, retired));
    };
  }

  private Optional<VolumeId> one(PlaneState now, Predicate<Place> which) {
    List<VolumeId> fit =
        now.bindings().keySet().stream()
            .filter(id -> which.test(now.bindings().get(id)))
            .sorted()
            .toList();
    return fit.isEmpty() ? Optional.empty() : Optional.of(fit.get(random.nextInt(fit.size())));
  }

  /// Out of service; perhaps it is already, and the host is asked again.
  private static HaltedChange retire(ControlPlane plane, int lun) {
    long newest =
        plane.events.newest(Long.MAX_VALUE, 1).stream().mapToLong(Event::id).findFirst().orElse(-1);
    return new HaltedChange(
        "retire",
        () -> plane.endpoints.retire(lun),
        before -> before.withRetired(Set.of(lun)),
        0,
        List.of(),
        (later, _, _) -> {
          Set<String> asked =
              later.events.after(newest, HOST.value(), Set.of("Rebind")).stream()
                  .flatMap(event -> event.virtualVolumes().stream())
                  .collect(Collectors.toSet());
          Set<String> there =
              later.luns.bindings().stream()
                  .filter(binding -> binding.endpoint().lun() == lun)
                  .map(binding -> "rfc4122." + binding.volume())
                  .collect(Collectors.toSet());
          assertThat(asked).as("whom the host is asked to move").isEqualTo(there);
        });
  }

  private static HaltedChange restore(ControlPlane plane, int lun) {
    return new HaltedChange(
        "restore", () -> plane.endpoints.restore(lun), before -> before.withRetired(Set.of()), 0);
  }

  /// To the endpoint in service; one that has moved and has not left stays where it is.
  private static HaltedChange move(ControlPlane plane, PlaneState now, VolumeId id) {
    Set<String> both =
        plane.luns.endpoints().stream().map(ProtocolEndpoint::naa).collect(Collectors.toSet());
    Place place = now.bindings().get(id);
    Place moved =
        place.former() == 0 ? new Place(3 - place.lun(), place.count(), place.lun()) : place;
    return new HaltedChange(
        "rebind",
        () -> requireBound(plane.bindings.rebind(HOST, both, List.of(id))),
        before -> before.bound(id, moved),
        0,
        List.of(),
        (later, _, cut) -> {
          if (cut) { // its answer was lost: the host repeats it
            requireBound(later.bindings.rebind(HOST, both, List.of(id)));
            assertThat(PlaneState.of(later).bindings().get(id)).isEqualTo(moved);
          }
        });
  }

  private static HaltedChange leave(ControlPlane plane, PlaneState now, VolumeId id) {
    Place place = now.bindings().get(id);
    Binding former =
        plane.luns.formerBindings().stream()
            .filter(each -> each.volume().equals(id))
            .findFirst()
            .orElseThrow();
    var handle =
        new Bindings.Handle(
            id, Optional.of(former.endpoint().naa()), Optional.of(former.secondaryId()));
    return new HaltedChange(
        "leave",
        () ->
            assertThat(plane.bindings.unbind(HOST, BindContext.REBIND_END, handle))
                .isEqualTo(new UnbindOutcome.Done(id)),
        before -> before.bound(id, new Place(place.lun(), place.count(), 0)),
        0);
  }

  static void requireBound(List<BindOutcome> outcomes) {
    assertThat(outcomes).singleElement().isInstanceOf(BindOutcome.Bound.class);
  }
}
