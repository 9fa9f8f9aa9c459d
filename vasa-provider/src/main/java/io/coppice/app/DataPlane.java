package io.coppice.app;

import io.coppice.app.setting.AdvertisedAddresses;
import io.coppice.app.setting.CoppiceProperties;
import io.coppice.app.setting.Home;
import io.coppice.app.setting.StartupException;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.core.EngineOptions;
import io.coppice.engine.superblock.NewPool;
import io.coppice.engine.superblock.PoolFormat;
import io.coppice.iscsi.IscsiStartException;
import io.coppice.iscsi.IscsiTarget;
import io.coppice.iscsi.setting.IscsiSettings;
import io.coppice.scsi.ScsiTarget;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.scsi.limit.GroupLimits;
import io.coppice.scsi.secret.SecretBox;
import io.coppice.scsi.secret.SecretRecords;
import io.coppice.scsi.setting.LimitSettings;
import io.coppice.scsi.setting.MediumSettings;
import io.coppice.scsi.setting.NumberRest;
import io.coppice.scsi.setting.ScsiSettings;
import io.coppice.scsi.unit.Offloads;
import io.coppice.scsi.unit.ReachLog;
import io.coppice.scsi.unit.TrafficCounts;
import io.coppice.vasa.diagnosis.RoundTrips;
import io.coppice.vasa.replication.pairing.PeerRecords;
import io.coppice.vasa.volume.store.PoolAttributes;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// The data plane: the pool and the targets that serve it. Needs neither the database nor Spring.
final class DataPlane implements AutoCloseable {

  private final StorageEngine engine;
  private final ScsiTarget scsi;
  private final IscsiTarget iscsi;
  private final PeerRecords peers;

  private DataPlane(StorageEngine engine, ScsiTarget scsi, IscsiTarget iscsi, PeerRecords peers) {
    this.engine = engine;
    this.scsi = scsi;
    this.iscsi = iscsi;
    this.peers = peers;
  }

  /// An opener of pools. It makes the pool if the folder has none.
  @FunctionalInterface
  interface PoolOpener {

    /// @param asked the pool to make
    /// @param made receives the description of a new pool, if one was made
    /// @throws StorageException.PoolUnusable if it cannot be opened
    StorageEngine open(Path directory, NewPool asked, EngineOptions options, Consumer<String> made);
  }

  /// Opens the pool and serves it.
  ///
  /// @throws StartupException if the pool cannot be opened or the portal cannot listen; nothing is
  ///   left open
  static DataPlane open(
      CoppiceProperties properties, Home home, PoolOpener pools, StartupProgress stages) {
    Path directory = properties.poolDirectory().toAbsolutePath().normalize();
    StorageEngine engine;
    try {
      EngineOptions options = properties.engineOptions();
      NewPool asked = properties.newPool(PoolFormat.withDefaults(InstantSource.system().instant()));
      try (var _ = stages.await("the pool in %s to be open".formatted(directory))) {
        engine =
            pools.open(directory, asked, options, size -> stages.reached("pool made, " + size));
      }
    } catch (StorageException e) {
      throw new StartupException(
          "the pool in %s cannot be used: %s".formatted(directory, e.getMessage()), e);
    }
    engine.scrub().configure(properties.pool().scrub().settings());
    stages.reached(
        "pool %s open in %s, %d log records replayed"
            .formatted(engine.pool().id(), directory, engine.pool().recoveredRecords()));
    try {
      boolean sealed =
          SecretRecords.holdsSealed(engine.records()) || PeerRecords.any(engine.records());
      SecretBox secrets = home.chapSecrets(sealed);
      DataPlane plane = serve(engine, properties, secrets);
      stages.reached(
          "iSCSI target serves at "
              + String.join(", ", new AdvertisedAddresses(properties).portals(plane.portals())));
      return plane;
    } catch (RuntimeException e) {
      engine.close();
      throw e;
    }
  }

  private static DataPlane serve(
      StorageEngine engine, CoppiceProperties properties, SecretBox secrets) {
    CoppiceProperties.Iscsi settings = properties.iscsi();
    ScsiTarget scsi =
        ScsiTarget.open(
            engine,
            ScsiSettings.defaults()
                .withSecondaryIds(properties.vasa().secondaryId().form)
                .withSecrets(secrets)
                .withVolumeLimits(
                    LimitSettings.defaults().withGroupAttribute(PoolAttributes.MACHINE))
                .withTokenLimits(settings.copyTokens().limits())
                .withRest(NumberRest.defaults().withAtLeast(settings.freedNumberRest()))
                .withMedium(
                    new MediumSettings(
                        settings.physicalBlockSize(),
                        settings.writeSameToEnd(),
                        properties.pool().softThresholdPercent())));
    try {
      List<InetSocketAddress> listen =
          settings.listen().stream()
              .map(each -> new InetSocketAddress(each.address(), each.port()))
              .toList();
      int threads = Math.clamp(Runtime.getRuntime().availableProcessors(), 2, 8);
      IscsiTarget iscsi =
          IscsiTarget.start(
              new IscsiSettings(listen, advertised(settings), settings.limits(), threads),
              List.of(scsi.endpoints(), scsi.plain()),
              scsi.secrets());
      return new DataPlane(engine, scsi, iscsi, new PeerRecords(engine.records(), secrets));
    } catch (IscsiStartException e) {
      scsi.close();
      throw new StartupException("coppice.iscsi: %s".formatted(e.getMessage()), e);
    }
  }

  /// The advertised addresses. Each without a port gets that of its portal, not iSCSI's 3260.
  private static List<String> advertised(CoppiceProperties.Iscsi settings) {
    List<String> advertised = new ArrayList<>();
    for (int i = 0; i < settings.advertise().size(); i++) {
      int port = settings.listen().get(i).port();
      String address = settings.advertise().get(i);
      advertised.add(port == 0 ? address : AdvertisedAddresses.withPort(address, port));
    }
    return advertised;
  }

  StorageEngine engine() {
    return engine;
  }

  LunDirectory luns() {
    return scsi.luns();
  }

  /// The peers of the pool, with their keys unless the key of those is missing.
  PeerRecords peers() {
    return peers;
  }

  GroupLimits limits() {
    return scsi.limits();
  }

  Offloads offloads() {
    return scsi.offloadCounts();
  }

  TrafficCounts traffic() {
    return scsi.traffic();
  }

  ReachLog.ByVolume reaches() {
    return scsi.reaches();
  }

  /// The round trips of the sessions that use volumes.
  RoundTrips roundTrips() {
    return volume -> iscsi.longestRoundTrip(scsi.sessionsAt(volume));
  }

  IscsiTarget iscsi() {
    return iscsi;
  }

  List<InetSocketAddress> portals() {
    return iscsi.portals();
  }

  /// Closes transport, device server and pool, in this order, so that no admitted command is lost.
  @Override
  public void close() {
    iscsi.close();
    scsi.close();
    engine.close();
  }
}
