package io.coppice.vasa.policy;

import static io.coppice.vasa.policy.Capabilities.MAX_BANDWIDTH;
import static io.coppice.vasa.policy.Capabilities.MAX_IOPS;
import static io.coppice.vasa.policy.Capabilities.POINTS_KEPT;
import static io.coppice.vasa.policy.Capabilities.POINTS_LOCKED;
import static io.coppice.vasa.policy.Capabilities.POINT_AGE;
import static io.coppice.vasa.policy.Capabilities.POINT_CONSISTENCY;
import static io.coppice.vasa.policy.Capabilities.SNAPSHOT_INTERVAL;
import static io.coppice.vasa.policy.Capabilities.SNAPSHOT_RETENTION;
import static io.coppice.vasa.policy.Capabilities.SPACE_EFFICIENCY;
import static io.coppice.vasa.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.scsi.limit.Limits;
import io.coppice.vasa.policy.CapabilityValue.Between;
import io.coppice.vasa.policy.CapabilityValue.Number;
import io.coppice.vasa.policy.CapabilityValue.OneOf;
import io.coppice.vasa.policy.CapabilityValue.Span;
import io.coppice.vasa.policy.CapabilityValue.Text;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CapabilitiesTest {

  private static final Capability THICK = Capability.of(SPACE_EFFICIENCY, new Text("Thick"));
  private static final Capability HOURLY =
      Capability.of(SNAPSHOT_INTERVAL, new Span(1, SpanUnit.HOURS));
  private static final Capability FOR_A_DAY =
      Capability.of(SNAPSHOT_RETENTION, new Span(1, SpanUnit.DAYS));
  private static final Capability FOREIGN =
      Capability.of(new CapabilityId("com.example", "raidLevel"), new Text("1"));

  @Test
  void profileWithoutSubProfilesRequiresNothing() {
    assertThat(Capabilities.requirementsOf(profile())).isEqualTo(Requirements.NONE);
  }

  @Test
  void capabilitiesOfASubProfileAreJoinedWithAnd() {
    assertThat(Capabilities.requirementsOf(profile(sub(THICK, HOURLY, FOR_A_DAY))))
        .isEqualTo(
            new Requirements(SpaceEfficiency.THICK, Duration.ofHours(1), Duration.ofDays(1)));
  }

  @Test
  void firstSubProfileThatCanBeMetIsTaken() {
    assertThat(Capabilities.requirementsOf(profile(sub(THICK, FOREIGN), sub(HOURLY))))
        .isEqualTo(new Requirements(null, Duration.ofHours(1), null));
  }

  @Test
  void anyConstraintOfACapabilitySuffices() {
    Capability either =
        new Capability(
            SPACE_EFFICIENCY,
            List.of(constraint(new Text("Compressed")), constraint(new Text("Thin"))));

    assertThat(Capabilities.requirementsOf(profile(sub(either))).space())
        .isEqualTo(SpaceEfficiency.THIN);
  }

  @Test
  void setsAndRangesAreMetByOneOfTheirValues() {
    Capability anySpace =
        Capability.of(SPACE_EFFICIENCY, new OneOf(List.of(new Text("x"), new Text("Thick"))));
    Capability anyInterval =
        Capability.of(
            SNAPSHOT_INTERVAL,
            new Between(new Span(10, SpanUnit.SECONDS), new Span(2, SpanUnit.HOURS)));

    assertThat(Capabilities.requirementsOf(profile(sub(anySpace, anyInterval))))
        .isEqualTo(new Requirements(SpaceEfficiency.THICK, Duration.ofHours(2), null));
  }

  @Test
  void limitsAreNumbersOrTheLargestOfARange() {
    Capability iops = Capability.of(MAX_IOPS, new Between(new Number(1), new Number(5000)));
    Capability bandwidth = Capability.of(MAX_BANDWIDTH, new Number(100 << 20));

    Requirements requirements = Capabilities.requirementsOf(profile(sub(iops, bandwidth)));

    assertThat(requirements.limits()).isEqualTo(new Limits(5000, 100 << 20));
    assertThat(Capabilities.asCapabilities(requirements))
        .containsExactly(Capability.of(MAX_IOPS, new Number(5000)), bandwidth);
  }

  @Test
  void demandForRecoveryPointsIsTheWeakestThatARangeAllows() {
    Between range = new Between(new Span(30, SpanUnit.SECONDS), new Span(2, SpanUnit.DAYS));

    Requirements requirements =
        Capabilities.requirementsOf(
            profile(
                sub(
                    Capability.of(POINT_AGE, range),
                    Capability.of(POINTS_KEPT, range),
                    Capability.of(POINTS_LOCKED, new Span(7, SpanUnit.DAYS)),
                    Capability.of(POINT_CONSISTENCY, new Text("CrashConsistent")))));

    assertThat(requirements)
        .isEqualTo(
            new Requirements(
                null,
                null,
                null,
                Limits.NONE,
                new PointDemand(Duration.ofDays(2), Duration.ofMinutes(1), Duration.ofDays(7))));
    assertThat(Capabilities.asCapabilities(requirements))
        .containsExactly(
            Capability.of(POINT_AGE, new Span(2, SpanUnit.DAYS)),
            Capability.of(POINTS_KEPT, new Span(1, SpanUnit.MINUTES)),
            Capability.of(POINTS_LOCKED, new Span(7, SpanUnit.DAYS)));
  }

  @Test
  void everythingOfferedCanBeMet() {
    assertThat(Capabilities.requirementsOf(Profiles.everything()).snapshotInterval()).isNotNull();
  }

  @Test
  void whatIsNotOfferedIsAnInvalidProfile() {
    List<Capability> unmet =
        List.of(
            FOREIGN,
            Capability.of(SPACE_EFFICIENCY, new Text("Compressed")),
            Capability.of(SPACE_EFFICIENCY, new Number(1)),
            Capability.of(SNAPSHOT_INTERVAL, new Text("hourly")),
            Capability.of(SNAPSHOT_INTERVAL, new Span(0, SpanUnit.HOURS)),
            Capability.of(SNAPSHOT_INTERVAL, new Span(-1, SpanUnit.HOURS)),
            Capability.of(SNAPSHOT_INTERVAL, new Span(59, SpanUnit.SECONDS)),
            Capability.of(SNAPSHOT_INTERVAL, new Span(Integer.MAX_VALUE, SpanUnit.YEARS)),
            FOR_A_DAY,
            Capability.of(POINT_AGE, new Span(59, SpanUnit.SECONDS)),
            Capability.of(POINT_AGE, new Span(366, SpanUnit.DAYS)),
            Capability.of(POINT_AGE, new CapabilityValue.Flag(true)),
            Capability.of(POINTS_KEPT, new Span(3651, SpanUnit.DAYS)),
            Capability.of(
                POINTS_KEPT, new Between(new Span(2, SpanUnit.DAYS), new Span(1, SpanUnit.DAYS))),
            Capability.of(POINTS_LOCKED, new Span(-7, SpanUnit.DAYS)),
            Capability.of(POINTS_LOCKED, new Text("yes")),
            Capability.of(POINT_CONSISTENCY, new Text("ApplicationConsistent")),
            Capability.of(POINT_CONSISTENCY, new CapabilityValue.Flag(true)),
            Capability.of(MAX_IOPS, new Number(0)),
            Capability.of(MAX_IOPS, new Number(9)),
            Capability.of(MAX_IOPS, new Number(-1)),
            Capability.of(MAX_IOPS, new Number(Long.MAX_VALUE)),
            Capability.of(MAX_IOPS, new Text("1000")),
            Capability.of(MAX_IOPS, new Between(new Number(1), new Number(9))),
            Capability.of(MAX_IOPS, new Between(new Number(500), new Number(100))),
            Capability.of(MAX_IOPS, new Between(new Span(1, SpanUnit.HOURS), new Number(100))),
            Capability.of(MAX_BANDWIDTH, new Number((1 << 20) - 1)),
            Capability.of(MAX_BANDWIDTH, new CapabilityValue.Real(1e9)),
            new Capability(SPACE_EFFICIENCY, List.of()),
            new Capability(SPACE_EFFICIENCY, List.of(new Constraint(Map.of()))),
            new Capability(
                SPACE_EFFICIENCY, List.of(new Constraint(Map.of("other", new Text("Thin"))))));

    for (Capability capability : unmet) {
      assertFault("InvalidProfile", () -> Capabilities.requirementsOf(profile(sub(capability))));
    }
  }

  @Test
  void contradictionIsAnInvalidProfile() {
    Capability thin = Capability.of(SPACE_EFFICIENCY, new Text("Thin"));

    assertFault("InvalidProfile", () -> Capabilities.requirementsOf(profile(sub(THICK, thin))));
    Capability slow = Capability.of(MAX_IOPS, new Number(100));
    Capability fast = Capability.of(MAX_IOPS, new Number(1000));
    assertFault("InvalidProfile", () -> Capabilities.requirementsOf(profile(sub(slow, fast))));
  }

  @Test
  void policyWithoutRequirementsIsAlwaysAccepted() {
    StorageProfile none =
        new StorageProfile(
            StorageProfile.NO_REQUIREMENTS,
            "VVol No Requirements Policy",
            "",
            0,
            "vc",
            Instant.EPOCH,
            List.of(sub(FOREIGN)));

    assertThat(Capabilities.requirementsOf(none)).isEqualTo(Requirements.NONE);
  }

  @Test
  void spansAreWrittenInTheLargestUnitThatDividesThem() {
    assertThat(Capabilities.span(Duration.ofHours(48))).isEqualTo(new Span(2, SpanUnit.DAYS));
    assertThat(Capabilities.span(Duration.ofMinutes(90))).isEqualTo(new Span(90, SpanUnit.MINUTES));
    assertThat(Capabilities.span(Duration.ZERO)).isEqualTo(new Span(0, SpanUnit.SECONDS));
  }

  private static Constraint constraint(CapabilityValue value) {
    return new Constraint(Map.of(SPACE_EFFICIENCY.id(), value));
  }

  private static SubProfile sub(Capability... capabilities) {
    return new SubProfile("sub", List.of(capabilities));
  }

  private static StorageProfile profile(SubProfile... subs) {
    return new StorageProfile("p", "p", "", 1, "vc", Instant.EPOCH, List.of(subs));
  }
}
