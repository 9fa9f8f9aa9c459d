package io.coppice.vasa.protection.continuous;

import static io.coppice.vasa.testing.ControlPlane.MIB;
import static io.coppice.vasa.testing.ControlPlane.made;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.Journals;
import io.coppice.engine.OperationId;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.journal.JournalTier;
import io.coppice.engine.testing.PoolFixture;
import io.coppice.vasa.audit.AuditRecord;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.policy.ProfileDraft;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.policy.SpaceEfficiency;
import io.coppice.vasa.policy.StorageProfile;
import io.coppice.vasa.protection.GroupDraft;
import io.coppice.vasa.protection.PointsEnd;
import io.coppice.vasa.protection.ProtectedGroup;
import io.coppice.vasa.protection.ProtectedMember;
import io.coppice.vasa.protection.ProtectionDraft;
import io.coppice.vasa.protection.ProtectionPolicy;
import io.coppice.vasa.protection.WatchRule;
import io.coppice.vasa.protection.rule.ContinuousRule;
import io.coppice.vasa.protection.rule.PointTier;
import io.coppice.vasa.protection.rule.ProtectionRules;
import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.TestClock;
import io.coppice.vasa.testing.TestProtection;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.lifecycle.NewVolume;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/// Journals of the volumes of groups, over a real pool and a real database.
class ContinuousProtectionTest {

  private static final ProtectionRules NO_RULES = new ProtectionRules(List.of());
  private static final ContinuousRule SECONDS = rule("PT5S PT1H", "PT1M P1D");
  private static final ContinuousRule MINUTES = rule("PT1M P2D", "PT15M P7D");

  private final TestClock clock = new TestClock();

  @AutoClose
  private final PoolFixture pool =
      PoolFixture.ofBytes(160L << 20).zones(1 << 20).clock(clock).nanos(clock::nanos);

  private final StorageEngine engine = pool.format().open();
  private final ControlPlane plane = ControlPlane.withBin(engine, clock, ControlPlane.BIN);
  private final ContinuousProtection continuous = plane.protection.continuous;
  private final PointCuts cuts = plane.protection.cuts;
  private final Journals journals = engine.journals();
  private final StorageContainer container = plane.containers.create("c1", 1000 * MIB);

  private static ContinuousRule rule(String... tiers) {
    return new ContinuousRule(
        Arrays.stream(tiers)
            .map(tier -> tier.split(" "))
            .map(times -> new PointTier(Duration.parse(times[0]), Duration.parse(times[1])))
            .toList());
  }

  private VolumeId disk(String machine, VolumeType type) {
    return disk(machine, type, null);
  }

  private VolumeId disk(String machine, VolumeType type, @Nullable StorageProfile profile) {
    return made(
        plane.volumes.create(
            new NewVolume(
                container.id(),
                type,
                VolumeOrigin.HOST,
                profile,
                MIB,
                Map.of("VMW_VmID", machine))));
  }

  private VolumeId reserved(String machine) {
    Requirements thick = new Requirements(SpaceEfficiency.THICK, null, null);
    return disk(
        machine,
        VolumeType.DATA,
        plane
            .profiles
            .create(new ProfileDraft("thick", "", thick, Set.of()), "ada")
            .asStorageProfile());
  }

  private ProtectionPolicy policy(ContinuousRule tiers) {
    return plane.protection.policies.create(draft(tiers), "ada");
  }

  private static ProtectionDraft draft(ContinuousRule tiers) {
    return new ProtectionDraft(UUID.randomUUID().toString(), "", NO_RULES, tiers, WatchRule.USUAL);
  }

  private ProtectedGroup protect(ProtectionPolicy policy, ProtectedMember... members) {
    return plane.protection.groups.protect(
        new GroupDraft(UUID.randomUUID().toString(), policy.id(), List.of(members)));
  }

  private static ProtectedMember machine(String id) {
    return new ProtectedMember.Machine(id);
  }

  private Set<JournalTier> tiers(VolumeId volume) {
    return journals.find(volume).map(info -> Set.copyOf(info.tiers())).orElse(Set.of());
  }

  private void assertTiers(VolumeId volume, ContinuousRule rule) {
    assertThat(tiers(volume)).isEqualTo(Set.copyOf(rule.journal()));
  }

  /// Lets time pass, with a look of the round and of the cuts each ten minutes.
  private void pass(Duration time) {
    for (Duration left = time; left.isPositive(); left = left.minusMinutes(10)) {
      clock.advance(Duration.ofMinutes(10));
      continuous.roundWhenDue();
      cuts.round();
    }
  }

  private List<Instant> points(VolumeId volume) {
    return journals.points(volume, Instant.EPOCH, 1000);
  }

