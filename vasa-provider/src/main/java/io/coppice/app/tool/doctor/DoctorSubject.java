package io.coppice.app.tool.doctor;

import io.coppice.app.pool.PoolLock;
import io.coppice.app.setting.CoppiceProperties;
import io.coppice.engine.check.PoolHead;
import io.coppice.engine.check.finding.NotCheckable;
import io.coppice.engine.device.DeviceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The provider under examination: its settings, and facts that several checks need. Each fact is
/// found out once.
public final class DoctorSubject implements AutoCloseable {

  private final CoppiceProperties settings;
  private final DoctorOptions options;
  private final InstantSource clock;
  private final Listeners listeners = Listeners.now();

  private @Nullable PoolLock lock;
  private @Nullable DatabaseFacts database;
  private @Nullable TlsAnswer served;
  private @Nullable TlsAnswer vcenter;

  DoctorSubject(CoppiceProperties settings, DoctorOptions options, InstantSource clock) {
    this.settings = settings;
    this.options = options;
    this.clock = clock;
  }

  /// The provider that runs on this machine with some settings, for other tools.
  public static DoctorSubject of(CoppiceProperties settings) {
    return new DoctorSubject(
        settings,
        new DoctorOptions(Optional.empty(), Optional.empty(), false, List.of()),
        InstantSource.system());
  }

  /// Whether a process has the pool open.
  public boolean isOpen() {
    return lock().held();
  }

  /// The process that has the pool open, if that can be seen.
  public OptionalLong pid() {
    return lock().pid();
  }

  /// The body of an answer to the administrator, at most 1 MiB of it.
  ///
  /// @throws IOException if there is none, or it is a refusal
  public String ask(String path) throws IOException {
    return askManagement(path)
        .orElseThrow(() -> new IOException("the provider cannot be asked from here"))
        .success();
  }

  CoppiceProperties settings() {
    return settings;
  }

  Instant now() {
    return clock.instant();
  }

  Path home() {
    return Path.of(settings.home()).toAbsolutePath().normalize();
  }

  Path poolDirectory() {
    return settings.poolDirectory().toAbsolutePath().normalize();
  }

  Path poolFile() {
    return poolDirectory().resolve("pool");
  }

  /// The pool's second copy, if it is to have one.
  Optional<Path> secondPoolFile() {
    return Optional.ofNullable(settings.poolMirror());
  }

  Listeners listeners() {
    return listeners;
  }

  /// The configured ports, by the setting that names each. Leaves out ports that may be any.
  Map<String, Integer> ports() {
    Map<String, Integer> ports = new TreeMap<>();
    List<CoppiceProperties.Listen> portals = settings.iscsi().listen();
    for (int i = 0; i < portals.size(); i++) {
      boolean one = settings.iscsi().portals().isEmpty();
      ports.put(
          one ? "coppice.iscsi.port" : "coppice.iscsi.portals[" + i + "]", portals.get(i).port());
    }
    ports.put("coppice.management.port", settings.management().port());
    ports.put("coppice.vasa.port", settings.vasa().port());
    ports.values().removeIf(port -> port == 0);
    return ports;
  }

  /// The lock of the pool, and its holder.
  PoolLock lock() {
    PoolLock known = lock;
    if (known == null) {
      boolean strangers =
          ports().values().stream()
              .flatMap(port -> listeners.at(port).stream())
              .anyMatch(listener -> listener.pid().isEmpty());
      known = PoolLock.of(poolDirectory().resolve("lock"), strangers);
      lock = known;
    }
    return known;
  }

  /// Whether the pool is locked by a process that listens at the configured ports, as far as that
  /// can be seen.
  boolean running() {
    PoolLock held = lock();
    if (!held.held()) {
      return false;
    }
    OptionalLong pid = held.pid();
    if (pid.isEmpty() || ports().isEmpty() || !listeners.knows(pid.getAsLong())) {
      return ports().values().stream().anyMatch(port -> listeners.at(port).isPresent());
    }
    return ports().values().stream()
        .flatMap(port -> listeners.at(port).stream())
        .anyMatch(listener -> listener.isOf(pid.getAsLong()));
  }

  /// The pool's own record of itself; empty if it cannot be read.
  Optional<PoolHead> head() {
    try {
      return Optional.of(PoolHead.read(poolFile()));
    } catch (NotCheckable | DeviceException e) {
      return Optional.empty();
    }
  }

  DatabaseFacts database() {
    DatabaseFacts known = database;
    if (known == null) {
      known = DatabaseFacts.of(settings.database(), home());
      database = known;
    }
    return known;
  }

  /// The name in the URL that vCenter uses, if it was given.
  Optional<String> nameInUrl() {
    return options.name().or(() -> settings.tls().names().stream().findFirst());
  }

  Optional<ServerAddress> vcenter() {
    return options.vcenter();
  }

  /// The VASA port's answer in a handshake and for version.xml.
  TlsAnswer served() throws IOException {
    TlsAnswer known = served;
    if (known == null) {
      known = TlsAnswer.ask(vasa(), "GET", "/vasa/version.xml", List.of());
      served = known;
    }
    return known;
  }

  /// The vCenter's answer.
  TlsAnswer askVcenter() throws IOException {
    TlsAnswer known = vcenter;
    if (known == null) {
      known = TlsAnswer.ask(options.vcenter().orElseThrow(), "HEAD", "/", List.of());
      vcenter = known;
    }
    return known;
  }

  /// The management port's answer to the administrator's token. Only the process that has the pool
  /// open gets the token.
  ///
  /// @return empty if it cannot be asked from here
  Optional<TlsAnswer> askManagement(String path) throws IOException {
    Path token = home().resolve("admin.token");
    OptionalLong holder = lock().pid();
    boolean ours =
        holder.isPresent()
            && listeners
                .at(settings.management().port())
                .filter(at -> at.isOf(holder.getAsLong()))
                .isPresent();
    if (!ours || !Files.isReadable(token)) {
      return Optional.empty();
    }
    return Optional.of(new ManagementPort(management(), token).answer(path));
  }

  ServerAddress vasa() {
    return ServerAddress.listening(settings.vasa().address(), settings.vasa().port());
  }

  ServerAddress management() {
    return ServerAddress.listening(settings.management().address(), settings.management().port());
  }

  /// The first portal.
  ServerAddress iscsi() {
    CoppiceProperties.Listen first = settings.iscsi().listen().getFirst();
    return ServerAddress.listening(first.address(), first.port());
  }

  @Override
  public void close() {
    if (database != null) {
      database.close();
    }
  }
}
