package io.coppice.admin.problem;

import io.coppice.scsi.directory.RefusedException;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.http.HttpStatus;

/// The HTTP form of a service's failure.
///
/// @param code stable, for programs
public record Failure(HttpStatus status, String code) {

  public static final Failure INTERNAL = new Failure(HttpStatus.INTERNAL_SERVER_ERROR, "internal");
  public static final Failure NO_DATABASE =
      new Failure(HttpStatus.SERVICE_UNAVAILABLE, "database-unavailable");

  private static final Failure INVALID = new Failure(HttpStatus.BAD_REQUEST, "invalid-argument");

  public static Failure of(VasaException e) {
    if (e.getCause() instanceof RefusedException refusal
        && refusal.reason() == RefusedException.Reason.RESTING) {
      return new Failure(HttpStatus.CONFLICT, "number-rests");
    }
    return e.fault() instanceof Fault.InvalidArgument
            && e.getCause() instanceof DuplicateKeyException
        ? new Failure(HttpStatus.CONFLICT, "name-taken")
        : of(e.fault());
  }

  public static Failure of(Fault fault) {
    return switch (fault) {
      case Fault.NotFound _ -> new Failure(HttpStatus.NOT_FOUND, "not-found");
      case Fault.InvalidArgument _, Fault.InvalidStatisticsContext _ -> INVALID;
      case Fault.InvalidCertificate _ -> new Failure(HttpStatus.BAD_REQUEST, "invalid-certificate");
      case Fault.TooMany _ -> new Failure(HttpStatus.BAD_REQUEST, "too-many");
      case Fault.InvalidProfile _ ->
          new Failure(HttpStatus.UNPROCESSABLE_CONTENT, "invalid-policy");
      case Fault.ResourceInUse _ -> new Failure(HttpStatus.CONFLICT, "in-use");
      case Fault.IncompatibleVolume _ -> new Failure(HttpStatus.CONFLICT, "unrelated");
      case Fault.NotSupported _ -> new Failure(HttpStatus.CONFLICT, "not-supported");
      case Fault.NotCancellable _ -> new Failure(HttpStatus.CONFLICT, "not-cancellable");
      case Fault.SnapshotTooMany _ -> new Failure(HttpStatus.CONFLICT, "too-many-snapshots");
      case Fault.InactiveProvider _ -> new Failure(HttpStatus.CONFLICT, "inactive");
      case Fault.PermissionDenied _ -> new Failure(HttpStatus.FORBIDDEN, "forbidden");
      case Fault.LostEvent _, Fault.LostAlarm _ -> new Failure(HttpStatus.GONE, "not-kept");
      case Fault.OutOfResource _ -> new Failure(HttpStatus.INSUFFICIENT_STORAGE, "out-of-space");
      case Fault.Timeout _ -> new Failure(HttpStatus.GATEWAY_TIMEOUT, "timed-out");
      case Fault.VasaProviderBusy _ -> new Failure(HttpStatus.SERVICE_UNAVAILABLE, "busy");
      case Fault.NotImplemented _ -> new Failure(HttpStatus.NOT_IMPLEMENTED, "not-implemented");
      case Fault.StorageFault(String id, var _) ->
          new Failure(HttpStatus.INTERNAL_SERVER_ERROR, id);
      case Fault.InvalidLogin _, Fault.InvalidSession _, Fault.ActivateProviderFailed _ -> INTERNAL;
      case Fault.DuplicateEntry _, Fault.InvalidFunctionTarget _, Fault.NoReplicationTarget _ ->
          INTERNAL;
    };
  }

  public Problem problem(String detail, @Nullable String target, @Nullable String traceId) {
    return new Problem(
        "urn:coppice:problem:" + code,
        status.getReasonPhrase(),
        status.value(),
        detail,
        code,
        target,
        traceId);
  }
}
