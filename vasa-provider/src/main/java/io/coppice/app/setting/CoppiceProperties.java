package io.coppice.app.setting;

import static io.coppice.app.setting.SettingRange.within;

import io.coppice.admin.directory.LdapSettings;
import io.coppice.admin.login.LoginSettings;
import io.coppice.admin.metrics.MetricsSettings;
import io.coppice.admin.openid.OpenIdSettings;
import io.coppice.engine.ScrubSettings;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.device.DeviceIo;
import io.coppice.engine.device.DeviceSettings;
import io.coppice.engine.superblock.NewPool;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.engine.supply.Provisioning;
import io.coppice.iscsi.setting.IscsiLimits;
import io.coppice.iscsi.setting.IscsiTimeouts;
import io.coppice.replication.Cycle;
import io.coppice.scsi.setting.TokenLimits;
import io.coppice.scsi.transport.SecondaryIdForm;
import io.coppice.vasa.alarm.AlarmSettings;
import io.coppice.vasa.binding.BindingChangeSettings;
import io.coppice.vasa.diagnosis.DiagnosisSettings;
import io.coppice.vasa.event.EventSettings;
import io.coppice.vasa.export.temporary.TemporarySettings;
import io.coppice.vasa.history.RecordingSettings;
import io.coppice.vasa.housekeeping.OrphanSettings;
import io.coppice.vasa.session.SessionLimits;
import io.coppice.vasa.statistics.StatisticsSettings;
import io.coppice.vasa.time.ClockSettings;
import io.coppice.vasa.watch.WatchSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.util.unit.DataSize;

