package io.coppice.sites;

import io.coppice.harness.Mismatch;
import io.coppice.harness.RestClient;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/// An end of a replication group, as an administrator there sees and changes it.
///
/// @param site whose end it is, for sentences
/// @param id of the group, the same at both ends
public record GroupEnd(String site, RestClient rest, String id) {

  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private String path() {
    return "replication/groups/" + id;
  }

  public JsonNode view() {
    return rest.get(path());
  }

  public String state() {
    return view().get("state").asString();
  }

  /// Waits until it is in a state.
  public void awaitState(String state) {
    await(state, () -> state().equals(state));
  }

  /// Does one of its actions, such as `fail-over`.
  ///
  /// @return the group after it
  public JsonNode post(String action, String body) {
    return rest.post(path() + "/" + action, body);
  }

  /// Runs a cycle now. A cycle that is on its way ends first, however long that takes.
  ///
  /// @param name of the replica
  /// @return the id of the replica that the target has then
  public String synchronize(String name) {
    Instant end = Instant.now().plus(PATIENCE);
    while (true) {
      try {
        return post("synchronize", "{\"name\": \"%s\"}".formatted(name)).get("replica").asString();
      } catch (Mismatch e) {
        String why = String.valueOf(e.getMessage());
        // A call that is given up leaves its cycle on its way.
        boolean runs =
            why.contains("cycle of the group is on its way") || why.contains("timed out");
        if (!runs || Instant.now().isAfter(end)) {
          throw e;
        }
        nap();
      }
    }
  }

  /// Waits until the target is known to have a replica.
  public void awaitReplica() {
    await("a source whose target has a replica", () -> !view().get("newest").isNull());
  }

  /// Waits until one more cycle has ended well at a source.
  ///
  /// @param before its cycles until then
  public void awaitCycle(Cycles before) {
    await("a source with one more cycle", () -> cycles().ended() > before.ended());
  }

  /// When the newest replica was taken that the target is known to have.
  public Instant newest() {
    return Instant.parse(view().get("newest").asString());
  }

  /// Lets no cycle begin by itself, and waits for the end of one that is on its way.
  public void pause() {
    rest.patch(path(), "{\"paused\": true}");
    await("without a cycle", () -> !view().get("cycles").get("runs").asBoolean());
  }

  /// Lets cycles begin by themselves again.
  public void resume() {
    rest.patch(path(), "{\"paused\": false}");
  }

  /// The replicas that are here, the newest first.
  public JsonNode replicas() {
    return rest.get(path() + "/replicas").get("items");
  }

  /// Ends a test.
  public void endTest() {
    rest.delete(path() + "/test");
  }

  /// The cycles of a source since its provider started; none where the group has no source.
  public Cycles cycles() {
    JsonNode cycles = view().get("cycles");
    return cycles == null || cycles.isNull()
        ? Cycles.NONE
        : new Cycles(
            cycles.get("ended").asLong(),
            cycles.get("dataBytes").asLong(),
            cycles.get("linkBytes").asLong());
  }

  /// Cycles that ended well.
  ///
  /// @param ended their number
  /// @param dataBytes what they sent, before compression
  /// @param linkBytes what went over the link for it
  public record Cycles(long ended, long dataBytes, long linkBytes) {

    public static final Cycles NONE = new Cycles(0, 0, 0);

    public Cycles since(Cycles earlier) {
      return new Cycles(
          ended - earlier.ended, dataBytes - earlier.dataBytes, linkBytes - earlier.linkBytes);
    }
  }

  /// The ids in a view's list of volumes.
  public static List<String> volumes(JsonNode view) {
    return StreamSupport.stream(view.get("volumes").spliterator(), false)
        .map(JsonNode::asString)
        .toList();
  }

  private void await(String what, BooleanSupplier condition) {
    Instant end = Instant.now().plus(PATIENCE);
    while (!condition.getAsBoolean()) {
      if (Instant.now().isAfter(end)) {
        throw new Mismatch(
            "expected the group at %s to be %s within %d s, it is %s"
                .formatted(site, what, PATIENCE.toSeconds(), view()));
      }
      nap();
    }
  }

  private static void nap() {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
  }
}
