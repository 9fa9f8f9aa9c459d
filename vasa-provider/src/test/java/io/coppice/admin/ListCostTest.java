package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.request.ApiFilter;
import io.coppice.vasa.testing.CostTable;
import io.coppice.vasa.testing.CountedDatabase.Cost;
import io.coppice.vasa.testing.Crowd;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Cost of every page of every list, in questions to the database, beside 10,000 volumes and 40,000
/// snapshots, as `docs/benchmarks.md` says. No number there grows with those.
class ListCostTest {

  private static final int LIMIT = 1000;

  /// Volumes in the recycle bin, of which the pool does not know: two pages.
  private static final String DELETED =
      """
      insert into volume (id, container_id, type, state, origin, snapshot, size_bytes, thick,
                          created_at, binned_at, purge_at, binned_why, binned_by)
      select ('00000000-0000-4000-a000-' || lpad(i::text, 12, '0'))::uuid, '%s', 'DATA', 'BINNED',
             'HOST', false, 1048576, false, now(), now() + i * interval '1 second',
             now() + i * interval '1 second', 'DELETED', 'nobody'
        from generate_series(1, 2000) i
      """;

  private static final String NAMES =
      """
      insert into volume_metadata (volume_id, key, value)
      select id, 'VMW_VVolName', 'deleted' from volume where state = 'BINNED'
      """;

  private static AdminServer server;
  private static String many;
  private static String few;
  private static String replicated;
  private static String runbook;

  @BeforeAll
  static void start() {
    server = new AdminServer();
    many = server.container("many");
    few = server.container("few");
    Crowd.fill(server.control.jdbc, UUID.fromString(many), UUID.fromString(few));
    protection();
    server.control.jdbc.sql(DELETED.formatted(many)).update();
    server.control.jdbc.sql(NAMES).update();
    server.control.jdbc.sql("analyze volume").update();
    replicated = replicated();
    runbook = ReplicationSamples.runbooks(server);
    server.get("events"); // gives ids to the changes above
  }

  private static void protection() {
    String policy = Protecting.policy(server, "gold");
    for (String name : Set.of("shop", "mail")) {
      String group = Protecting.group(server, name, policy, server.volume(few, name));
      Protecting.point(server, group, "now");
    }
  }

  private static String replicated() {
    try (AdminServer other = new AdminServer()) {
      String peer = PeersTest.pair(server, other);
      String group = ReplicationGroupsTest.group(server, few, peer, "replicated");
      server.post("replication/groups/" + group + "/synchronize", null);
      return group;
    }
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void everyPageCostsWhatTheTableSays() {
    CostTable table = new CostTable("Pages of REST lists");
    for (String list : lists()) {
      walk(list, table);
    }
    for (String filter :
        Set.of(
            "/vvols?type=Swap",
            "/vvols?container=" + few,
            "/vvols?container=" + many,
            "/vvols?vm=" + Crowd.MACHINE,
            "/vvols?name=root",
            "/volumes?name=root",
            "/snapshots?name=root",
            "/volumes?label=called%3Droot",
            "/snapshots?label=called%3Droot",
            "/snapshots?label=called",
            "/vvols?compliance=compliant",
            "/vvols?compliance=nonCompliant",
            "/vms?container=" + few,
            "/vms?container=" + many,
            "/snapshots?kind=manual",
            "/snapshots?kind=vasa",
            "/snapshots?kind=scheduled",
            "/snapshots?vm=" + Crowd.MACHINE,
            "/snapshots?vvol=" + Crowd.ONE,
            "/snapshots?group=000000005000",
            "/vvols?sort=-name",
            "/vvols?sort=size",
            "/vvols?sort=name&container=" + few,
            "/vvols?sort=name&type=Swap",
            "/volumes?sort=name",
            "/volumes?sort=-size",
            "/vms?sort=-id",
            "/vms?sort=name",
            "/vms?sort=provisioned",
            "/vms?name=root",
            "/snapshots?sort=-created",
            "/snapshots?sort=name",
            "/snapshots?sort=-size",
            "/snapshots?sort=name&vvol=" + Crowd.ONE,
            "/schedules?sort=-interval",
            "/schedules?sort=next",
            "/jobs?sort=created",
            "/jobs?sort=finished",
            "/jobs?sort=-name",
            "/jobs?name=listed",
            "/bin?sort=name",
            "/bin?vm=" + Crowd.MACHINE,
            "/bin?container=" + many)) {
      walk(filter, table);
    }
    table.agrees();
  }

  /// All operations of the API's own description that take a cursor. Differences and moments are no
  /// objects.
  private static Set<String> lists() {
    Set<String> lists = new TreeSet<>();
    var paths = server.get("openapi").json().get("paths");
    for (String path : paths.propertyNames()) {
      boolean paged =
          paths
              .at("/" + path.replace("/", "~1") + "/get/parameters")
              .valueStream()
              .anyMatch(parameter -> parameter.path("name").asString("").equals("cursor"));
      if (paged && !path.matches(".*/(differences.*|timeline)")) {
        lists.add(path.substring(ApiFilter.ROOT.length()));
      }
    }
    assertThat(lists).contains("/vvols", "/jobs").hasSizeGreaterThan(15);
    return lists;
  }

  /// Under the name that the table has for it: the list with its filter, without its value, or with
  /// its order, in either direction.
  private static void walk(String list, CostTable table) {
    String path =
        list.substring(1)
            .replace("vvols/{id}", "vvols/" + Crowd.ONE)
            .replace("vms/{id}", "vms/" + Crowd.MACHINE)
            .replace("groups/{id}", "groups/" + replicated)
            .replace("runbooks/{id}", "runbooks/" + runbook);
    String first = path + (path.contains("?") ? "&" : "?") + "limit=" + LIMIT;
    AtomicReference<String> page = new AtomicReference<>(first);
    while (!page.get().isEmpty()) {
      String now = page.get();
      Cost cost =
          server.counted.of(
              () -> {
                AdminServer.Answer answer = server.get(now);
                assertThat(answer.status()).as(now + answer).isEqualTo(200);
                String next = answer.json().get("next").asString("");
                page.set(next.isEmpty() ? "" : first + "&cursor=" + next);
              });
      table.saw(
          list.replace("sort=-", "sort=")
              .replaceAll("(?<!sort)=(?!(manual|vasa|scheduled)).*", "="),
          cost);
    }
  }
}
