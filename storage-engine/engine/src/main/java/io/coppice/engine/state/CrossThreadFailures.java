package io.coppice.engine.state;

import io.coppice.engine.StorageException;

/// Failures that cross threads: the same kind and message with the caller's own stack.
public final class CrossThreadFailures {

  private CrossThreadFailures() {}

  public static StorageException here(StorageException e) {
    String message = String.valueOf(e.getMessage());
    StorageException copy =
        switch (e) {
          case StorageException.NotFound _ -> new StorageException.NotFound(message);
          case StorageException.AlreadyExists _ -> new StorageException.AlreadyExists(message);
          case StorageException.InvalidRequest _ -> new StorageException.InvalidRequest(message);
          case StorageException.ReadOnly _ -> new StorageException.ReadOnly(message);
          case StorageException.Unrelated _ -> new StorageException.Unrelated(message);
          case StorageException.Locked locked ->
              new StorageException.Locked(message, locked.until());
          case StorageException.OutOfSpace _ -> new StorageException.OutOfSpace(message);
          case StorageException.TimedOut _ -> new StorageException.TimedOut(message);
          case StorageException.Overtaken _ -> new StorageException.Overtaken(message);
          case StorageException.Damaged _ -> new StorageException.Damaged(message);
          case StorageException.DeviceFailed _ -> new StorageException.DeviceFailed(message, e);
          case StorageException.PoolUnusable _ -> new StorageException.PoolUnusable(message, e);
        };
    copy.addSuppressed(e);
    return copy;
  }
}
