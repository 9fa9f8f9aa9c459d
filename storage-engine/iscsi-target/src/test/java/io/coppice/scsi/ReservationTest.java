package io.coppice.scsi;

import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.OTHER;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.scsi.transport.ScsiStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// SPC-2 reservations: one nexus holds a whole unit.
class ReservationTest {

  private static final String RESERVE_6 = "16 00 00 00 00 00";
  private static final String RELEASE_6 = "17 00 00 00 00 00";
  private static final String RESERVE_10 = "56 00 00 00 00 00 00 0000 00";
  private static final String RELEASE_10 = "57 00 00 00 00 00 00 0000 00";
  private static final String READ = "28 00 00000000 00 0001 00";

  private final Fixture fixture = new Fixture();
  private Initiator holder;
  private Initiator other;

  @BeforeEach
  void attach() {
    fixture.exported(1 << 20);
    holder = fixture.plain();
    other = new Initiator(fixture.target.plain(), OTHER);
    other.settle(LUN_0);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void reservedUnitServesItsHolderOnly() {
    assertThat(status(holder, RESERVE_6)).isEqualTo(ScsiStatus.GOOD);
    assertThat(status(holder, RESERVE_10)).isEqualTo(ScsiStatus.GOOD);

    assertThat(status(holder, READ)).isEqualTo(ScsiStatus.GOOD);
    assertThat(status(other, READ)).isEqualTo(ScsiStatus.RESERVATION_CONFLICT);
    assertThat(status(other, RESERVE_6)).isEqualTo(ScsiStatus.RESERVATION_CONFLICT);
    assertThat(status(other, "00 00 00 00 00 00")).isEqualTo(ScsiStatus.RESERVATION_CONFLICT);
  }

  @Test
  void whoAsksWhoIsThereIsAnswered() {
    status(holder, RESERVE_10);

    assertThat(status(other, "12 00 00 00 ff 00")).isEqualTo(ScsiStatus.GOOD);
    assertThat(status(other, "03 00 00 00 ff 00")).isEqualTo(ScsiStatus.GOOD);
    assertThat(status(other, "a0 00 00 000000 00000100 00 00")).isEqualTo(ScsiStatus.GOOD);
  }

  @Test
  void onlyTheHolderReleases() {
    status(holder, RESERVE_6);

    assertThat(status(other, RELEASE_6)).isEqualTo(ScsiStatus.GOOD);
    assertThat(status(other, READ)).isEqualTo(ScsiStatus.RESERVATION_CONFLICT);
    assertThat(status(holder, RELEASE_10)).isEqualTo(ScsiStatus.GOOD);
    assertThat(status(other, READ)).isEqualTo(ScsiStatus.GOOD);
    assertThat(status(other, RESERVE_10)).isEqualTo(ScsiStatus.GOOD);
  }

  @Test
  void reservationIsCheckedBeforeTheCommandIsUnderstood() {
    status(holder, RESERVE_6);

    assertThat(status(other, "ff 00 00 00 00 00")).isEqualTo(ScsiStatus.RESERVATION_CONFLICT);
  }

  @Test
  void endOfTheNexusFreesTheUnit() {
    status(holder, RESERVE_6);

    assertThat(holder.beginDetach()).isCompleted();

    assertThat(status(other, READ)).isEqualTo(ScsiStatus.GOOD);
  }

  private static ScsiStatus status(Initiator initiator, String cdb) {
    return initiator.send(LUN_0, cdb).status();
  }
}
