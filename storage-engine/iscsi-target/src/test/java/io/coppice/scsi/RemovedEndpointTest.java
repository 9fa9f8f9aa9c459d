package io.coppice.scsi;

import static io.coppice.scsi.Fixture.HOST;
import static io.coppice.scsi.Fixture.op;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.scsi.directory.ProtocolEndpoint;
import io.coppice.scsi.directory.RefusedException;
import io.coppice.scsi.directory.RefusedException.Reason;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.transport.ScsiStatus;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Protocol endpoints that were removed.
class RemovedEndpointTest {

  private static final String INQUIRY = "12 00 00 00 24 00";
  private static final String READY = "00 00 00 00 00 00";
  private static final String REPORT_LUNS = "a0 00 00 00 00 00 00 00 01 00 00 00";
  private static final String FIRST = "0001000000000000";
  private static final String SECOND = "0002000000000000";

  private final Fixture fixture = new Fixture();
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
  void onlyAnEmptyOneOutOfServiceIsRemoved() {
    luns.bind(op(), HOST, volume, Set.of(2));
    assertRefused(Reason.UNKNOWN, "LUN 3", () -> luns.removeEndpoint(op(), 3));
    assertRefused(Reason.IN_USE, "is in service", () -> luns.removeEndpoint(op(), 2));
    luns.retireEndpoint(op(), 2);
    assertRefused(Reason.IN_USE, "has 1, and 0 more", () -> luns.removeEndpoint(op(), 2));
    luns.rebind(op(), HOST, volume, Set.of());
    assertRefused(Reason.IN_USE, "has 0, and 1 more", () -> luns.removeEndpoint(op(), 2));
    luns.leave(op(), HOST, volume);

    luns.removeEndpoint(op(), 2);

    assertThat(luns.endpoints()).extracting(ProtocolEndpoint::lun).containsExactly(1);
    assertThat(luns.retiredEndpoints()).isEmpty();
    assertRefused(Reason.UNKNOWN, "LUN 2", () -> luns.removeEndpoint(op(), 2));
    assertRefused(Reason.IN_USE, "another", () -> luns.retireEndpoint(op(), 1));
  }

  @Test
  void hostsHearOfItAndReachItNoMore() {
    Initiator host = fixture.endpoints();
    host.settle(FIRST);
    host.settle(SECOND);
    luns.retireEndpoint(op(), 2);
    luns.removeEndpoint(op(), 2);

    assertThat(host.send(FIRST, READY).code())
        .as("REPORTED LUNS DATA HAS CHANGED")
        .isEqualTo("6/3f/0e");
    assertThat(host.send(SECOND, READY).code())
        .as("LOGICAL UNIT NOT SUPPORTED")
        .isEqualTo("5/25/00");
    assertThat(host.send(SECOND, INQUIRY).hex(0, 1)).as("no unit here").isEqualTo("7f");
    assertThat(host.send(FIRST, REPORT_LUNS).hex()).contains(FIRST).doesNotContain(SECOND);
    assertThat(host.send(FIRST, READY).status()).isEqualTo(ScsiStatus.GOOD);
  }

  @Test
  void aRestartDoesNotBringItBackAndARepeatDoesNothing() {
    var operation = op();
    luns.retireEndpoint(op(), 1);
    luns.removeEndpoint(operation, 1);
    luns.removeEndpoint(operation, 1);

    try (ScsiTarget again = ScsiTarget.open(fixture.engine, ScsiSettings.defaults())) {
      assertThat(again.luns().endpoints()).extracting(ProtocolEndpoint::lun).containsExactly(2);
      assertThat(again.luns().retiredEndpoints()).isEmpty();
      assertThat(again.luns().bind(op(), HOST, volume, Set.of()).endpoint().lun()).isEqualTo(2);
    }
  }

  @Test
  void theSameLunIsTheSameEndpointAgainAndItsNumbersRestOn() {
    Binding first = luns.bind(op(), HOST, volume, Set.of(2));
    luns.unbind(op(), HOST, volume);
    String naa = luns.endpoints().getLast().naa();
    luns.retireEndpoint(op(), 2);
    luns.removeEndpoint(op(), 2);

    ProtocolEndpoint again = luns.addEndpoint(op());

    assertThat(again).isEqualTo(new ProtocolEndpoint(2, naa));
    assertThat(luns.bind(op(), HOST, fixture.volume(1 << 20), Set.of(2)).subsidiary())
        .isNotEqualTo(first.subsidiary());
    Initiator host = fixture.endpoints();
    host.settle(SECOND);
  }

  @Test
  void freeLunsBelowTheLargestAreUsedWhenThatIsTaken() {
    IntStream.range(2, 255).forEach(_ -> luns.addEndpoint(op()));
    assertRefused(Reason.EXHAUSTED, "255", () -> luns.addEndpoint(op()));
    luns.retireEndpoint(op(), 7);
    luns.removeEndpoint(op(), 7);

    assertThat(luns.addEndpoint(op()).lun()).isEqualTo(7);
    assertRefused(Reason.EXHAUSTED, "255", () -> luns.addEndpoint(op()));
  }

  private static void assertRefused(Reason reason, String part, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            RefusedException.class, e -> assertThat(e.reason()).isEqualTo(reason))
        .hasMessageContaining(part);
  }
}
