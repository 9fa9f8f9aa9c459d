package io.coppice.vasa.replication.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.OperationId;
import io.coppice.engine.RecordChange;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.vasa.protection.rule.PointTier;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// Records of groups in the pool, and words about groups on the link, of this version and others.
class GroupRecordsTest {

  private static final UUID ID = UUID.fromString("3f2b8c1e-5d47-4a0e-9b61-7c2d90e4f815");
  private static final UUID PEER = UUID.fromString("0aa76d0e-9d5b-4f49-9d1f-6a2a44e7a1b5");
  private static final Instant SINCE = Instant.parse("2026-11-29T14:00:00Z");

  private final MemoryEngine engine = new MemoryEngine();
  private final GroupRecords records = new GroupRecords(engine.records());

  private void put(String text) {
    engine
        .records()
        .apply(
            OperationId.random(), List.of(new RecordChange.Put("replication/group/" + ID, text)));
  }

  /// The record of a version that knew no RPO.
  private static String old(String paused, String more) {
    return """
        {"id": "%s", "plan": {"name": "shop", "peer": "%s", "interval": "PT15S",
         "keep": [{"every": "PT5S", "keepFor": "PT1H"}], "machines": ["vm-1"], "volumes": ["%s"],
         "container": null, "paused": %s%s}, "state": "SOURCE", "since": "%s", "replica": null,
         "settled": true, "held": [], "landing": null%s}"""
        .formatted(ID, PEER, ID, paused, more, SINCE, more);
  }

  private static GroupPlan plan(Duration interval, Duration rpo) {
    return new GroupPlan("shop", PEER, interval, rpo, List.of(), List.of(), List.of(), null, false);
  }

  @Test
  void recordOfAnOlderVersionIsRead() {
    put(old("false", ""));

    ReplicatedGroup group = records.find(ID).orElseThrow();

    assertThat(group.plan().rpo()).isNull();
    assertThat(group.plan().promise()).isEqualTo(Duration.ofSeconds(30));
    assertThat(group.plan().keep())
        .containsExactly(new PointTier(Duration.ofSeconds(5), Duration.ofHours(1)));
    assertThat(group.pausedSince()).isNull();
  }

  @Test
  void pauseOfAnOlderVersionCountsFromTheState() {
    put(old("true", ""));

    assertThat(records.find(ID).orElseThrow().pausedSince()).isEqualTo(SINCE);
  }

  @Test
  void fieldsOfANewerVersionArePassedOver() {
    put(old("false", ", \"speed\": {\"most\": [1]}"));

    assertThat(records.all()).hasSize(1);
  }

  @Test
  void everyFieldComesBack() {
    ReplicatedGroup group =
        new ReplicatedGroup(
            ID,
            plan(Duration.ofSeconds(20), Duration.ofMinutes(5)),
            GroupState.PREPARED,
            SINCE,
            PEER,
            false,
            List.of(PEER),
            "gold",
            SINCE.plusSeconds(5));
    records.put(group);

    assertThat(records.all()).containsExactly(group);
  }

  @Test
  void pauseIsNotedOnceAndForgottenWithItsEnd() {
    put(old("false", ""));
    ReplicatedGroup runs = records.find(ID).orElseThrow();
    GroupPlan plan = runs.plan();
    GroupPlan still =
        new GroupPlan(
            plan.name(),
            plan.peer(),
            plan.interval(),
            plan.rpo(),
            plan.keep(),
            plan.machines(),
            plan.volumes(),
            plan.container(),
            true);

    ReplicatedGroup paused = runs.planned(still, SINCE.plusSeconds(60));
    ReplicatedGroup renamed = paused.planned(still, SINCE.plusSeconds(90));

    assertThat(paused.pausedSince()).isEqualTo(SINCE.plusSeconds(60));
    assertThat(renamed.pausedSince()).isEqualTo(SINCE.plusSeconds(60));
    assertThat(renamed.planned(plan, SINCE.plusSeconds(95)).pausedSince()).isNull();
  }

  @Test
  void usualPromiseIsTwiceTheIntervalAndFifteenSecondsAtLeast() {
    assertThat(plan(Duration.ofSeconds(5), null).promise()).isEqualTo(Duration.ofSeconds(15));
    assertThat(plan(Duration.ofSeconds(8), null).promise()).isEqualTo(Duration.ofSeconds(16));
    assertThat(plan(Duration.ofHours(24), null).promise()).isEqualTo(Duration.ofHours(48));
    assertThat(plan(Duration.ofSeconds(5), Duration.ofSeconds(6)).promise())
        .isEqualTo(Duration.ofSeconds(6));
  }

  /// What a source says that knows no RPO.
  record OlderDescription(
      UUID group, String name, Duration interval, List<PointTier> keep, List<String> machines) {}

  @Test
  void descriptionOfAnOlderSourceIsUnderstood() {
    String text =
        GroupMessages.text(
            new OlderDescription(ID, "shop", Duration.ofSeconds(15), List.of(), List.of("vm-1")));

    GroupMessages.Description told = GroupMessages.parse(text, GroupMessages.Description.class);

    assertThat(told.rpo()).isNull();
    assertThat(told.interval()).isEqualTo(Duration.ofSeconds(15));
  }

  @Test
  void olderTargetUnderstandsTheDescription() {
    String text =
        GroupMessages.text(
            new GroupMessages.Description(
                ID,
                "shop",
                Duration.ofSeconds(15),
                Duration.ofMinutes(1),
                List.of(),
                null,
                List.of("vm-1")));

    assertThat(GroupMessages.parse(text, OlderDescription.class))
        .isEqualTo(
            new OlderDescription(ID, "shop", Duration.ofSeconds(15), List.of(), List.of("vm-1")));
  }

  @Test
  void answerWithMoreInItIsUnderstood() {
    String text = GroupMessages.text(Map.of("state", "TARGET", "lag", "PT3S"));

    assertThat(GroupMessages.parse(text, GroupMessages.Standing.class).state())
        .isEqualTo(GroupState.TARGET);
  }
}
