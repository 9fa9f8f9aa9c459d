package io.coppice.vasa.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.engine.OperationId;
import io.coppice.engine.PoolRecords;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.scsi.ScsiTarget;
import io.coppice.scsi.directory.Export;
import io.coppice.scsi.directory.ExportRequest;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.vasa.event.ChangeLog;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.AbstractDataSource;

/// Crashes at every record that a change of hosts, groups and exports writes. After the next start
/// each export is for whom its records say, and no audience is without an export.
class PlainHostsCrashTest {

  private static final String A = "iqn.2026-11.crash:a";
  private static final String B = "iqn.2026-11.crash:b";
  private static final String C = "iqn.2026-11.crash:c";

  /// A volume that is not exported at first.
  private static final VolumeId SPARE = VolumeId.random();

  private final StorageEngine engine = new MemoryEngine();

  /// Records that are still written before the process ends.
  private int left = Integer.MAX_VALUE;

  private boolean afterEffect;

  /// A process over the pool: it knows nothing but the records.
  private final class Process implements AutoCloseable {

    final ScsiTarget target;
    final PlainHosts hosts;

    Process() {
      StorageEngine ending = ending();
      target = ScsiTarget.open(ending, ScsiSettings.defaults());
      hosts = new PlainHosts(ending, target.luns(), withoutDatabase());
    }

    Export export(VolumeId volume, ExportAudience audience) {
      return hosts.export(
          volume,
          audience,
          all ->
              target
                  .luns()
                  .export(
                      OperationId.random(),
                      new ExportRequest(volume, Optional.empty(), false, all, false)));
    }

    PlainHost host(String name) {
      return hosts.hosts().stream().filter(it -> it.name().equals(name)).findFirst().orElseThrow();
    }

    HostGroup group() {
      return hosts.groups().getFirst();
    }

    VolumeId exported() {
      return target.luns().exports().getFirst().volume();
    }

    @Override
    public void close() {
      target.close();
    }
  }

  private record Change(String name, Consumer<Process> make) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Change> changes() {
    return Stream.of(
        new Change(
            "a host gets one initiator for another",
            it -> it.hosts.changeHost(it.host("one").id(), Optional.empty(), _ -> Set.of(C))),
        new Change(
            "a group gets a host",
            it ->
                it.hosts.changeGroup(
                    it.group().id(),
                    Optional.empty(),
                    _ -> Set.of(it.host("one").id(), it.host("two").id()))),
        new Change(
            "a group loses its host",
            it -> it.hosts.changeGroup(it.group().id(), Optional.empty(), _ -> Set.of())),
        new Change(
            "an export gets a host",
            it -> it.hosts.change(it.exported(), now -> now.withHost(it.host("two").id()))),
        new Change(
            "an export loses its group",
            it -> it.hosts.change(it.exported(), now -> now.withoutGroup(it.group().id()))),
        new Change(
            "an export ends",
            it -> {
              VolumeId volume = it.exported();
              it.hosts.end(volume, () -> it.target.luns().unexport(OperationId.random(), volume));
            }),
        new Change(
            "an export is made",
            it ->
                it.export(
                    SPARE, new ExportAudience(Set.of(), Set.of(it.host("two").id()), Set.of()))));
  }

  @ParameterizedTest
  @MethodSource("changes")
  void exportsAreForWhomTheRecordsSayAfterACrash(Change change) {
    int points = 0;
    for (boolean after : new boolean[] {false, true}) {
      for (int records = 0; ; records++) {
        PlainHostsCrashTest round = new PlainHostsCrashTest();
        if (!round.crashes(change, records, after)) {
          break;
        }
        round.restartAndCheck();
        points++;
      }
    }
    assertThat(points).as("crash points").isGreaterThanOrEqualTo(4);
  }

  /// @return false if the change ended before the crash
  private boolean crashes(Change change, int records, boolean after) {
    VolumeId volume = VolumeId.random();
    engine.create(OperationId.random(), VolumeSpec.thin(volume, 1 << 20));
    engine.create(OperationId.random(), VolumeSpec.thin(SPARE, 1 << 20));
    Process process = new Process();
    PlainHost one = process.hosts.createHost("one", Set.of(A));
    process.hosts.createHost("two", Set.of(B));
    HostGroup group = process.hosts.createGroup("group", Set.of(one.id()));
    process.export(volume, new ExportAudience(Set.of(), Set.of(), Set.of(group.id())));
    left = records;
    afterEffect = after;
    try {
      change.make().accept(process);
      return false;
    } catch (Ended e) {
      return true;
    }
  }

  private void restartAndCheck() {
    left = Integer.MAX_VALUE;
    try (Process process = new Process()) {
      process.hosts.agree();
      Map<VolumeId, ExportAudience> audiences = new HostRecords(engine.records()).audiences();
      Audiences all = Audiences.of(new HostRecords(engine.records()));
      for (Map.Entry<VolumeId, ExportAudience> entry : audiences.entrySet()) {
        Export export = process.target.luns().exportOf(entry.getKey()).orElseThrow();
        assertThat(export.initiators()).isEqualTo(all.initiatorsOf(entry.getValue()));
      }
      for (Export export : process.target.luns().exports()) {
        ExportAudience audience = process.hosts.audienceOf(export);
        assertThat(export.initiators()).isEqualTo(all.initiatorsOf(audience));
      }
    }
  }

  private static final class Ended extends Error {
    private static final long serialVersionUID = 1L;
  }

  /// The engine, which ends the process at a record.
  private StorageEngine ending() {
    PoolRecords records = proxy(PoolRecords.class, engine.records(), "apply");
    return (StorageEngine)
        Proxy.newProxyInstance(
            StorageEngine.class.getClassLoader(),
            new Class<?>[] {StorageEngine.class},
            (_, method, arguments) -> {
              if (method.getName().equals("records")) {
                return records;
              }
              try {
                return method.invoke(engine, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private <T> T proxy(Class<T> type, T real, String counted) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              boolean last = method.getName().equals(counted) && left-- <= 0;
              if (last && !afterEffect) {
                throw new Ended();
              }
              try {
                Object result = method.invoke(real, arguments);
                if (last) {
                  throw new Ended();
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  /// A log of changes whose database is away: that changes nothing of the hosts.
  private static ChangeLog withoutDatabase() {
    DataSource away =
        new AbstractDataSource() {
          @Override
          public Connection getConnection() throws SQLException {
            throw new SQLException("the database is away");
          }

          @Override
          public Connection getConnection(String user, String password) throws SQLException {
            return getConnection();
          }
        };
    return new ChangeLog(JdbcClient.create(away), InstantSource.system());
  }
}
