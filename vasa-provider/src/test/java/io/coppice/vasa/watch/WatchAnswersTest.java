package io.coppice.vasa.watch;

import static io.coppice.vasa.testing.ControlPlane.GIB;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.status.WrittenCounts;
import io.coppice.vasa.alert.Alert;
import io.coppice.vasa.alert.AlertFinding;
import io.coppice.vasa.alert.AlertTexts;
import io.coppice.vasa.alert.source.SuspectSource;
import io.coppice.vasa.event.ChangeFilter;
import io.coppice.vasa.event.ChangeHistory;
import io.coppice.vasa.event.EventSentences;
import io.coppice.vasa.event.HistorySettings;
import io.coppice.vasa.protection.GroupDraft;
import io.coppice.vasa.protection.KeptPoint;
import io.coppice.vasa.protection.PointChoice;
import io.coppice.vasa.protection.ProtectedGroup;
import io.coppice.vasa.protection.ProtectedMember;
import io.coppice.vasa.protection.ProtectionDraft;
import io.coppice.vasa.protection.ProtectionPolicy;
import io.coppice.vasa.protection.WatchRule;
import io.coppice.vasa.protection.rule.ContinuousRule;
import io.coppice.vasa.protection.rule.Keeping;
import io.coppice.vasa.protection.rule.PointNaming;
import io.coppice.vasa.protection.rule.ProtectionRule;
import io.coppice.vasa.protection.rule.ProtectionRules;
import io.coppice.vasa.protection.rule.Recurrence;
import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.TestWatch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Answers to suspicions.
class WatchAnswersTest {

  private static final Duration LOCK = Duration.ofHours(48);

  private final ControlPlane plane = new ControlPlane();
  private final VolumeId disk =
      plane.volume(
          plane.container("c1"), GIB, Map.of("VMW_VVolName", "shop.vmdk", "VMW_VmID", "vm-7"));
  private final TestWatch watch = plane.watch;

  @AfterEach
  void close() {
    plane.target.close();
  }

  private ProtectedGroup protect(WatchRule rule, ProtectedMember... members) {
    ProtectionRules rules =
        new ProtectionRules(
            List.of(
                new ProtectionRule(
                    "hour",
                    new Recurrence.Hourly(0),
                    new Keeping.Newest(20),
                    PointNaming.USUAL,
                    Duration.ZERO)));
    ProtectionPolicy policy =
        plane.protection.policies.create(
            new ProtectionDraft("gold", "", rules, ContinuousRule.NONE, rule), "ada");
    assertThat(plane.protection.policies.require(policy.id()).watch()).isEqualTo(rule);
    return plane.protection.groups.protect(new GroupDraft("shop", policy.id(), List.of(members)));
  }

  private Suspicion suspicion() {
    return watch.answers.find(disk).orElseThrow();
  }

  private List<AlertFinding> alerts() {
    return new SuspectSource(watch.answers::open).look();
  }

  private AlertTexts.Sentences text(AlertFinding finding) {
    return new AlertTexts()
        .of(
            new Alert(
                UUID.randomUUID(),
                "watch",
                finding.key(),
                finding.severity(),
                finding.about(),
                finding.message(),
                finding.parameters(),
                plane.clock.instant(),
                true,
                null,
                null,
                null));
  }

  private List<KeptPoint> points(ProtectedGroup group) {
    return plane.protection.points.page(
        new PointChoice(group.id(), null, null), RowOrder.by("taken"), 100);
  }

  private List<String> events() {
    ChangeHistory history =
        new ChangeHistory(plane.jdbc, plane.transactions, new HistorySettings(1000, 3));
    history.settle();
    EventSentences sentences = new EventSentences();
    return history.newest(ChangeFilter.ALL, Long.MAX_VALUE, 1000).stream()
        .map(sentences::of)
        .filter(sentence -> sentence.contains("encryption"))
        .toList();
  }

  @Test
  void aSuspicionNamesTheVolumeAndTheLastPointBefore() {
    plane.snapshot(disk);
    plane.clock.advance(Duration.ofMinutes(30));
    VolumeId last = plane.snapshot(disk);
    plane.clock.advance(Duration.ofMinutes(1));
    for (int i = 0; i < 25; i++) {
      watch.window(disk, 4.3, 320);
    }
    assertThat(alerts()).isEmpty();
    Instant attack = plane.clock.instant();
    for (int i = 0; i < TestWatch.SETTINGS.windows(); i++) {
      watch.window(disk, 7.6, 20_000);
      plane.snapshot(disk);
    }

    assertThat(suspicion().lastBefore())
        .isNotNull()
        .extracting(PointBefore::snapshot)
        .isEqualTo(last);
    assertThat(suspicion().suspect().since()).isBefore(attack);
    AlertTexts.Sentences text = text(alerts().getFirst());
    assertThat(text.cause())
        .contains("shop.vmdk of virtual machine vm-7", "7.6 bits for each byte instead of 4.3")
        .contains(last.toString());
    assertThat(events()).singleElement().asString().contains("shop.vmdk", last.toString());
  }

  @Test
  void withoutASnapshotBeforeItSaysNone() {
    watch.encrypt(disk);

    assertThat(suspicion().lastBefore()).isNull();
    assertThat(alerts().getFirst().parameters()).containsEntry("last", "none");
  }

  @Test
  void aSuspicionThatIsOverEndsItsAlert() {
    watch.encrypt(disk);
    for (int i = 0; i < TestWatch.SETTINGS.windows(); i++) {
      watch.window(disk, 4.3, 320);
    }

    assertThat(alerts()).isEmpty();
    assertThat(watch.answers.open()).isEmpty();
    assertThat(events()).hasSize(2).first().asString().contains("as usual again");
  }

