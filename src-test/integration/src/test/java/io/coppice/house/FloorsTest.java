package io.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// The floors of each module, from the ground up: a package may know those on floors below its own.
/// `docs/architecture.md` draws them.
class FloorsTest {

  private static final JavaClasses PRODUCT =
      new ClassFileImporter()
          .withImportOption(new WithoutTests())
          .importPackages(
              "io.coppice.engine",
              "io.coppice.scsi",
              "io.coppice.iscsi",
              "io.coppice.replication",
              "io.coppice.vasa",
              "io.coppice.api",
              "io.coppice.admin",
              "io.coppice.cli",
              "io.coppice.app");

  /// The packages of a module by floor; the module's own package is ".".
  private record House(String module, List<Set<String>> floors) {}

  private static final List<House> HOUSES =
      List.of(
          new House(
              "io.coppice.engine",
              List.of(
                  Set.of("status", "range", "journal", "thread", "files", "check.finding"),
                  Set.of(".", "device", "watch"),
                  Set.of("format", "device.mirror"),
                  Set.of("format.table"),
                  Set.of("log", "map", "segment", "superblock", "check"),
                  Set.of("family", "supply", "timeline"),
                  Set.of("state"),
                  Set.of("io", "checkpoint", "clean"),
                  Set.of("change", "recovery"),
                  Set.of("scrub"),
                  Set.of("mirror"),
                  Set.of("core"))),
          new House(
              "io.coppice.scsi",
              List.of(
                  Set.of("sense", "secret"),
                  Set.of("reservation"),
                  Set.of("cdb"),
                  Set.of("page"),
                  Set.of("parameter", "transport"),
                  Set.of("directory", "setting"),
                  Set.of("directory.pool", "limit"),
                  Set.of("unit"),
                  Set.of("task"),
                  Set.of("copy"),
                  Set.of("command"),
                  Set.of("."))),
          new House(
              "io.coppice.iscsi",
              List.of(
                  Set.of("pdu", "setting"),
                  Set.of("connection", "login"),
                  Set.of("command"),
                  Set.of("session"),
                  Set.of("."))),
          new House(
              "io.coppice.replication",
              List.of(
                  Set.of("."),
                  Set.of("message"),
                  Set.of("link", "replica"),
                  Set.of("intake", "source"))),
          new House(
              "io.coppice.vasa",
              List.of(
                  Set.of("actor", "fault", "history.file", "sort", "step", "time", "viewer"),
                  Set.of("audit"),
                  Set.of("audit.syslog", "event"),
                  Set.of(
                      "certificate",
                      "diagnosis",
                      "gate",
                      "pool",
                      "protection.rule",
                      "replication",
                      "statistics",
                      "task"),
                  Set.of("approval", "container", "policy", "session", "volume.operation"),
                  Set.of("volume"),
                  Set.of("volume.store"),
                  Set.of("volume.space", "volume.timeline"),
                  Set.of("replication.pairing", "volume.bin"),
                  Set.of(
                      "history",
                      "replication.link",
                      "volume.copy",
                      "volume.lifecycle",
                      "volume.policy"),
                  Set.of(
                      "inventory", "protection.continuous", "replication.group", "volume.snapshot"),
                  Set.of("replication.lag"),
                  Set.of("alarm", "binding", "export", "protection"),
                  Set.of(
                      "alert",
                      "export.temporary",
                      "recovery",
                      "replication.partner",
                      "replication.runbook",
                      "watch"),
                  Set.of("alert.delivery", "alert.source", "housekeeping", "verdict"),
                  Set.of("soap.value"),
                  Set.of("soap.argument", "soap.audit", "soap.fault"),
                  Set.of("soap.translate"),
                  Set.of("soap.operation"),
                  Set.of("soap"))),
          new House(
              "io.coppice.api",
              List.of(
                  Set.of("."),
                  Set.of(
                      "account",
                      "alert",
                      "audit",
                      "bin",
                      "history",
                      "iscsi",
                      "job",
                      "policy",
                      "protection",
                      "scrub",
                      "search",
                      "system",
                      "timeline",
                      "volume",
                      "watch"),
                  Set.of("host", "replication", "runbook"))),
          new House(
              "io.coppice.admin",
              List.of(
                  Set.of(".", "problem"),
                  Set.of("access", "field", "health", "ui"),
                  Set.of("login"),
                  Set.of("outside"),
                  Set.of("directory", "openid"),
                  Set.of("edition", "list"),
                  Set.of("request"),
                  Set.of(
                      "account",
                      "alert",
                      "audit",
                      "description",
                      "host",
                      "job",
                      "metrics",
                      "policy",
                      "protection",
                      "replication",
                      "runbook",
                      "system"),
                  Set.of("event", "volume"),
                  Set.of("history", "iscsi", "search"))),
          new House(
              "io.coppice.cli",
              List.of(
                  Set.of("failure"),
                  Set.of("output"),
                  Set.of("line", "profile"),
                  Set.of("rest"),
                  Set.of("verb"),
                  Set.of("timeline", "noun.event"),
                  Set.of("command", "noun"),
                  Set.of("."))),
          new House(
              "io.coppice.app",
              List.of(
                  Set.of("notice", "pool", "setting"),
                  Set.of("database", "tls"),
                  Set.of("port", "tool.doctor", "tool.trail"),
                  Set.of("."),
                  Set.of("tool.backup", "tool.bundle"),
                  Set.of("tool"))));

  @TestFactory
  Stream<DynamicTest> aPackageKnowsThoseOnFloorsBelowItsOwn() {
    return HOUSES.stream().map(house -> DynamicTest.dynamicTest(house.module, () -> check(house)));
  }

  private static void check(House house) {
    Map<String, Integer> floorOf = new HashMap<>();
    for (int floor = 0; floor < house.floors.size(); floor++) {
      for (String room : house.floors.get(floor)) {
        floorOf.put(room, floor);
      }
    }
    Set<String> missing = new TreeSet<>();
    Set<String> upwards = new TreeSet<>();
    Set<String> seen = new TreeSet<>();
    for (JavaClass from : PRODUCT) {
      String room = roomOf(house, from);
      if (room == null) {
        continue;
      }
      seen.add(room);
      if (!floorOf.containsKey(room)) {
        missing.add(room);
        continue;
      }
      for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
        String other = roomOf(house, dependency.getTargetClass().getBaseComponentType());
        if (other != null
            && !other.equals(room)
            && floorOf.getOrDefault(other, -1) >= floorOf.get(room)) {
          upwards.add("%s -> %s: %s".formatted(room, other, dependency.getDescription()));
        }
      }
    }

    assertThat(missing).as("packages of %s without a floor here", house.module).isEmpty();
    assertThat(upwards).as("dependencies that do not go down a floor").isEmpty();
    assertThat(seen).as("floors of packages that are there").containsAll(floorOf.keySet());
  }

  private static @Nullable String roomOf(House house, JavaClass type) {
    String name = type.getPackageName();
    if (name.equals(house.module)) {
      return ".";
    }
    return name.startsWith(house.module + ".") ? name.substring(house.module.length() + 1) : null;
  }
}
