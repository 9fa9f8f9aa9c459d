package io.coppice.vasa.replication.runbook;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.PoolRecords;
import io.coppice.engine.testing.MemoryEngine;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The reports of runs in the pool's records: each fits, and the oldest go.
class RunRecordsTest {

  private static final Instant NOW = Instant.parse("2026-11-29T02:00:00Z");

  private final UUID runbook = UUID.randomUUID();
  private final MemoryEngine engine = new MemoryEngine();
  private final RunRecords records = new RunRecords(engine.records());

  private RunbookRun run(long number, RunKind kind, RunState state, List<StepResult> steps) {
    return new RunbookRun(
        UUID.randomUUID(),
        runbook,
        number,
        kind,
        false,
        "somebody",
        NOW,
        state.ended() ? NOW : null,
        state,
        null,
        null,
        steps);
  }

  private static GroupResult result(String text, Instant testSince) {
    return new GroupResult(
        UUID.randomUUID(),
        text,
        GroupOutcome.FAILED,
        UUID.randomUUID(),
        NOW,
        Duration.ofDays(3649).plusNanos(1),
        Duration.ofDays(3649).plusNanos(1),
        256,
        Collections.nCopies(9, text),
        testSince);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"", "\\", "\u0000", "\u4e16", "\ud83d\ude00", "\ud83d", "\ude00a", "a"})
  void resultOfAnyTextIsARecord(String unit) {
    List<GroupResult> groups =
        Stream.generate(() -> result(unit.repeat(3000), NOW))
            .limit(RunbookBounds.MOST_GROUPS)
            .toList();
    RunbookRun run =
        run(1, RunKind.TEST, RunState.RUNNING, List.of(new StepResult(1, groups)))
            .end(RunState.FAILED, NOW, 1, unit.repeat(5000));

    records.put(run);

    RunbookRun read = records.find(runbook, run.id()).orElseThrow();
    assertThat(read.with(List.of())).isEqualTo(run.with(List.of()));
    assertThat(read.steps().getFirst().groups())
        .hasSameSizeAs(groups)
        .allSatisfy(one -> assertThat(one.sentences()).isNotEmpty());
    assertThat(read.hasOpenTests()).isTrue();
    assertThat(engine.records().withPrefix("replication/run/").values())
        .allSatisfy(
            text ->
                assertThat(text.getBytes(StandardCharsets.UTF_8))
                    .hasSizeLessThanOrEqualTo(PoolRecords.MAX_VALUE_BYTES));
  }

  @Test
  void shortTextStaysAsItIs() {
    assertThat(ShortText.sentence("x".repeat(300))).isEqualTo("x".repeat(300));
    assertThat(ShortText.sentence("x".repeat(301))).isEqualTo("x".repeat(297) + "…");
    assertThat(ShortText.stub("a\nb")).isEqualTo("a b");
  }

  @Test
  void whatIsNeededStaysBehindTheLastThirty() {
    StepResult open = new StepResult(1, List.of(result("open", NOW)));
    records.put(run(1, RunKind.TEST, RunState.CUT, List.of(open)));
    records.put(run(2, RunKind.RUN, RunState.RUNNING, List.of()));
    records.put(run(3, RunKind.TEST, RunState.SUCCEEDED, List.of()));
    records.put(run(4, RunKind.TEST, RunState.FAILED, List.of()));
    for (int number = 5; number < 40; number++) {
      records.put(run(number, RunKind.CHECK, RunState.SUCCEEDED, List.of()));
    }

    records.prune(runbook);

    assertThat(records.of(runbook))
        .extracting(RunbookRun::number)
        .hasSize(33)
        .startsWith(39L, 38L)
        .endsWith(10L, 4L, 2L, 1L);
    records.removeAll(runbook);
    assertThat(engine.records().withPrefix("replication/")).isEmpty();
  }
}
