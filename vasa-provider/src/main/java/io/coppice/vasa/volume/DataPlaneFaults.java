package io.coppice.vasa.volume;

import io.coppice.engine.StorageException;
import io.coppice.scsi.RefusedException;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import java.util.Map;
import java.util.function.Supplier;

/// The one place where a failure of the data plane becomes a fault of VASA.
public final class DataPlaneFaults {

  private DataPlaneFaults() {}

  /// Runs a call of the data plane.
  ///
  /// @throws VasaException in place of what it throws
  public static <T> T translated(Supplier<T> call) {
    try {
      return call.get();
    } catch (StorageException e) {
      throw of(e);
    } catch (RefusedException e) {
      throw of(e);
    }
  }

  public static VasaException of(StorageException failure) {
    Fault fault =
        switch (failure) {
          case StorageException.NotFound _ -> new Fault.NotFound();
          case StorageException.InvalidRequest _ -> new Fault.InvalidArgument();
          case StorageException.ReadOnly _ -> new Fault.NotSupported();
          case StorageException.Unrelated _ -> new Fault.IncompatibleVolume();
          case StorageException.OutOfSpace _ -> new Fault.OutOfResource();
          case StorageException.TimedOut _ -> new Fault.Timeout();
          case StorageException.AlreadyExists _ ->
              new Fault.StorageFault("io.coppice.fault.VolumeExists");
          case StorageException.Damaged e -> pool(e);
          case StorageException.DeviceFailed e -> pool(e);
          case StorageException.PoolUnusable e -> pool(e);
        };
    return new VasaException(fault, message(failure), failure);
  }

  private static Fault pool(StorageException failure) {
    return new Fault.StorageFault(
        "io.coppice.fault.PoolUnreachable", Map.of("reason", message(failure)));
  }

  public static VasaException of(RefusedException refusal) {
    Fault fault =
        switch (refusal.reason()) {
          case UNKNOWN -> new Fault.NotFound();
          case IN_USE -> new Fault.ResourceInUse();
          case INVALID -> new Fault.InvalidArgument();
          case EXHAUSTED -> new Fault.OutOfResource();
        };
    return new VasaException(fault, message(refusal), refusal);
  }

  private static String message(RuntimeException failure) {
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }
}