  @Test
  void aPolicyWithTiersAloneComesBackAndGivesJournals() {
    ProtectionPolicy policy = policy(SECONDS);
    assertThat(plane.protection.policies.require(policy.id())).isEqualTo(policy);
    VolumeId config = disk("vm-1", VolumeType.CONFIG);
    VolumeId data = disk("vm-1", VolumeType.DATA);
    VolumeId swap = disk("vm-1", VolumeType.SWAP);
    VolumeId other = disk("vm-2", VolumeType.DATA);
    ProtectedGroup group = protect(policy, machine("vm-1"));
    assertThat(plane.protection.groups.next(group, policy.rules())).isEmpty();

    continuous.roundWhenDue();

    assertTiers(config, SECONDS);
    assertTiers(data, SECONDS);
    assertTiers(swap, ContinuousRule.NONE);
    assertTiers(other, ContinuousRule.NONE);
    assertThat(plane.protection.rounds.round()).as("no rule, no snapshot").isZero();
    assertThat(plane.protection.rounds.lag()).isZero();
    assertThat(continuous.refused(group.id())).isEmpty();
    assertThat(new TreeSet<>(journals.volumes())).containsExactlyInAnyOrder(config, data);
  }

  @Test
  void aVolumeThatComesToAMachineIsSeenAtOnce() {
    VolumeId first = disk("vm-1", VolumeType.DATA);
    protect(policy(SECONDS), machine("vm-1"));
    continuous.roundWhenDue();
    assertTiers(first, SECONDS);

    VolumeId second = disk("vm-1", VolumeType.DATA);
    continuous.roundWhenDue();

    assertTiers(second, SECONDS);
  }

  @Test
  void pointsOfAllVolumesAreOneCutAndBringTheirContentBack() {
    VolumeId one = disk("vm-1", VolumeType.DATA);
    VolumeId other = disk("vm-2", VolumeType.DATA);
    ProtectionPolicy policy = policy(rule("PT5S PT1H"));
    protect(policy, machine("vm-1"));
    protect(policy, machine("vm-2"));
    continuous.roundWhenDue();
    for (int value = 1; value <= 3; value++) {
      plane.write(one, 0, 4096, value);
      plane.write(other, 0, 4096, value);
      clock.advance(Duration.ofSeconds(5));
      cuts.round();
      cuts.round();
    }
    plane.write(one, 0, 4096, 9);

    List<Instant> points = points(one);
    assertThat(points(other)).endsWith(points.getLast());
    assertThat(points.subList(1, points.size())).isEqualTo(points(other).subList(1, points.size()));
    journals.revert(OperationId.random(), one, points.get(2));
    assertThat(plane.read(one, 0)).isEqualTo(2);
    assertThat(cuts.counts().volumes()).isEqualTo(2);
    assertThat(cuts.counts().points()).isPositive();
    assertThat(cuts.counts().keptBytes()).isPositive();
  }

  @Test
  void aJournalOutlivesItsProtectionByTheGrace() {
    VolumeId volume = disk("vm-1", VolumeType.DATA);
    ProtectionPolicy policy = policy(SECONDS);
    ProtectedGroup group = protect(policy, machine("vm-1"));
    continuous.roundWhenDue();
    Instant first = points(volume).getFirst();

    plane.protection.groups.release(group.id(), PointsEnd.DELETE);
    pass(TestProtection.GRACE.minusHours(1));
    assertTiers(volume, SECONDS);
    ProtectedGroup again = protect(policy, machine("vm-1"));
    pass(Duration.ofMinutes(30));
    assertThat(points(volume)).as("protected again in time").contains(first);
    assertThat(ends()).isZero();
    pass(TestProtection.GRACE);
    assertTiers(volume, SECONDS);

    plane.protection.groups.release(again.id(), PointsEnd.KEEP);
    pass(TestProtection.GRACE.plusHours(1));
    assertTiers(volume, ContinuousRule.NONE);
    assertThat(ends()).isZero();
    assertThat(audited()).contains("timelines.keep", "timelines.end");
  }

  private int ends() {
    return plane.jdbc.sql("select count(*) from ended_timeline").query(Integer.class).single();
  }

  private int tierEnds() {
    return plane.jdbc.sql("select count(*) from ending_tier").query(Integer.class).single();
  }

  private List<String> audited() {
    plane.ownWork.writeAll();
    return plane.ownRecords.stream().map(AuditRecord::action).toList();
  }

  @Test
  void purgedPointsEndJournalsAtOnceUnlessAnotherGroupWantsThem() {
    VolumeId shared = disk("vm-1", VolumeType.DATA);
    VolumeId alone = disk("vm-1", VolumeType.DATA);
    VolumeId binned = disk("vm-1", VolumeType.DATA);
    ProtectedGroup group = protect(policy(SECONDS), machine("vm-1"));
    protect(policy(MINUTES), new ProtectedMember.Volume(shared));
    continuous.roundWhenDue();
    plane.volumes.delete(binned);
    continuous.roundWhenDue();
    assertTiers(binned, SECONDS);

    plane.protection.groups.release(group.id(), PointsEnd.PURGE);

    assertTiers(alone, ContinuousRule.NONE);
    assertTiers(binned, ContinuousRule.NONE);
    assertTiers(shared, MINUTES);
    assertThat(ends()).isZero();
    assertThat(tierEnds()).isZero();
  }

