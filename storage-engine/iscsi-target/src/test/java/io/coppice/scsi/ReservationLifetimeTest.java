package io.coppice.scsi;

import static io.coppice.scsi.Fixture.ESX;
import static io.coppice.scsi.Fixture.HOST;
import static io.coppice.scsi.Fixture.LUN_0;
import static io.coppice.scsi.Fixture.OTHER;
import static io.coppice.scsi.Fixture.OTHER_HOST;
import static io.coppice.scsi.Fixture.op;
import static io.coppice.scsi.PersistentReserve.APTPL;
import static io.coppice.scsi.PersistentReserve.CLEAR;
import static io.coppice.scsi.PersistentReserve.EXCLUSIVE_ACCESS;
import static io.coppice.scsi.PersistentReserve.IGNORE;
import static io.coppice.scsi.PersistentReserve.REGISTER;
import static io.coppice.scsi.PersistentReserve.RELEASE;
import static io.coppice.scsi.PersistentReserve.RESERVE;
import static io.coppice.scsi.PersistentReserve.WRITE_EXCLUSIVE;
import static io.coppice.scsi.PersistentReserve.assertConflict;
import static io.coppice.scsi.PersistentReserve.assertGood;
import static io.coppice.scsi.PersistentReserve.in;
import static io.coppice.scsi.PersistentReserve.out;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.RecordChange;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.Initiator.Reply;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.transport.LogicalUnitNumber;
import io.coppice.scsi.transport.TaskManagement;
import io.coppice.scsi.transport.TaskManagementOutcome;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What persistent reservations outlive, and what ends them.
class ReservationLifetimeTest {

  private static final String READ = "28 00 00000000 00 0001 00";
  private static final String WRITE = "2a 00 00000000 00 0001 00";

  private final Fixture fixture = new Fixture();
  private VolumeId volume;
  private Initiator one;
  private Initiator two;

