package io.coppice.scsi.task;

import io.coppice.engine.StorageException;
import io.coppice.scsi.sense.AdditionalSense;
import io.coppice.scsi.sense.SenseData;
import io.coppice.scsi.sense.SenseKey;

/// The one place where a failure of the engine becomes sense data.
public final class SenseTranslation {

  private SenseTranslation() {}

  public static SenseData senseOf(StorageException failure) {
    return switch (failure) { // no default: a new failure must be translated here to compile
      case StorageException.NotFound _ ->
          SenseData.illegalRequest(AdditionalSense.LOGICAL_UNIT_NOT_SUPPORTED);
      // We check ranges against the present size; a revert may since have made the volume smaller.
      case StorageException.InvalidRequest _ ->
          SenseData.illegalRequest(AdditionalSense.LOGICAL_BLOCK_ADDRESS_OUT_OF_RANGE);
      case StorageException.ReadOnly _, StorageException.Locked _ ->
          SenseData.of(SenseKey.DATA_PROTECT, AdditionalSense.WRITE_PROTECTED);
      case StorageException.OutOfSpace _ ->
          SenseData.of(
              SenseKey.DATA_PROTECT, AdditionalSense.SPACE_ALLOCATION_FAILED_WRITE_PROTECT);
      case StorageException.Damaged _ ->
          SenseData.of(SenseKey.MEDIUM_ERROR, AdditionalSense.UNRECOVERED_READ_ERROR);
      case StorageException.DeviceFailed _, StorageException.PoolUnusable _ ->
          SenseData.of(SenseKey.HARDWARE_ERROR, AdditionalSense.INTERNAL_TARGET_FAILURE);
      case StorageException.AlreadyExists _,
          StorageException.Unrelated _,
          StorageException.Overtaken _,
          StorageException.TimedOut _ ->
          SenseData.of(SenseKey.ABORTED_COMMAND, AdditionalSense.INTERNAL_TARGET_FAILURE);
    };
  }
}
