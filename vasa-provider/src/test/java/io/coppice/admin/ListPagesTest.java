package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.testing.CountedDatabase.Cost;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a page of a list costs beside 2,000 volumes and 2,000 snapshots: a few statements and the
/// rows that it shows, wherever it is.
class ListPagesTest {

  private static final int VOLUMES = 2_000;
  private static final int MACHINES = 500;
  private static final int LIMIT = 50;

  private static AdminServer server;
  private static String container;

  @BeforeAll
  static void start() {
    server = new AdminServer();
    container = server.container(UUID.randomUUID().toString());
    fill(server.control);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /// Four vVols for each machine, a snapshot and a schedule for each vVol, a task for each vVol.
  private static void fill(ControlPlane control) {
    for (String statement :
        """
        insert into volume (id, container_id, type, state, origin, snapshot, size_bytes, thick,
                            profile_id, profile_generation, required_interval_s, created_at)
        select ('00000000-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid, '%1$s',
               case i %% 4 when 0 then 'CONFIG' else 'DATA' end, 'READY', 'HOST', false, 1048576,
               false, 'p', 1, 3600, timestamptz '2026-11-20 00:00:00Z' + i * interval '1 second'
          from generate_series(0, %2$d - 1) i;
        insert into volume (id, container_id, type, state, origin, snapshot, size_bytes, thick,
                            parent_id, created_at)
        select ('00000000-0000-4000-9000-' || lpad(i::text, 12, '0'))::uuid, '%1$s', 'DATA',
               'READY', case i %% 2 when 0 then 'ADMIN' else 'HOST' end, true, 1048576, false,
               ('00000000-0000-4000-8000-' || lpad(i::text, 12, '0'))::uuid,
               timestamptz '2026-11-21 00:00:00Z' + i * interval '1 second'
          from generate_series(0, %2$d - 1) i;
        insert into volume_metadata (volume_id, key, value)
        select id, 'VMW_VmID', 'vm-' || lpad((substr(id::text, 25)::int / 4)::text, 6, '0')
          from volume where not snapshot;
        insert into volume_metadata (volume_id, key, value)
        select id, 'VMW_VVolName', 'disk' from volume;
        insert into snapshot_schedule (volume_id, interval_s, since, next_run)
        select id, 3600, created_at, created_at from volume where not snapshot;
        insert into task (id, name, state, started_at)
        select 'listed:' || i, 'listed', 'RUNNING',
               timestamptz '2026-11-20 00:00:00Z' + i * interval '1 second'
          from generate_series(0, %2$d - 1) i;
        """
            .formatted(container, VOLUMES)
            .split(";\n")) {
      control.jdbc.sql(statement).update();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "containers?",
        "vvols?",
        "vvols?type=Data&",
        "vvols?vm=vm-000007&",
        "vms?",
        "snapshots?",
        "snapshots?kind=manual&",
        "snapshots?vm=vm-000007&",
        "snapshots?vvol=00000000-0000-4000-8000-000000000007&",
        "vvols/00000000-0000-4000-8000-000000000007/snapshots?",
        "vms/vm-000007/snapshots?",
        "exports?",
        "bindings?",
        "hosts?",
        "offloads?",
        "traffic?",
        "schedules?",
        "jobs?",
        "events?",
        "policies?"
      })
  void everyPageCostsAFewStatementsAndWhatItShows(String list) {
    AtomicReference<String> page = new AtomicReference<>(list + "limit=" + LIMIT);
    int pages = 0;
    while (!page.get().isEmpty() && pages < 100) {
      String now = page.get();
      Cost cost =
          server.counted.of(
              () -> {
                AdminServer.Answer answer = server.get(now);
                assertThat(answer.status()).as(now + answer).isEqualTo(200);
                String next = answer.json().get("next").asString("");
                page.set(next.isEmpty() ? "" : list + "limit=" + LIMIT + "&cursor=" + next);
              });
      assertThat(cost.statements()).as("statements of page %d", pages).isLessThanOrEqualTo(12);
      assertThat(cost.rows()).as("rows of page %d", pages).isLessThanOrEqualTo(10L * LIMIT);
      pages++;
    }
  }

  /// The policy of all is broken; what is asked for keeps its own.
  @ParameterizedTest
  @ValueSource(strings = {"compliant", "nonCompliant"})
  void pageOfAJudgementTestsABoundedNumber(String status) {
    String list = "vvols?compliance=%s&limit=%d".formatted(status, LIMIT);
    AtomicReference<String> page = new AtomicReference<>(list);
    int found = 0;
    while (!page.get().isEmpty()) {
      AtomicReference<AdminServer.Answer> answer = new AtomicReference<>();
      Cost cost = server.counted.of(() -> answer.set(server.get(page.get())));
      found += answer.get().json().get("items").size();
      String next = answer.get().json().get("next").asString("");
      page.set(next.isEmpty() ? "" : list + "&cursor=" + next);
      assertThat(cost.statements()).isLessThanOrEqualTo(12);
    }
    assertThat(found).isEqualTo(status.equals("compliant") ? 0 : VOLUMES);
  }

  @Test
  void walksShowEverythingOnceInOrder() {
    assertThat(walk("snapshots?limit=300")).hasSize(VOLUMES).doesNotHaveDuplicates().isSorted();
    assertThat(walk("vvols?limit=300")).hasSize(VOLUMES).doesNotHaveDuplicates().isSorted();
    assertThat(walk("vms?limit=300")).hasSize(MACHINES).doesNotHaveDuplicates().isSorted();
    assertThat(walk("vms?limit=300&container=" + container)).hasSize(MACHINES);
    assertThat(walk("vms?container=" + UUID.randomUUID())).isEmpty();
    assertThat(walk("snapshots?kind=manual&limit=7")).hasSize(VOLUMES / 2);
    assertThat(walk("snapshots?kind=scheduled")).isEmpty();
    assertThat(walk("snapshots?vm=vm-000007&limit=3")).hasSize(4);
    assertThat(new HashSet<>(walk("jobs?limit=300"))).hasSize(VOLUMES);
    assertThat(server.get("snapshots?limit=1&total=true").number("/total")).isEqualTo(VOLUMES);
    assertThat(server.get("vms?limit=1&total=true").number("/total")).isEqualTo(MACHINES);
    assertThat(server.get("schedules?limit=1&total=true").number("/total")).isEqualTo(VOLUMES);
    assertThat(server.get("snapshots?vm=vm-000007&limit=1").text("/items/0/vm"))
        .isEqualTo("vm-000007");
    assertThat(server.get("vms/vm-000007").json().get("vvols").size()).isEqualTo(4);
  }

  private static List<String> walk(String list) {
    List<String> ids = new ArrayList<>();
    String page = list;
    while (!page.isEmpty()) {
      AdminServer.Answer answer = server.get(page);
      ids.addAll(AdminServer.texts(answer, "/id"));
      String next = Objects.requireNonNull(answer.json().get("next")).asString("");
      page = next.isEmpty() ? "" : list + "&cursor=" + next;
    }
    return ids;
  }
}