/// Every setting, as `config/application.yaml` describes it. The defaults stand in that file.
@ConfigurationProperties("coppice")
public record CoppiceProperties(
    String home,
    Pool pool,
    Iscsi iscsi,
    Tls tls,
    Vasa vasa,
    Management management,
    LoginSettings accounts,
    MetricsSettings metrics,
    DiagnosisSettings diagnosis,
    HistoryFolder history,
    AuditProperties audit,
    LdapSettings ldap,
    OpenIdSettings openid,
    AlertProperties alerts,
    BinProperties bin,
    ReplicationProperties replication,
    WatchSettings watch,
    SupportLimits support,
    Database database) {

  /// @param capacity null: half of what the file system has free
  public record Pool(
      String directory,
      String mirror,
      boolean startDegraded,
      @Nullable DataSize capacity,
      boolean thin,
      DataSize mapMemory,
      DeviceIo deviceIo,
      boolean bufferedIo,
      Duration deviceDeadline,
      int softThresholdPercent,
      Prepare prepare,
      Scrub scrub) {
    public Pool {
      within("pool.soft-threshold-percent", softThresholdPercent, 0, 99);
      if (capacity != null) {
        within("pool.capacity", capacity, DataSize.ofMegabytes(256), DataSize.ofTerabytes(64));
      }
      within("pool.map-memory", mapMemory, DataSize.ofMegabytes(16), DataSize.ofGigabytes(512));
      within(
          "pool.device-deadline",
          deviceDeadline,
          DeviceSettings.MIN_DEADLINE,
          DeviceSettings.MAX_DEADLINE);
    }

    public DeviceSettings device() {
      return new DeviceSettings(deviceIo, bufferedIo, deviceDeadline);
    }
  }

  /// The part of the pool's file that is written once before the log comes to it.
  public record Prepare(DataSize ahead, int deviceTimePercent, boolean all) {
    public Prepare {
      within("pool.prepare.ahead", ahead, DataSize.ofBytes(0), DataSize.ofTerabytes(64));
      within("pool.prepare.device-time-percent", deviceTimePercent, 1, 100);
    }
  }

  /// The interval between reads of the whole pool, and their share of the device's time.
  public record Scrub(Duration period, int deviceTimePercent) {
    public Scrub {
      if (!period.isZero()) {
        within("pool.scrub.period", period, Duration.ofHours(1), Duration.ofDays(365));
      }
      within("pool.scrub.device-time-percent", deviceTimePercent, 1, 100);
    }

    public ScrubSettings settings() {
      return new ScrubSettings(period, deviceTimePercent);
    }
  }

  public record Iscsi(
      String address,
      int port,
      List<String> portals,
      List<String> advertise,
      int physicalBlockSize,
      boolean writeSameToEnd,
      Duration freedNumberRest,
      int connections,
      Waits waits,
      CopyTokens copyTokens) {
    public Iscsi {
      portals = List.copyOf(portals);
      advertise = advertise.stream().filter(each -> !each.isBlank()).toList();
      if (!advertise.isEmpty() && advertise.size() != Math.max(1, portals.size())) {
        throw new IllegalArgumentException(
            "coppice.iscsi.advertise: expected as many addresses as there are portals, got "
                + advertise);
      }
      if (physicalBlockSize != 512 && physicalBlockSize != 4096) {
        throw new IllegalArgumentException(
            "expected coppice.iscsi.physical-block-size 512 or 4096, got " + physicalBlockSize);
      }
      within("iscsi.port", port, 0, 65535);
      within("iscsi.freed-number-rest", freedNumberRest, Duration.ofHours(1), Duration.ofDays(30));
      within("iscsi.connections", connections, 16, 65536);
    }

    /// The limits of initiators.
    public IscsiLimits limits() {
      return IscsiLimits.defaults().withConnections(connections).withWaits(waits.inMilliseconds());
    }

    /// Every address to listen at.
    public List<Listen> listen() {
      return portals.isEmpty()
          ? List.of(new Listen(address, port))
          : portals.stream().map(Listen::parse).toList();
    }
  }

  /// The times for which the target waits for an initiator.
  public record Waits(
      Duration login,
      Duration discovery,
      Duration ping,
      Duration output,
      Duration dataOut,
      Duration logout) {
    public Waits {
      bounded("login", login);
      bounded("discovery", discovery);
      bounded("ping", ping);
      bounded("output", output);
      bounded("data-out", dataOut);
      bounded("logout", logout);
    }

    private static void bounded(String key, Duration value) {
      within("iscsi.waits." + key, value, Duration.ofSeconds(1), Duration.ofHours(1));
    }

    IscsiTimeouts inMilliseconds() {
      return new IscsiTimeouts(
          (int) login.toMillis(),
          (int) discovery.toMillis(),
          (int) ping.toMillis(),
          (int) output.toMillis(),
          (int) dataOut.toMillis(),
          (int) logout.toMillis());
    }
  }

  /// ROD tokens: how many there may be; how long an unused one stays if it asks for no other time;
  /// how long one may ask for at most; and how long one stays though it is used.
  public record CopyTokens(int most, Duration timeout, Duration longestTimeout, Duration lifetime) {
    public CopyTokens {
      within("iscsi.copy-tokens.most", most, 1, 4096);
      within(
          "iscsi.copy-tokens.longest-timeout",
          longestTimeout,
          Duration.ofSeconds(1),
          Duration.ofHours(1));
      within("iscsi.copy-tokens.timeout", timeout, Duration.ofSeconds(1), longestTimeout);
      within("iscsi.copy-tokens.lifetime", lifetime, longestTimeout, Duration.ofDays(7));
    }

    /// The limits. Initiators receive whole seconds.
    public TokenLimits limits() {
      return TokenLimits.defaults()
          .withTokens(most)
          .withTimes(
              (int) timeout.toSeconds(),
              (int) longestTimeout.toSeconds(),
              (int) lifetime.toSeconds());
    }
  }

  /// An address to listen at.
  public record Listen(String address, int port) {

    /// @param text `address:port`, an IPv6 address in brackets
    public static Listen parse(String text) {
      int colon = text.lastIndexOf(':');
      String server = colon < 0 ? "" : text.substring(0, colon);
      boolean bracketed = server.startsWith("[") && server.endsWith("]");
      String bare = bracketed ? server.substring(1, server.length() - 1) : server;
      String digits = text.substring(colon + 1);
      if (bare.isEmpty() || bare.contains(":") != bracketed || !digits.matches("[0-9]{1,5}")) {
        throw new IllegalArgumentException(
            "coppice.iscsi.portals: expected address:port such as 10.0.0.1:3260 or [fd00::1]:3260,"
                + " got "
                + text);
      }
      int port = Integer.parseInt(digits);
      within("iscsi.portals", port, 0, 65535);
      return new Listen(bare, port);
    }
  }

  public record Tls(List<String> names, int validityDays) {
    public Tls {
      within("tls.validity-days", validityDays, 1, 3650);
    }
  }

  public record Management(
      String address,
      int port,
      Duration requestTime,
      int connectionsPerAddress,
      int eventsKept,
      int eventStreams,
      Duration figuresInterval) {
    public Management {
      within("management.port", port, 0, 65535);
      within("management.request-time", requestTime, Duration.ofSeconds(1), Duration.ofHours(1));
      within("management.connections-per-address", connectionsPerAddress, 2, 8192);
      within("management.events-kept", eventsKept, 100, 10_000_000);
      within("management.event-streams", eventStreams, 1, 10_000);
      within(
          "management.figures-interval",
          figuresInterval,
          Duration.ofMillis(500),
          Duration.ofMinutes(1));
    }

    public ConnectionLimits ofConnections() {
      return new ConnectionLimits(connectionsPerAddress, requestTime);
    }
  }

  /// The history of rates, latencies and space.
  public record HistoryFolder(
      boolean enabled, String folder, DataSize disk, DataSize memory, DataSize spare) {
    public HistoryFolder {
      within("history.disk", disk, DataSize.ofMegabytes(16), DataSize.ofTerabytes(1));
      within("history.memory", memory, DataSize.ofMegabytes(32), DataSize.ofGigabytes(16));
      within("history.spare", spare, DataSize.ofBytes(0), DataSize.ofTerabytes(1));
    }

    public RecordingSettings settings() {
      return new RecordingSettings(enabled, disk.toBytes(), memory.toBytes(), spare.toBytes());
    }
  }

  /// A rule for the certificate that the VASA port serves after a registration.
  public enum CertificateMode {
    RETAIN,
    VCENTER_SIGNED
  }

  /// Form of a bound vVol's secondary id.
  public enum SecondaryId {
    EXTENDED(SecondaryIdForm.EXTENDED_FLAT),
    SIMPLE(SecondaryIdForm.SIMPLE),
    LONG(SecondaryIdForm.LONG_EXTENDED);

    public final SecondaryIdForm form;

    SecondaryId(SecondaryIdForm form) {
      this.form = form;
    }
  }

  public record Vasa(
      String address,
      int port,
      String userName,
      CertificateMode certificate,
      @Name("version-1") Version1 version1,
      @Name("version-3") Version3 version3,
      String versionDocument,
      String name,
      SecondaryId secondaryId,
      String wireTrace,
      SessionLimits sessions,
      Limits limits,
      EventSettings events,
      AlarmSettings alarms,
      StatisticsSettings statistics,
      BindingChangeSettings bindingChange,
      TaskLimits tasks,
      ProtectionProperties protection,
      TemporarySettings temporaryExports,
      OrphanSettings orphans,
      ClockSettings clock) {
    public Vasa {
      within("vasa.port", port, 0, 65535);
      if (userName.isBlank()) {
        throw new IllegalArgumentException("coppice.vasa.user-name: expected a name, got none");
      }
      if (name.length() > Cycle.MAX_NAME) { // peers know the pool by it
        throw new IllegalArgumentException(
            "coppice.vasa.name: expected at most %d characters, got %d"
                .formatted(Cycle.MAX_NAME, name.length()));
      }
      within(
          "vasa.binding-change.kept",
          bindingChange.kept(),
          Duration.ofMinutes(1),
          Duration.ofDays(30));
      within(
          "vasa.temporary-exports.longest",
          temporaryExports.longest(),
          Duration.ofMinutes(1),
          Duration.ofDays(365));
      within(
          "vasa.temporary-exports.kept",
          temporaryExports.kept(),
          Duration.ofMinutes(1),
          temporaryExports.longest());
      within("vasa.temporary-exports.most", temporaryExports.most(), 1, 1000);
      within("vasa.orphans.after", orphans.after(), Duration.ofMinutes(1), Duration.ofDays(3650));
      within(
          "vasa.clock.largest-step",
          clock.largestStep(),
          Duration.ofSeconds(10),
          Duration.ofHours(1));
      within(
          "vasa.clock.counted-outage",
          clock.countedOutage(),
          Duration.ofMinutes(10),
          Duration.ofDays(365));
    }
  }

  /// Limits to what a call does itself and what goes on behind it, and the time for which remains
  /// of calls are kept.
  public record TaskLimits(
      DataSize copyInCall,
      Duration kept,
      Duration preparedSnapshotsKept,
      Duration preparedSnapshotsLifetime,
      Duration volumePatience) {
    public TaskLimits {
      within(
          "vasa.tasks.copy-in-call", copyInCall, DataSize.ofMegabytes(1), DataSize.ofTerabytes(64));
      within("vasa.tasks.kept", kept, Duration.ofMinutes(10), Duration.ofDays(365));
      within(
          "vasa.tasks.prepared-snapshots-kept",
          preparedSnapshotsKept,
          Duration.ofMinutes(1),
          Duration.ofDays(30));
      within(
          "vasa.tasks.prepared-snapshots-lifetime",
          preparedSnapshotsLifetime,
          Duration.ofHours(1),
          Duration.ofDays(30));
      within(
          "vasa.tasks.volume-patience",
          volumePatience,
          Duration.ofSeconds(1),
          Duration.ofMinutes(10));
    }
  }

  /// VASA 1.0, beside 2.0 at a path of its own.
  public record Version1(boolean offered) {}

  /// VASA 3.0, whose form on the wire is reconstructed.
  ///
  /// @param version as it stands in version.xml and in `vasaApiVersion`
  public record Version3(boolean offered, String version, String namespace) {
    public Version3 {
      for (String value : List.of(version, namespace)) {
        if (!value.matches("[\\x21-\\x7e&&[^<>&\"']]+")) {
          throw new IllegalArgumentException(
              "coppice.vasa.version-3: expected printable ASCII characters without < > & and"
                  + " quotes,"
                  + " got '%s'".formatted(value));
        }
      }
    }
  }

  public record Limits(
      DataSize requestSize,
      Duration requestTime,
      int requestDepth,
      int requestElements,
      int callsWithoutSession,
      int connectionsPerAddress) {
    public Limits {
      within(
          "vasa.limits.request-size",
          requestSize,
          DataSize.ofKilobytes(64),
          DataSize.ofMegabytes(256));
      within("vasa.limits.request-time", requestTime, Duration.ofSeconds(1), Duration.ofHours(1));
      within("vasa.limits.request-depth", requestDepth, 10, 1000);
      within("vasa.limits.request-elements", requestElements, 100, 1_000_000);
      within("vasa.limits.calls-without-session", callsWithoutSession, 10, 1024);
      within("vasa.limits.connections-per-address", connectionsPerAddress, 2, 8192);
    }

    public ConnectionLimits ofConnections() {
      return new ConnectionLimits(connectionsPerAddress, requestTime);
    }
  }

  public record Database(
      String url,
      String user,
      String password,
      String passwordFile,
      boolean requireDurable,
      boolean rebuild,
      int connections,
      Duration patience) {
    public Database {
      within("database.connections", connections, 2, 100);
      within("database.patience", patience, Duration.ofMillis(250), Duration.ofSeconds(60));
    }

    public boolean embedded() {
      return url.isBlank();
    }
  }

  /// File of the pool's second copy; null if it is kept once.
  public @Nullable Path poolMirror() {
    return pool.mirror().isBlank() ? null : Path.of(pool.mirror());
  }

  /// The way in which the pool's files get their place. A sparse file is written only where needed.
  public Provisioning provisioning() {
    Prepare prepare = pool.prepare();
    return pool.thin()
        ? Provisioning.sparse()
        : new Provisioning(
            false, prepare.ahead().toBytes(), prepare.deviceTimePercent(), prepare.all());
  }

  /// The pool to make if there is none.
  public NewPool newPool(PoolFormat format) {
    DataSize capacity = pool.capacity();
    return new NewPool(
        capacity == null ? 0 : capacity.toBytes(), pool.thin(), poolMirror(), format);
  }

  /// The way in which a pool is opened.
  public EngineOptions engineOptions() {
    return EngineOptions.defaults()
        .withMapMemoryBytes(pool.mapMemory().toBytes())
        .withDevice(pool.device())
        .withMirror(poolMirror())
        .withStartsDegraded(pool.startDegraded())
        .withProvisioning(provisioning());
  }

  /// The folder of the pool.
  public Path poolDirectory() {
    return pool.directory().isBlank() ? Path.of(home).resolve("pool") : Path.of(pool.directory());
  }
}
