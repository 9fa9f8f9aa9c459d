package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import io.coppice.admin.EditedObjects.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Changes of one object at one time, from several threads, all for the edition that was read.
class ParallelChangesTest {

  private static final int ROUNDS = 20;

  private static AdminServer server;
  private static EditedObjects objects;
  private static ExecutorService threads;

  @BeforeAll
  static void start() {
    server = new AdminServer();
    objects = new EditedObjects(server);
    threads = Executors.newVirtualThreadPerTaskExecutor();
  }

  @AfterAll
  static void stop() {
    threads.close();
    server.close();
  }

  /// Of an object that can be changed, the changes race. Of one that can only be deleted, two
  /// deletions do, and each round has another object.
  @TestFactory
  Stream<DynamicTest> ofChangesWithOneTagExactlyOneHappens() {
    return objects.kinds().stream()
        .map(
            kind -> {
              EditedObjects.Edited first = kind.get();
              return DynamicTest.dynamicTest(first.name(), () -> raceOften(kind, first));
            });
  }

  private static void raceOften(Supplier<EditedObjects.Edited> kind, EditedObjects.Edited first)
      throws Exception {
    EditedObjects.Edited one = first;
    for (int round = 1; round <= ROUNDS; round++) {
      boolean onlyDeleted = one.name().matches("export|snapshot|token|recovery point");
      race(one, onlyDeleted || round == ROUNDS);
      one = onlyDeleted ? kind.get() : one;
    }
  }

  /// @param deletes whether changes that delete take part
  private static void race(EditedObjects.Edited one, boolean deletes) throws Exception {
    Answer read = server.get(one.path());
    String tag = read.header("ETag");
    List<Change> changes = new ArrayList<>(one.changes(read.json()));
    changes.removeIf(change -> change.method().equals("DELETE") && !deletes);
    if (changes.size() == 1) {
      changes.add(changes.getFirst());
    }

    List<Answer> answers = atOnce(changes, tag);

    List<Answer> winners = answers.stream().filter(answer -> answer.status() < 300).toList();
    assertThat(winners).as(answers.toString()).hasSize(1);
    assertThat(answers.stream().map(Answer::status).filter(status -> status >= 300))
        .as(answers.toString())
        .isSubsetOf(412, 404); // 404 once it is deleted
    String now = winners.getFirst().header("ETag");
    if (!now.isEmpty()) {
      assertThat(server.get(one.path()).header("ETag")).isEqualTo(now).isNotEqualTo(tag);
    }
  }

  private static List<Answer> atOnce(List<Change> changes, @Nullable String tag)
      throws InterruptedException, ExecutionException {
    CyclicBarrier start = new CyclicBarrier(changes.size());
    List<Callable<Answer>> calls =
        changes.stream()
            .<Callable<Answer>>map(
                change ->
                    () -> {
                      start.await();
                      String[] headers =
                          tag == null ? new String[0] : new String[] {"If-Match", tag};
                      return server.call(change.method(), change.path(), change.body(), headers);
                    })
            .toList();
    List<Answer> answers = new ArrayList<>();
    for (Future<Answer> one : threads.invokeAll(calls)) {
      answers.add(one.get());
    }
    return answers;
  }

  /// An unconditional change does not slip in between the check of a deletion and the deletion.
  @Test
  void anExportThatGetsAnInitiatorIsNotDeletedByTheTagOfBefore() throws Exception {
    String container = server.container("fence");
    String volume = server.volume(container, "fence");
    for (int round = 0; round < ROUNDS; round++) {
      server.post(
          "exports",
          "{\"vvol\": \"%s\", \"initiators\": [\"iqn.2026-11.made:fence\"]}".formatted(volume));
      String path = "exports/" + volume;
      String tag = server.get(path).header("ETag");
      Change add = new Change("PUT", path + "/initiators/iqn.2026-11.made:more", null);
      CyclicBarrier start = new CyclicBarrier(2);

      Future<Answer> deleted =
          threads.submit(
              () -> {
                start.await();
                return server.call("DELETE", path, null, "If-Match", tag);
              });
      start.await();
      Answer added = server.call(add.method(), add.path(), null);

      if (added.status() == 200) {
        assertThat(deleted.get().status()).as(deleted.get().toString()).isEqualTo(412);
        server.delete(path);
      } else {
        assertThat(added.status()).isEqualTo(404);
        assertThat(deleted.get().status()).isEqualTo(200);
      }
    }
  }

  /// No change is lost where each thread repeats what it was refused.
  @Test
  void whoReadsAgainAfterARefusalLosesNothing() throws Exception {
    String path =
        "host-groups/" + AdminServer.made(server.post("host-groups", "{\"name\": \"all\"}"));
    List<String> hosts = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      String draft = "{\"name\": \"all-%d\", \"initiators\": [\"iqn.2026-11.made:all-%d\"]}";
      hosts.add(AdminServer.made(server.post("hosts", draft.formatted(i, i))));
    }

    List<Callable<Integer>> adding =
        hosts.stream().<Callable<Integer>>map(host -> () -> addTo(path, host)).toList();
    for (Future<Integer> one : threads.invokeAll(adding)) {
      one.get();
    }

    assertThat(server.get(path).json().get("hosts").valueStream().map(one -> one.asString()))
        .containsExactlyInAnyOrderElementsOf(hosts);
  }

  /// @return how often it was refused
  private static int addTo(String group, String host) {
    for (int refused = 0; ; refused++) {
      Answer read = server.get(group);
      List<String> members = new ArrayList<>();
      read.json().get("hosts").forEach(one -> members.add("\"" + one.asString() + "\""));
      members.add("\"" + host + "\"");
      Answer changed =
          server.call(
              "PATCH",
              group,
              "{\"hosts\": [%s]}".formatted(String.join(", ", members)),
              "If-Match",
              read.header("ETag"));
      if (changed.status() == 200) {
        return refused;
      }
      assertThat(changed.status()).isEqualTo(412);
    }
  }
}