  @Test
  void aVolumeInTheBinKeepsItsJournalForTheGraceAndGoesOnIfRestored() {
    VolumeId back = disk("vm-1", VolumeType.DATA);
    VolumeId late = disk("vm-1", VolumeType.DATA);
    protect(policy(SECONDS), machine("vm-1"));
    continuous.roundWhenDue();
    Instant first = points(back).getFirst();
    plane.volumes.delete(back);
    plane.volumes.delete(late);
    continuous.roundWhenDue();
    assertThat(ends()).isEqualTo(2);

    clock.advance(TestProtection.GRACE.minusHours(1));
    continuous.roundWhenDue();
    plane.bin.restore(back, null);
    continuous.roundWhenDue();
    assertThat(ends()).isEqualTo(1);
    clock.advance(Duration.ofHours(1));
    continuous.roundWhenDue();

    assertThat(points(back)).contains(first);
    assertTiers(late, ContinuousRule.NONE);
  }

  @Test
  void aVolumeThatIsDeletedForGoodLeavesNothingBehind() {
    VolumeId volume = disk("vm-1", VolumeType.DATA);
    protect(policy(SECONDS), machine("vm-1"));
    continuous.roundWhenDue();
    plane.volumes.delete(volume);
    continuous.roundWhenDue();
    plane.bin.purge(volume);

    continuous.roundWhenDue();
    cuts.round();

    assertThat(journals.volumes()).isEmpty();
    assertThat(ends()).isZero();
    assertThat(cuts.lag()).isZero();
  }

  @Test
  void journalsFollowAChangedPolicyAndKeepWhatStays() {
    VolumeId volume = disk("vm-1", VolumeType.DATA);
    ProtectionPolicy policy = policy(SECONDS);
    protect(policy, machine("vm-1"));
    continuous.roundWhenDue();
    Instant first = points(volume).getFirst();

    plane.protection.policies.update(policy.id(), 1, draft(MINUTES));
    continuous.roundWhenDue();
    Instant end = clock.instant().plus(TestProtection.GRACE);

    assertTiers(volume, rule("PT5S PT1H", "PT1M P2D", "PT15M P7D"));
    assertThat(continuous.ends(List.of(volume)).of(volume, Duration.ofSeconds(5))).contains(end);
    assertThat(continuous.ends(List.of(volume)).of(volume, Duration.ofMinutes(1))).isEmpty();
    clock.advance(TestProtection.GRACE.minusSeconds(1));
    continuous.roundWhenDue();
    assertTiers(volume, rule("PT5S PT1H", "PT1M P2D", "PT15M P7D"));
    clock.advance(Duration.ofSeconds(1));
    plane.restarted().protection.continuous.roundWhenDue();

    assertTiers(volume, MINUTES);
    assertThat(points(volume)).as("of the tier of a minute").contains(first);
    assertThat(tierEnds()).isZero();
  }

  @Test
  void aPolicyThatIsChangedBackInTimeHasLostNoPoint() {
    VolumeId volume = disk("vm-1", VolumeType.DATA);
    ProtectionPolicy policy = policy(rule("PT1M P2D", "PT15M P7D"));
    protect(policy, machine("vm-1"));
    continuous.roundWhenDue();
    for (int value = 1; value <= 30; value++) {
      plane.write(volume, 0, 4096, value);
      clock.advance(Duration.ofHours(1));
      cuts.round();
    }
    List<Instant> before = points(volume);

    plane.protection.policies.update(policy.id(), 1, draft(rule("PT1M PT1H")));
    pass(Duration.ofHours(2));
    assertTiers(volume, rule("PT1M P2D", "PT15M P7D"));
    assertThat(tierEnds()).isEqualTo(2);
    plane.protection.policies.update(policy.id(), 2, draft(rule("PT1M P2D", "PT15M P7D")));
    continuous.roundWhenDue();

    assertThat(points(volume)).containsAll(before);
    assertThat(tierEnds()).isZero();
    pass(TestProtection.GRACE.plusHours(1));
    assertTiers(volume, rule("PT1M P2D", "PT15M P7D"));
  }

