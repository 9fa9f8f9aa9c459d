package io.coppice.vasa.soap.fault;

import io.coppice.engine.StorageEngine;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.wsdl.vvol.BatchErrorResult;
import io.coppice.wsdl.vvol.BatchReturnStatus;
import io.coppice.wsdl.vvol.ObjectFactory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Limits that the batch operations share.
public final class Batches {

  /// Most items of a batch: `maxBatchSize` of VasaProviderInfo.
  public static final int MAX_SIZE = StorageEngine.MAX_GROUP;

  private static final ObjectFactory VVOL = new ObjectFactory();

  private Batches() {}

  /// @throws VasaException (InvalidArgument) if it has no item; (TooMany) if it has more than
  ///   [#MAX_SIZE]
  public static <T> List<T> checked(@Nullable List<T> items, String what) {
    if (items == null || items.isEmpty()) {
      throw VasaException.invalidArgument("expected at least one %s, got none".formatted(what));
    }
    return limited(items, what);
  }

  /// @throws VasaException (TooMany) if it has more than [#MAX_SIZE] items
  public static <T> List<T> limited(@Nullable List<T> items, String what) {
    if (items == null) {
      return List.of();
    }
    if (items.size() > MAX_SIZE) {
      throw new VasaException(
          new Fault.TooMany(MAX_SIZE),
          "expected at most %d %ss in one call, got %d".formatted(MAX_SIZE, what, items.size()));
    }
    return items;
  }

  public static BatchReturnStatus done(String id) {
    BatchReturnStatus status = new BatchReturnStatus();
    status.setUniqueId(id);
    return status;
  }

  public static BatchReturnStatus failed(@Nullable String id, VasaException failure) {
    BatchErrorResult error = new BatchErrorResult();
    error.getError().add(FaultBeans.of(failure.fault()));
    BatchReturnStatus status = done(id == null ? "" : id);
    status.setErrorResult(VVOL.createBatchReturnStatusErrorResult(error));
    return status;
  }
}
