package io.coppice.scsi;

import static io.coppice.scsi.Fixture.HOST;
import static io.coppice.scsi.Fixture.OTHER_HOST;
import static io.coppice.scsi.Fixture.op;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.scsi.directory.RefusedException;
import io.coppice.scsi.directory.RefusedException.Reason;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.transport.ScsiStatus;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Endpoints out of service, and bindings that move from them to another one.
class RetiredEndpointTest {

  private static final String READ_16_BLOCKS = "28000000000000001000";

  private final Instant now = Instant.parse("2026-11-22T00:00:00Z");
  private final Fixture fixture =
      new Fixture(new MemoryEngine(), ScsiSettings.defaults().withClock(() -> now));
  private final LunDirectory luns = fixture.luns();
  private VolumeId volume;

  @BeforeEach
  void addEndpoint() {
    luns.addEndpoint(op());
    volume = fixture.volume(1 << 20);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void nothingNewIsBoundThroughAnEndpointOutOfService() {
    luns.retireEndpoint(op(), 1);

    assertThat(luns.retiredEndpoints()).containsOnly(Map.entry(1, now));
    assertThat(luns.bind(op(), HOST, volume, Set.of()).endpoint().lun()).isEqualTo(2);
    assertThat(luns.bind(op(), HOST, fixture.volume(1 << 20), Set.of(1, 2)).endpoint().lun())
        .isEqualTo(2);
    assertRefused(
        Reason.UNKNOWN, () -> luns.bind(op(), OTHER_HOST, fixture.volume(1 << 20), Set.of(1)));
    luns.restoreEndpoint(op(), 1);
    assertThat(luns.bind(op(), OTHER_HOST, fixture.volume(1 << 20), Set.of(1)).endpoint().lun())
        .isEqualTo(1);
  }

  @Test
  void lastEndpointInServiceStays() {
    luns.retireEndpoint(op(), 1);

    assertRefused(Reason.IN_USE, () -> luns.retireEndpoint(op(), 2));
    assertRefused(Reason.UNKNOWN, () -> luns.retireEndpoint(op(), 3));
    assertRefused(Reason.UNKNOWN, () -> luns.restoreEndpoint(op(), 3));
    luns.retireEndpoint(op(), 1);
    assertThat(luns.retiredEndpoints()).containsOnlyKeys(1);
  }

  @Test
  void hostReachesAVolumeAtBothPlacesUntilItLeavesTheFormerOne() {
    Binding before = luns.bind(op(), HOST, volume, Set.of(1));
    luns.bind(op(), HOST, volume, Set.of(1));
    luns.retireEndpoint(op(), 1);
    Initiator initiator = fixture.endpoints();
    assertThat(read(initiator, before)).isEqualTo(ScsiStatus.GOOD);

    Binding after = luns.rebind(op(), HOST, volume, Set.of(1, 2));

    assertThat(after.endpoint().lun()).isEqualTo(2);
    assertThat(after.count()).as("the count moves along").isEqualTo(2);
    assertThat(luns.bindingsOf(volume)).containsExactly(after);
    assertThat(luns.formerBindings()).extracting(Binding::endpoint).containsOnly(before.endpoint());
    assertThat(read(initiator, before)).isEqualTo(ScsiStatus.GOOD);
    assertThat(read(initiator, after)).isEqualTo(ScsiStatus.GOOD);
    assertThat(luns.rebind(op(), HOST, volume, Set.of())).as("asked again").isEqualTo(after);

    assertThat(luns.leave(op(), HOST, volume)).isTrue();
    assertThat(luns.leave(op(), HOST, volume)).isFalse();

    assertThat(luns.formerBindings()).isEmpty();
    assertThat(luns.bindingsOf(volume)).containsExactly(after);
    assertThat(read(initiator, before)).isEqualTo(ScsiStatus.CHECK_CONDITION);
    assertThat(read(initiator, after)).isEqualTo(ScsiStatus.GOOD);
    assertThat(fixture.engine.records().find("scsi/freed/001/00000001"))
        .contains(Long.toString(now.getEpochSecond()));
  }

  @Test
  void bindingAtAnEndpointInServiceStaysWhereItIs() {
    Binding bound = luns.bind(op(), HOST, volume, Set.of(1));

    assertThat(luns.rebind(op(), HOST, volume, Set.of())).isEqualTo(bound);
    assertThat(luns.formerBindings()).isEmpty();
    assertRefused(Reason.UNKNOWN, () -> luns.rebind(op(), OTHER_HOST, volume, Set.of()));
    luns.retireEndpoint(op(), 1);
    assertRefused(Reason.UNKNOWN, () -> luns.rebind(op(), HOST, volume, Set.of(1)));
    assertThat(luns.bindingsOf(volume)).containsExactly(bound);
  }

  @Test
  void hostsThatShareAPlaceLeaveItOneByOne() {
    Binding mine = luns.bind(op(), HOST, volume, Set.of(1));
    luns.bind(op(), OTHER_HOST, volume, Set.of(1));
    luns.retireEndpoint(op(), 1);

    Binding moved = luns.rebind(op(), HOST, volume, Set.of());
    luns.leave(op(), HOST, volume);

    assertThat(fixture.engine.records().find("scsi/freed/001/00000001")).isEmpty();
    assertThat(luns.rebind(op(), OTHER_HOST, volume, Set.of()).subsidiary())
        .isEqualTo(moved.subsidiary());
    luns.unbind(op(), OTHER_HOST, volume);
    assertThat(luns.formerBindings()).as("the last unbind ends both places").isEmpty();
    assertThat(fixture.engine.records().find("scsi/freed/001/00000001")).isPresent();
    assertThat(luns.bindingsOf(volume)).containsExactly(moved);
    assertThat(mine.subsidiary()).isEqualTo(1);
  }

  @Test
  void everyUnbindEndsBothPlaces() {
    for (int way = 0; way < 3; way++) {
      VolumeId id = fixture.volume(1 << 20);
      luns.restoreEndpoint(op(), 1);
      luns.bind(op(), HOST, id, Set.of(1));
      luns.retireEndpoint(op(), 1);
      luns.rebind(op(), HOST, id, Set.of());
      assertThat(luns.formerBindings()).hasSize(1);
      switch (way) {
        case 0 -> luns.unbindAll(op(), HOST);
        case 1 -> luns.unbindFromAllHosts(op(), id);
        default -> luns.forgetHost(op(), HOST);
      }
      assertThat(luns.formerBindings()).as("way %d", way).isEmpty();
      assertThat(luns.bindings()).as("way %d", way).isEmpty();
    }
  }

  @Test
  void everythingOutlivesARestart() {
    OperationId rebind = op();
    luns.bind(op(), HOST, volume, Set.of(1));
    luns.retireEndpoint(op(), 1);
    Binding after = luns.rebind(rebind, HOST, volume, Set.of());

    try (ScsiTarget again = ScsiTarget.open(fixture.engine, ScsiSettings.defaults())) {
      assertThat(again.luns().retiredEndpoints()).containsOnlyKeys(1);
      assertThat(again.luns().bindingsOf(volume)).containsExactly(after);
      assertThat(again.luns().formerBindings()).hasSize(1);
      assertThat(again.luns().rebind(rebind, HOST, volume, Set.of())).isEqualTo(after);
      Initiator initiator = new Initiator(again.endpoints(), Fixture.ESX);
      for (Binding place : List.of(after, again.luns().formerBindings().getFirst())) {
        assertThat(read(initiator, place)).isEqualTo(ScsiStatus.GOOD);
      }
      VolumeId other = fixture.volume(1 << 20);
      assertThat(again.luns().bind(op(), HOST, other, Set.of()).subsidiary())
          .isNotEqualTo(after.subsidiary());
    }
  }

  /// Reads at a place; unit attentions are taken before.
  private static ScsiStatus read(Initiator initiator, Binding place) {
    String lun = "%04x%s0000".formatted(place.endpoint().lun(), place.secondaryId().substring(2));
    while (true) {
      Initiator.Reply reply = initiator.send(lun, READ_16_BLOCKS);
      if (!reply.code().startsWith("6/")) {
        return reply.status();
      }
    }
  }

  private static void assertRefused(Reason reason, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }
}