  @Test
  void aVolumeThatIsDeletedIsNoSuspectAnyMore() {
    watch.encrypt(disk);
    plane.volumes.delete(disk);
    watch.written.remove(disk);

    watch.pass();

    assertThat(watch.answers.open()).isEmpty();
    assertThat(watch.watches.find(disk)).isEmpty();
  }

  @Test
  void aPolicyWithALockGetsALockedPointAtOnce() {
    ProtectedGroup group = protect(new WatchRule(true, LOCK), new ProtectedMember.Machine("vm-7"));
    watch.encrypt(disk);

    KeptPoint point = points(group).getFirst();
    assertThat(points(group)).hasSize(1);
    assertThat(point.name()).startsWith(WatchAnswers.NAME);
    assertThat(point.point().rules()).isEmpty();
    assertThat(plane.protection.points.lockedUntil(point).orElseThrow())
        .isAfterOrEqualTo(plane.clock.instant().plus(LOCK).minusSeconds(1));
    assertThat(suspicion().taken()).containsExactly(point.point().id());
    plane.ownWork.writeAll();
    assertThat(plane.ownRecords)
        .anySatisfy(entry -> assertThat(entry.action()).isEqualTo("recovery-points.take-suspect"));
  }

  @Test
  void aGroupGetsOnePointInThePauseOfTheSettings() {
    VolumeId other = plane.volume(plane.containers.list().getFirst(), GIB, Map.of());
    ProtectedGroup group =
        protect(
            new WatchRule(true, LOCK),
            new ProtectedMember.Volume(disk),
            new ProtectedMember.Volume(other));
    for (int i = 0; i < 25; i++) {
      watch.window(other, 4.0, 320);
    }
    for (int i = 0; i < 4; i++) {
      watch.window(other, 7.6, 20_000);
    }
    watch.encrypt(disk);
    assertThat(points(group)).hasSize(1);

    watch.window(disk, 4.3, 320);
    for (int i = 0; i < 4; i++) {
      watch.window(disk, 4.3, 320);
    }
    plane.clock.advance(TestWatch.SETTINGS.pause());
    watch.pass();
    watch.encrypt(disk);

    assertThat(points(group)).hasSize(2);
  }

  @Test
  void aPolicyMayWantNoAlertAndStillALock() {
    ProtectedGroup group = protect(new WatchRule(false, LOCK), new ProtectedMember.Volume(disk));
    watch.encrypt(disk);

    assertThat(alerts()).isEmpty();
    assertThat(points(group)).hasSize(1);
    assertThat(watch.watches.suspects()).hasSize(1);
  }

  @Test
  void theUsualPolicyTakesNothing() {
    ProtectedGroup group = protect(WatchRule.USUAL, new ProtectedMember.Volume(disk));
    watch.encrypt(disk);

    assertThat(alerts()).hasSize(1);
    assertThat(points(group)).isEmpty();
  }

  @Test
  void aLockIsNoLongerThanIsAllowedNow() {
    ProtectedGroup group = protect(new WatchRule(true, LOCK), new ProtectedMember.Volume(disk));
    plane.lockLimit.lower(Duration.ofHours(1));
    watch.encrypt(disk);

    assertThat(plane.protection.points.lockedUntil(points(group).getFirst()).orElseThrow())
        .isBetween(
            plane.clock.instant().plus(Duration.ofMinutes(59)),
            plane.clock.instant().plus(Duration.ofMinutes(61)));
  }

  @Test
  void aPointThatFailsIsTriedAgain() {
    ProtectedGroup group = protect(new WatchRule(true, LOCK), new ProtectedMember.Volume(disk));
    plane.hooks.before(
        "snapshot",
        () -> {
          throw new StorageException.OutOfSpace("no space");
        });
    watch.encrypt(disk);
    assertThat(points(group)).isEmpty();
    assertThat(alerts()).hasSize(1);

    plane.hooks.before("snapshot", () -> {});
    watch.window(disk, 7.6, 20_000);

    assertThat(points(group)).hasSize(1);
    plane.ownWork.writeAll();
    assertThat(plane.ownRecords)
        .filteredOn(entry -> entry.action().equals("recovery-points.take-suspect"))
        .singleElement()
        .satisfies(entry -> assertThat(entry.details()).asString().contains("no space"));
  }

  @Test
  void aRestartForgetsAndRaisesNothing() {
    watch.encrypt(disk);
    plane.target.close();
    ControlPlane after = plane.restarted();

    after.watch.written.putAll(watch.written);
    for (int i = 0; i < 10; i++) {
      after.watch.pass();
    }

    assertThat(after.watch.answers.open()).isEmpty();
    after.target.close();
  }

  @Test
  void volumesBeyondTheNumberOfTheSettingsAreNotWatched() {
    WatchSettings one =
        new WatchSettings(
            true,
            TestWatch.SETTINGS.window(),
            4,
            16,
            20,
            7,
            1,
            TestWatch.SETTINGS.rate(),
            4,
            50,
            TestWatch.SETTINGS.longest(),
            TestWatch.SETTINGS.pause(),
            1);
    Map<VolumeId, WrittenCounts> counts =
        Map.of(VolumeId.random(), WrittenCounts.NONE, VolumeId.random(), WrittenCounts.NONE);
    try (VolumeWatches bounded =
        new VolumeWatches(() -> counts, one, plane.clock, plane.clock::nanos)) {
      bounded.look();
      assertThat(counts.keySet()).filteredOn(id -> bounded.find(id).isPresent()).hasSize(1);
    }
  }
}