  @BeforeEach
  void attach() {
    volume = fixture.exported(1 << 20);
    one = fixture.plain();
    two = new Initiator(fixture.target.plain(), OTHER);
    two.settle(LUN_0);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void reservationSurvivesItsNexusAndResets() throws Exception {
    assertGood(out(one, REGISTER, 0, 0, 1));
    out(one, RESERVE, EXCLUSIVE_ACCESS, 1, 0);

    one.beginDetach().get(10, TimeUnit.SECONDS);
    assertThat(two.manage(new TaskManagement.LogicalUnitReset(LogicalUnitNumber.ZERO)))
        .isEqualTo(TaskManagementOutcome.FUNCTION_COMPLETE);
    two.settle(LUN_0);

    assertConflict(two.send(LUN_0, READ));
    Initiator again = fixture.plain();
    assertGood(again.send(LUN_0, READ));
    assertGood(out(again, RELEASE, EXCLUSIVE_ACCESS, 1, 0));
  }

  @Test
  void restartKeepsWhatWasAskedToBeKept() {
    out(one, REGISTER, 0, 0, 1, APTPL);
    out(two, REGISTER, 0, 0, 2, APTPL);
    out(one, RESERVE, EXCLUSIVE_ACCESS, 1, 0);

    try (ScsiTarget again = ScsiTarget.open(fixture.engine, ScsiSettings.defaults())) {
      Initiator first = new Initiator(again.plain(), ESX);
      Initiator second = new Initiator(again.plain(), OTHER);
      first.settle(LUN_0);
      second.settle(LUN_0);
      assertConflict(second.send(LUN_0, READ));
      assertGood(first.send(LUN_0, WRITE, new byte[512]));
      assertThat(in(second, 0)).startsWith("00000000" + "00000010");
      assertGood(out(first, RELEASE, EXCLUSIVE_ACCESS, 1, 0));
    }
    try (ScsiTarget again = ScsiTarget.open(fixture.engine, ScsiSettings.defaults())) {
      Initiator second = new Initiator(again.plain(), OTHER);
      second.settle(LUN_0);
      assertGood(second.send(LUN_0, READ));
      assertThat(in(second, 0)).startsWith("00000000" + "00000010");
    }
  }

  @Test
  void restartForgetsWhatWasNot() {
    out(one, REGISTER, 0, 0, 1, APTPL);
    out(two, REGISTER, 0, 0, 2);
    out(one, RESERVE, EXCLUSIVE_ACCESS, 1, 0);

    try (ScsiTarget again = ScsiTarget.open(fixture.engine, ScsiSettings.defaults())) {
      Initiator second = new Initiator(again.plain(), OTHER);
      second.settle(LUN_0);
      assertGood(second.send(LUN_0, READ));
      assertThat(in(second, 0)).isEqualTo("00000000" + "00000000");
    }
  }

  @Test
  void recordsStandInTheDocumentedForm() {
    out(one, REGISTER, 0, 0, 1, APTPL);
    out(two, REGISTER, 0, 0, 0xabL, APTPL | 4);
    out(one, RESERVE, EXCLUSIVE_ACCESS, 1, 0);

    String registration = "scsi/registration/" + volume + "/2/00023d000000/";
    assertThat(fixture.engine.records().withPrefix("scsi/reg"))
        .isEqualTo(
            new TreeMap<>(
                Map.of(
                    registration + ESX,
                    "0000000000000001",
                    registration + OTHER,
                    "00000000000000ab all")));
    assertThat(fixture.engine.records().find("scsi/reservation/" + volume))
        .contains("3 2/00023d000000/" + ESX);
    out(one, CLEAR, 0, 1, 0);
    assertThat(fixture.engine.records().withPrefix("scsi/reg")).isEmpty();
    assertThat(fixture.engine.records().find("scsi/reservation/" + volume)).isEmpty();
  }

  @Test
  void recordsOfWhoeverReachesTheVolumeNoMoreAreSweptAtTheStart() {
    out(one, REGISTER, 0, 0, 1, APTPL);
    out(two, REGISTER, 0, 0, 2, APTPL);
    out(one, RESERVE, EXCLUSIVE_ACCESS, 1, 0);
    VolumeId nobodys = fixture.volume(1 << 20);
    String stranger = "scsi/registration/" + volume + "/1/00023d000000/" + ESX;
    String left = "scsi/registration/" + nobodys + "/2/00023d000000/" + ESX;
    fixture
        .engine
        .records()
        .apply(
            op(),
            List.of(
                new RecordChange.Put(stranger, "0000000000000009"),
                new RecordChange.Put(left, "0000000000000009"),
                new RecordChange.Put("scsi/reservation/" + nobodys, "8")));

    try (ScsiTarget again = ScsiTarget.open(fixture.engine, ScsiSettings.defaults())) {
      Initiator second = new Initiator(again.plain(), OTHER);
      second.settle(LUN_0);
      assertConflict(second.send(LUN_0, READ));
      assertThat(in(second, 0)).startsWith("00000000" + "00000010");
    }
    assertThat(fixture.engine.records().find(stranger)).isEmpty();
    assertThat(fixture.engine.records().find(left)).isEmpty();
    assertThat(fixture.engine.records().find("scsi/reservation/" + nobodys)).isEmpty();
  }

  @Test
  void unbindEndsTheHostsRegistrationsAndItsReservation() {
    VolumeId shared = fixture.volume(1 << 20);
    Binding binding = fixture.bound(shared);
    fixture.luns().bind(op(), OTHER_HOST, shared, Set.of());
    String lun = "0001d2%06x0000".formatted(binding.subsidiary());
    Initiator first = fixture.endpoints();
    Initiator second = new Initiator(fixture.target.endpoints(), OTHER);
    first.settle(lun);
    second.settle(lun);
    assertGood(out(first, lun, REGISTER, 0, 0, 1, APTPL));
    assertGood(out(second, lun, REGISTER, 0, 0, 2, APTPL));
    assertGood(out(first, lun, RESERVE, EXCLUSIVE_ACCESS, 1, 0, 0));
    assertConflict(second.send(lun, READ));

    fixture.luns().unbind(op(), HOST, shared);

    assertGood(second.send(lun, READ));
    assertThat(second.send(lun, "5e 00 00 00 00 00 00 0100 00").hex()).endsWith("0000000000000002");
    fixture.luns().unbind(op(), OTHER_HOST, shared);
    assertThat(fixture.engine.records().withPrefix("scsi/reg")).isEmpty();
  }

  @Test
  void registrantsHearOfAReservationThatEndsWithAnUnbind() {
    VolumeId shared = fixture.volume(1 << 20);
    String lun = "0001d2%06x0000".formatted(fixture.bound(shared).subsidiary());
    fixture.luns().bind(op(), OTHER_HOST, shared, Set.of());
    Initiator first = fixture.endpoints();
    Initiator second = new Initiator(fixture.target.endpoints(), OTHER);
    first.settle(lun);
    second.settle(lun);
    assertGood(out(first, lun, REGISTER, 0, 0, 1, 0));
    assertGood(out(second, lun, REGISTER, 0, 0, 2, 0));
    assertGood(out(first, lun, RESERVE, 5, 1, 0, 0));

    fixture.luns().unbind(op(), HOST, shared);

    assertThat(second.send(lun, "00 00 00 00 00 00").code()).isEqualTo("6/2a/04");
  }

  @Test
  void unexportEndsEverything() {
    out(one, REGISTER, 0, 0, 1, APTPL);
    out(one, RESERVE, EXCLUSIVE_ACCESS, 1, 0);

    fixture.luns().unexport(op(), volume);

    assertThat(fixture.engine.records().withPrefix("scsi/res")).isEmpty();
    assertThat(fixture.engine.records().withPrefix("scsi/reg")).isEmpty();
  }

  @Test
  void copiesMeetTheReservationOfTheirDestination() {
    VolumeId target = fixture.exported(1 << 20);
    String lun = "0001000000000000";
    one.settle(lun);
    two.settle(lun);
    one.settle(LUN_0);
    two.settle(LUN_0);
    assertGood(out(two, lun, REGISTER, 0, 0, 2, 0));
    assertGood(out(two, lun, RESERVE, WRITE_EXCLUSIVE, 2, 0, 0));

    assertConflict(copy(one, LUN_0, lun));
    assertGood(copy(one, lun, LUN_0));
    assertGood(copy(two, LUN_0, lun));
    assertThat(fixture.luns().exportOf(target)).isPresent();
  }

  private static Reply copy(Initiator initiator, String from, String to) {
    String list =
        "07000040000000000000001c00000000"
            + device(initiator, from)
            + device(initiator, to)
            + "020000180000000100000008"
            + "00".repeat(16);
    return initiator.send(
        LUN_0, "83 00 0000000000000000 0000006c 00 00", HexFormat.of().parseHex(list));
  }

  private static String device(Initiator initiator, String lun) {
    String name = initiator.send(lun, "12 01 83 00 ff 00").hex(8, 24);
    return "e4000000" + "01030010" + name + "00000000" + "00000200";
  }

  @Test
  void registrationsOfOneUnitAreLimited() {
    for (int isid = 0; isid < 512; isid++) {
      Initiator next = new Initiator(fixture.target.plain(), ESX, isid);
      next.settle(LUN_0);
      assertGood(out(next, IGNORE, 0, 0, isid + 1));
    }

    assertThat(out(two, REGISTER, 0, 0, 1).code()).isEqualTo("5/55/04");
    assertThat(in(two, 3).substring(0, 8)).isEqualTo("00000200");
  }
}
