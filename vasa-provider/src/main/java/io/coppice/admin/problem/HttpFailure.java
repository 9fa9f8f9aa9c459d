package io.coppice.admin.problem;

import io.coppice.api.Problem;
import io.coppice.scsi.directory.RefusedException;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.FaultTranslation;
import io.coppice.vasa.fault.VasaException;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.http.HttpStatus;

/// The HTTP form of a service's failure.
///
/// @param code stable, for programs
public record HttpFailure(HttpStatus status, String code) {

  public static final HttpFailure INTERNAL =
      new HttpFailure(HttpStatus.INTERNAL_SERVER_ERROR, "internal");
  public static final HttpFailure NO_DATABASE =
      new HttpFailure(HttpStatus.SERVICE_UNAVAILABLE, "database-unavailable");

  private static final HttpFailure INVALID =
      new HttpFailure(HttpStatus.BAD_REQUEST, "invalid-argument");

  public static HttpFailure of(VasaException e) {
    if (e.getCause() instanceof RefusedException refusal
        && refusal.reason() == RefusedException.Reason.RESTING) {
      return new HttpFailure(HttpStatus.CONFLICT, "number-rests");
    }
    if (FaultTranslation.isLocked(e)) {
      return new HttpFailure(HttpStatus.CONFLICT, "locked");
    }
    return e.fault() instanceof Fault.InvalidArgument
            && e.getCause() instanceof DuplicateKeyException
        ? new HttpFailure(HttpStatus.CONFLICT, "name-taken")
        : of(e.fault());
  }

  public static HttpFailure of(Fault fault) {
    return switch (fault) {
      case Fault.NotFound _ -> new HttpFailure(HttpStatus.NOT_FOUND, "not-found");
      case Fault.InvalidArgument _, Fault.InvalidStatisticsContext _ -> INVALID;
      case Fault.InvalidCertificate _ ->
          new HttpFailure(HttpStatus.BAD_REQUEST, "invalid-certificate");
      case Fault.TooMany _ -> new HttpFailure(HttpStatus.BAD_REQUEST, "too-many");
      case Fault.InvalidProfile _ ->
          new HttpFailure(HttpStatus.UNPROCESSABLE_CONTENT, "invalid-policy");
      case Fault.ResourceInUse _ -> new HttpFailure(HttpStatus.CONFLICT, "in-use");
      case Fault.IncompatibleVolume _ -> new HttpFailure(HttpStatus.CONFLICT, "unrelated");
      case Fault.NotSupported _ -> new HttpFailure(HttpStatus.CONFLICT, "not-supported");
      case Fault.NotCancellable _ -> new HttpFailure(HttpStatus.CONFLICT, "not-cancellable");
      case Fault.SnapshotTooMany _ -> new HttpFailure(HttpStatus.CONFLICT, "too-many-snapshots");
      case Fault.InactiveProvider _ -> new HttpFailure(HttpStatus.CONFLICT, "inactive");
      case Fault.PermissionDenied _ -> new HttpFailure(HttpStatus.FORBIDDEN, "forbidden");
      case Fault.LostEvent _, Fault.LostAlarm _ -> new HttpFailure(HttpStatus.GONE, "not-kept");
      case Fault.OutOfResource _ ->
          new HttpFailure(HttpStatus.INSUFFICIENT_STORAGE, "out-of-space");
      case Fault.Timeout _ -> new HttpFailure(HttpStatus.GATEWAY_TIMEOUT, "timed-out");
      case Fault.VasaProviderBusy _ -> new HttpFailure(HttpStatus.SERVICE_UNAVAILABLE, "busy");
      case Fault.NotImplemented _ -> new HttpFailure(HttpStatus.NOT_IMPLEMENTED, "not-implemented");
      case Fault.StorageFault(String id, var _) ->
          new HttpFailure(HttpStatus.INTERNAL_SERVER_ERROR, id);
      case Fault.InvalidLogin _, Fault.InvalidSession _, Fault.ActivateProviderFailed _ -> INTERNAL;
      case Fault.InvalidReplicationState _, Fault.NoValidReplica _, Fault.SyncOngoing _ ->
          new HttpFailure(HttpStatus.CONFLICT, "replication-state");
      case Fault.PeerNotReachable _ ->
          new HttpFailure(HttpStatus.SERVICE_UNAVAILABLE, "peer-not-reachable");
      case Fault.DuplicateEntry _,
          Fault.InvalidFunctionTarget _,
          Fault.NoReplicationTarget _,
          Fault.AlreadyDone _ ->
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
