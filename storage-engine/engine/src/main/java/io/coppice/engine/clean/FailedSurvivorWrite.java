package io.coppice.engine.clean;

import io.coppice.engine.StorageException;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.log.Batch;
import io.coppice.engine.log.Command;
import io.coppice.engine.log.SurvivorRoom;
import io.coppice.engine.state.SurvivorZones;

/// A piece of survivors that the device did not take; no record of the log. Its blocks are where
/// they were. If the medium had no place for it, nothing more goes into its zone, because later
/// pieces would have to name it. Otherwise the pool stops: a device that could not make a write
/// stable is trusted no more.
final class FailedSurvivorWrite extends Command {

  private final SurvivorZones survivors;
  private final SurvivorRoom room;
  private final DeviceException cause;

  FailedSurvivorWrite(SurvivorZones survivors, SurvivorRoom room, DeviceException cause) {
    this.survivors = survivors;
    this.room = room;
    this.cause = cause;
  }

  @Override
  protected boolean admit() {
    if (!(cause instanceof DeviceException.NoSpace)) {
      throw cause;
    }
    survivors.seal(room.segment());
    return false;
  }

  @Override
  protected boolean append(Batch batch) {
    throw cause;
  }

  @Override
  protected void apply() {}

  @Override
  protected void fail(StorageException failure) {}
}
