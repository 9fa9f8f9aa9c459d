package io.coppice.scsi;

import io.coppice.engine.OperationId;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpec;
import io.coppice.engine.testing.MemoryEngine;
import io.coppice.scsi.directory.Binding;
import io.coppice.scsi.directory.HostId;
import io.coppice.scsi.directory.LunDirectory;
import io.coppice.scsi.limit.LimiterTimer;
import io.coppice.scsi.setting.ScsiSettings;
import java.util.Optional;
import java.util.Set;

/// A pool in memory with one host, and a target over it.
final class Fixture implements AutoCloseable {

  static final String ESX = "iqn.1998-01.com.vmware:esx1";
  static final String OTHER = "iqn.1998-01.com.vmware:esx2";
  static final HostId HOST = new HostId("host-1");
  static final HostId OTHER_HOST = new HostId("host-2");
  static final String LUN_0 = "0000000000000000";

  final StorageEngine engine;
  final ScsiTarget target;

  Fixture() {
    this(new MemoryEngine(), ScsiSettings.defaults());
  }

  Fixture(StorageEngine engine, ScsiSettings settings) {
    this(engine, ScsiTarget.open(engine, settings));
  }

  /// Over time that stands still until the test moves it.
  Fixture(StorageEngine engine, LimiterTimer alarm) {
    this(engine, ScsiSettings.defaults(), alarm);
  }

  Fixture(StorageEngine engine, ScsiSettings settings, LimiterTimer alarm) {
    this(engine, ScsiTarget.open(engine, settings, alarm));
  }

  /// Over a target that is open already.
  Fixture(StorageEngine engine, ScsiTarget target) {
    this.engine = engine;
    this.target = target;
    luns().declareHost(op(), HOST, Set.of(ESX));
    luns().declareHost(op(), OTHER_HOST, Set.of(OTHER));
  }

  static OperationId op() {
    return OperationId.random();
  }

  LunDirectory luns() {
    return target.luns();
  }

  /// A thin volume.
  VolumeId volume(long sizeInBytes) {
    VolumeId id = VolumeId.random();
    engine.create(op(), VolumeSpec.thin(id, sizeInBytes));
    return id;
  }

  /// A thin volume exported to both initiators at the lowest free LUN.
  VolumeId exported(long sizeInBytes) {
    VolumeId id = volume(sizeInBytes);
    luns().export(op(), id, Optional.empty(), false, Set.of(ESX, OTHER));
    return id;
  }

  Binding bound(VolumeId volume) {
    return luns().bind(op(), HOST, volume, Set.of());
  }

  /// An initiator at the plain target that has seen its unit attentions of LUN 0.
  Initiator plain() {
    Initiator initiator = new Initiator(target.plain(), ESX);
    initiator.settle(LUN_0);
    return initiator;
  }

  /// An initiator at the target with the endpoints.
  Initiator endpoints() {
    return new Initiator(target.endpoints(), ESX);
  }

  @Override
  public void close() {
    target.close();
    engine.close();
  }
}
