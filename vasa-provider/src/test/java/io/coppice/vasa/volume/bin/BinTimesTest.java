package io.coppice.vasa.volume.bin;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static io.coppice.vasa.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.approval.Approval;
import io.coppice.vasa.approval.Approvals;
import io.coppice.vasa.approval.Approver;
import io.coppice.vasa.container.LowerBinTime;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.TestDatabase;
import io.coppice.vasa.volume.BinChoice;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Lower times in the recycle bin. The setting says 24 hours.
class BinTimesTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);
  private static final Approver ADA = new Approver(UUID.randomUUID(), "ada");
  private static final Approver BERT = new Approver(UUID.randomUUID(), "bert");

  private ControlPlane plane;
  private UUID id;

  @BeforeEach
  void open() {
    plane = new ControlPlane(TestDatabase.fresh(), ControlPlane.BIN);
    id = plane.container("c1").id();
  }

  private Approvals approvals() {
    return new Approvals(
        plane.jdbc,
        plane.transactions,
        List.of(plane.lockLimit, plane.binTimes),
        plane.store.changes(),
        plane.clock,
        plane.time);
  }

  private Approval agreed(String time) {
    Approval asked = approvals().ask(BinTimes.ACTION, id + " " + time, ADA);
    return approvals().approve(asked.id(), BERT);
  }

  private StorageContainer container() {
    return plane.containers.require(id);
  }

  private Duration now() {
    return plane.binTimes.of(container());
  }

  private void pass(Duration time) {
    plane.clock.advance(time);
    plane.binRounds.lowerTimes();
  }

  /// How long something stays that is deleted now.
  private Duration stayOfDeletion() {
    VolumeId volume = plane.volume(container(), GIB);
    plane.volumes.delete(volume);
    return Duration.between(plane.store.seen(), plane.bin.require(volume).binning().until());
  }

  @Test
  void lowerTimeCountsWhenTheFormerOneHasPassed() {
    Approval asked = approvals().ask(BinTimes.ACTION, id + " PT60M", ADA);
    pass(HOUR); // waiting to be approved is no part of it
    assertFault("PermissionDenied", () -> approvals().approve(asked.id(), ADA));
    assertThat(container().lowerBinTime()).isNull();

    approvals().approve(asked.id(), BERT);
    assertThat(container().lowerBinTime())
        .isEqualTo(new LowerBinTime(HOUR, plane.store.seen().plus(DAY)));
    assertThat(stayOfDeletion()).isEqualTo(DAY);
    pass(DAY.minusSeconds(1));
    assertThat(now()).isEqualTo(DAY);
    assertThat(stayOfDeletion()).isEqualTo(DAY);
    pass(Duration.ofSeconds(1));

    assertThat(now()).isEqualTo(HOUR);
    assertThat(container().lowerBinTime()).isNull();
    assertThat(stayOfDeletion()).isEqualTo(HOUR);
    plane.binRounds.purgeDue();
    assertThat(plane.bin.count(new BinChoice(id, null, null, null)))
        .as("what was deleted before keeps its time")
        .isEqualTo(2);
  }

  @Test
  void lowerTimeOutlivesARestartAndCountsAfterALongOutageOnlyInTime() {
    agreed("PT0S");
    plane.target.close();
    plane = plane.restarted();
    plane.reconciliation.atStart();
    assertThat(container().lowerBinTime()).isNotNull();
    assertThat(now()).isEqualTo(DAY);

    pass(DAY.minusSeconds(1));
    assertThat(now()).isEqualTo(DAY);
    pass(Duration.ofSeconds(1));
    assertThat(now()).isZero();

    plane.target.close();
    plane = plane.withoutItsDatabase();
    plane.reconciliation.atStart();
    assertThat(now()).as("the pool knows it, too").isZero();
  }

  @Test
  void lossOfTheDatabaseLosesTheLowerTimeAndNotTheFormerOne() {
    plane.binTimes.set(id, DAY.multipliedBy(7));
    agreed("PT0S");
    plane.target.close();

    plane = plane.withoutItsDatabase();
    plane.reconciliation.atStart();
    pass(DAY.multipliedBy(8));

    assertThat(now()).isEqualTo(DAY.multipliedBy(7));
  }

  @Test
  void clockThatLeapsMakesNothingCountEarlier() {
    agreed("PT0S");

    plane.clock.jump(DAY.multipliedBy(30));
    plane.binRounds.lowerTimes();

    assertThat(now()).isEqualTo(DAY);
  }

  @ParameterizedTest
  @CsvSource(
      nullValues = "null",
      value = {"P1D", "P2D", "P365D", "null"})
  void whoeverSetsATimeThatIsNotLowerGivesTheLowerOneUp(@Nullable Duration wanted) {
    agreed("PT1H");

    plane.binTimes.set(id, wanted);
    pass(DAY.multipliedBy(2));

    assertThat(now()).isEqualTo(wanted == null ? DAY : wanted);
    assertThat(container().lowerBinTime()).isNull();
  }

  @Test
  void secondAgreementReplacesTheFirstAndWaitsAnew() {
    agreed("PT1H");
    pass(HOUR.multipliedBy(12));

    agreed("PT2H");

    assertThat(container().lowerBinTime())
        .isEqualTo(new LowerBinTime(HOUR.multipliedBy(2), plane.store.seen().plus(DAY)));
    pass(HOUR.multipliedBy(12));
    assertThat(now()).isEqualTo(DAY);
  }

  @Test
  void onePersonLowersNothing() {
    plane.binTimes.set(id, DAY.multipliedBy(7));

    assertFault("InvalidArgument", () -> plane.binTimes.set(id, DAY.multipliedBy(6)));
    assertFault("InvalidArgument", () -> plane.binTimes.set(id, Duration.ZERO));
    assertFault("InvalidArgument", () -> plane.binTimes.set(id, null)); // the setting says less

    assertThat(now()).isEqualTo(DAY.multipliedBy(7));
  }

  @Test
  void containerWithThingsInItsBinIsNotDeletedAndAnEmptyOneLeavesNothing() {
    stayOfDeletion();
    assertFault("ResourceInUse", () -> plane.containers.delete(id));

    pass(DAY);
    plane.binRounds.purgeDue();
    agreed("PT0S");
    plane.containers.delete(id);
    pass(DAY);

    id = plane.container("c1").id();
    assertThat(now()).isEqualTo(DAY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"P1D", "PT25H", "-PT1H", "PT0.5S", "soon", "", "PT1H PT1H", "default"})
  void whatIsNoLowerTimeIsNotAskedFor(String time) {
    assertFault("InvalidArgument", () -> approvals().ask(BinTimes.ACTION, id + " " + time, ADA));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "PT1H", "6b0c2f1e-0000-4000-8000-000000000000 PT1H", "c1 PT1H"})
  void whatNamesNoContainerIsNotAskedFor(String value) {
    assertFault("InvalidArgument", () -> approvals().ask(BinTimes.ACTION, value, ADA));
  }

  @Test
  void agreementOverATimeThatIsLowerByNowIsRefused() {
    id = plane.containers.create("short", GIB, HOUR.multipliedBy(3)).id();
    Approval first = approvals().ask(BinTimes.ACTION, id + " PT2H", ADA);
    agreed("PT1H");
    pass(HOUR.multipliedBy(3));
    assertThat(now()).isEqualTo(HOUR);

    assertFault("InvalidArgument", () -> approvals().approve(first.id(), BERT));

    assertThat(container().lowerBinTime()).isNull();
    assertThat(approvals().require(first.id()).state()).isEqualTo(Approval.State.OPEN);
  }

  @Test
  void newContainerMayHaveAnyTimeFromTheBeginning() {
    assertThat(plane.binTimes.of(plane.containers.create("scratch", GIB, Duration.ZERO))).isZero();
    assertFault("InvalidArgument", () -> plane.containers.create("odd", GIB, Duration.ofDays(366)));
  }
}