  @Test
  void ofMoreThanFourTiersThoseThatReachBackLeastGoAtOnce() {
    VolumeId volume = disk("vm-1", VolumeType.DATA);
    ProtectionPolicy policy = policy(SECONDS);
    protect(policy, machine("vm-1"));
    continuous.roundWhenDue();

    ContinuousRule hours = rule("PT2H P1D", "PT3H P2D", "PT4H P3D");
    plane.protection.policies.update(policy.id(), 1, draft(hours));
    continuous.roundWhenDue();

    assertThat(tiers(volume))
        .hasSize(Journals.MOST_TIERS)
        .containsAll(hours.journal())
        .contains(new JournalTier(Duration.ofMinutes(1), Duration.ofDays(1)));
  }

  @Test
  void aVolumeOfTwoGroupsHasTheTiersOfBoth() {
    VolumeId volume = disk("vm-1", VolumeType.DATA);
    protect(policy(SECONDS), machine("vm-1"));
    ProtectedGroup own = protect(policy(MINUTES), new ProtectedMember.Volume(volume));

    continuous.roundWhenDue();
    assertTiers(volume, rule("PT5S PT1H", "PT1M P2D", "PT15M P7D"));

    plane.protection.groups.release(own.id(), PointsEnd.KEEP);
    pass(TestProtection.GRACE.plusHours(1));
    assertTiers(volume, SECONDS);
  }

  @Test
  void aReservedVolumeIsNamedAndTheOthersGoOn() {
    VolumeId thin = disk("vm-1", VolumeType.DATA);
    VolumeId thick = reserved("vm-1");
    ProtectedGroup group = protect(policy(SECONDS), machine("vm-1"));

    continuous.roundWhenDue();
    continuous.round();

    assertTiers(thin, SECONDS);
    assertThat(continuous.refused(group.id()))
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.volume()).isEqualTo(thick);
              assertThat(one.reason()).contains("reserved");
            });
    assertThat(continuous.isRefused(thick)).isTrue();
    assertThat(continuous.isRefused(thin)).isFalse();
    plane.ownWork.writeAll();
    assertThat(plane.ownRecords)
        .filteredOn(entry -> entry.action().equals("timelines.keep"))
        .as("a lasting failure is reported once")
        .hasSize(1);
  }

  @Test
  void aVolumeThatFailsDoesNotStopTheOthersAndIsTriedAgain() {
    disk("vm-1", VolumeType.DATA);
    disk("vm-1", VolumeType.DATA);
    ProtectedGroup group = protect(policy(SECONDS), machine("vm-1"));
    AtomicReference<StorageException> failure =
        new AtomicReference<>(new StorageException.OutOfSpace("no space for now"));
    plane.hooks.before(
        "journals.keep",
        () -> {
          StorageException thrown = failure.getAndSet(null);
          if (thrown != null) {
            throw thrown;
          }
        });

    continuous.roundWhenDue();
    assertThat(journals.volumes()).hasSize(1);
    assertThat(continuous.refused(group.id()))
        .extracting(RefusedVolume::reason)
        .containsExactly("no space for now");
    clock.advance(TestProtection.INTERVAL);
    continuous.roundWhenDue();

    assertThat(journals.volumes()).hasSize(2);
    assertThat(continuous.refused(group.id())).isEmpty();
  }

  @Test
  void aRoundIsDueOnlyAfterChangesAndFromTimeToTime() {
    VolumeId volume = disk("vm-1", VolumeType.DATA);
    protect(policy(SECONDS), machine("vm-1"));
    continuous.roundWhenDue();
    journals.end(OperationId.random(), volume);

    continuous.roundWhenDue();
    assertTiers(volume, ContinuousRule.NONE);
    clock.advance(TestProtection.INTERVAL);
    continuous.roundWhenDue();

    assertTiers(volume, SECONDS);
  }

  @Test
  void anotherProcessGoesOnWithWhatTheRowsSay() {
    VolumeId volume = disk("vm-1", VolumeType.DATA);
    ProtectedGroup group = protect(policy(SECONDS), machine("vm-1"));
    continuous.roundWhenDue();
    plane.protection.groups.release(group.id(), PointsEnd.KEEP);
    continuous.roundWhenDue();

    ControlPlane next = plane.restarted();
    clock.advance(TestProtection.GRACE);
    next.protection.continuous.roundWhenDue();

    assertTiers(volume, ContinuousRule.NONE);
  }

  @Test
  void theHistorySaysWhichTiersAPolicyHas() {
    ProtectionPolicy policy = policy(SECONDS);
    plane.protection.policies.update(policy.id(), 1, draft(MINUTES));

    List<String> said =
        plane
            .jdbc
            .sql(
                """
                select array_to_string(parameter_values, ' ') from change_event
                 where object_type = 'ProtectionPolicy' order by id
                """)
            .query(String.class)
            .list();

    assertThat(said).hasSize(2);
    assertThat(said.get(0)).contains("continuous (PT5S for PT1H, PT1M for P1D)");
    assertThat(said.get(1)).contains("continuous (PT1M for P2D, PT15M for P7D)");
  }
}
