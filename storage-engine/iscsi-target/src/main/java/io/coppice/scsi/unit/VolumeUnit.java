package io.coppice.scsi.unit;

import io.coppice.engine.Volume;
import io.coppice.engine.VolumeKind;
import io.coppice.scsi.limit.UnitLimiter;
import io.coppice.scsi.page.ModePages;
import io.coppice.scsi.page.NetworkAddress;
import io.coppice.scsi.setting.MediumSettings;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A volume as a logical unit: a bound vVol or a plain LUN.
public final class VolumeUnit implements LogicalUnit {

  /// Bytes of a logical block.
  public static final int BLOCK_SIZE = MediumSettings.LOGICAL_BLOCK_IN_BYTES;

  /// 2^3 logical blocks are a physical block of 4 KiB.
  public static final int PHYSICAL_EXPONENT = 3;

  private final Volume volume;
  private volatile boolean readOnly;
  private volatile boolean suspended;
  private final NetworkAddress naa;
  private final UnitReservations reservations;
  private final UnitLimiter limiter;
  private final SoftThreshold threshold;
  private volatile ModePages.Control control = ModePages.Control.DEFAULT;

  private final ReadsAndWrites traffic;
  private final ReachLog reached;
  private final OffloadLedger ledger = new OffloadLedger();

  /// Parts of copies that run for a command at some other unit.
  private final TaskSet copies = new TaskSet();

  VolumeUnit(
      Volume volume,
      NetworkAddress naa,
      UnitReservations reservations,
      UnitLimiter limiter,
      SoftThreshold threshold,
      ReadsAndWrites traffic,
      ReachLog reached) {
    this.reached = reached;
    this.traffic = traffic;
    this.threshold = threshold;
    this.limiter = limiter;
    this.reservations = reservations;
    this.volume = volume;
    this.readOnly = volume.kind() == VolumeKind.SNAPSHOT;
    this.naa = naa;
  }

  public Volume volume() {
    return volume;
  }

  public boolean isReadOnly() {
    return readOnly;
  }

  /// @param asked whether writes are refused even if the volume would take them
  void readOnly(boolean asked) {
    readOnly = asked || volume.kind() == VolumeKind.SNAPSHOT;
  }

  /// Whether commands to the medium are answered BUSY because its content is being replaced.
  public boolean isSuspended() {
    return suspended;
  }

  void suspended(boolean hold) {
    suspended = hold;
  }

  public ReadsAndWrites traffic() {
    return traffic;
  }

  /// Who has sent commands to it.
  public ReachLog reached() {
    return reached;
  }

  public OffloadLedger ledger() {
    return ledger;
  }

  public TaskSet copies() {
    return copies;
  }

  public long blocks() {
    return volume.sizeInBytes() / BLOCK_SIZE;
  }

  @Override
  public NetworkAddress naa() {
    return naa;
  }

  @Override
  public UUID uuid() {
    return volume.id().value();
  }

  @Override
  public long sizeInBytes() {
    return volume.sizeInBytes();
  }

  public UnitReservations reservations() {
    return reservations;
  }

  public UnitLimiter limiter() {
    return limiter;
  }

  /// The values that MODE SELECT has set.
  public ModePages.Control control() {
    return control;
  }

  public void control(ModePages.Control next) {
    control = next;
  }

  @Override
  public boolean isThin() {
    return !volume.isReserved();
  }

  /// The present values of its mode pages.
  public ModePages.Values modes() {
    return new ModePages.Values(control, threshold.of(isThin()));
  }

  /// Resets the logical unit.
  ///
  /// @param holder of the SPC-2 reservation that ends with it
  public void reset(@Nullable Reserver holder) {
    if (holder != null) {
      reservations.release(holder);
    }
    control = ModePages.Control.DEFAULT;
  }

  @Override
  public boolean sensesInDescriptors() {
    return control.descriptorSense();
  }
}
