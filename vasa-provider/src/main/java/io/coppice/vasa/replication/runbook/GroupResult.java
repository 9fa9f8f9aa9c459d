package io.coppice.vasa.replication.runbook;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The result of a run for one replication group.
///
/// @param name of the group then; its id if it was not there
/// @param replica that was used, or would be; null for none
/// @param taken when that one was taken, by the source's clock
/// @param age of the replica when the group's turn came
/// @param took how long it took
/// @param exported number of volumes that were exported
/// @param sentences what failed or is missing
/// @param testSince when the test began that is to be ended still, as the group says; null for none
public record GroupResult(
    UUID group,
    String name,
    GroupOutcome outcome,
    @Nullable UUID replica,
    @Nullable Instant taken,
    @Nullable Duration age,
    @Nullable Duration took,
    int exported,
    List<String> sentences,
    @Nullable Instant testSince) {

  /// Most sentences.
  private static final int MOST = 4;

  public GroupResult {
    Objects.requireNonNull(group, "group");
    Objects.requireNonNull(outcome, "outcome");
    name = ShortText.name(name);
    sentences = sentences.stream().limit(MOST).map(ShortText::sentence).toList();
  }

  static GroupResult waiting(UUID group, String name) {
    return new GroupResult(
        group, name, GroupOutcome.WAITING, null, null, null, null, 0, List.of(), null);
  }

  GroupResult with(GroupOutcome next) {
    return new GroupResult(
        group, name, next, replica, taken, age, took, exported, sentences, testSince);
  }

  GroupResult of(@Nullable UUID cycle, @Nullable Instant when, @Nullable Duration old) {
    return new GroupResult(
        group, name, outcome, cycle, when, old, took, exported, sentences, testSince);
  }

  GroupResult after(Duration time) {
    return new GroupResult(
        group, name, outcome, replica, taken, age, time, exported, sentences, testSince);
  }

  GroupResult exporting(int volumes) {
    return new GroupResult(
        group, name, outcome, replica, taken, age, took, volumes, sentences, testSince);
  }

  GroupResult saying(GroupOutcome next, List<String> all) {
    return new GroupResult(group, name, next, replica, taken, age, took, exported, all, testSince);
  }

  GroupResult testing(@Nullable Instant since) {
    return new GroupResult(
        group, name, outcome, replica, taken, age, took, exported, sentences, since);
  }

  /// The same in a fraction of the room.
  GroupResult shortened() {
    return saying(outcome, sentences.stream().limit(1).map(ShortText::stub).toList());
  }
}
