package io.coppice.vasa.fault;

import io.coppice.engine.StorageException;
import io.coppice.scsi.directory.RefusedException;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.transaction.CannotCreateTransactionException;

/// The translation of failures into faults. Only here a failure of the pool, of the target or of
/// the database becomes a fault of VASA, and only here the fault of an operation's list that its
/// client gets is chosen. One exception: `SnapshotOperations` replaces OutOfResource, which its
/// list lacks.
///
/// An unexpected failure is logged once, with an id that the client sees too.
public final class FaultTranslation {

  static final String UNEXPECTED = "io.coppice.fault.Unexpected";
  static final String POOL = "io.coppice.fault.PoolUnreachable";
  static final String EXISTS = "io.coppice.fault.VolumeExists";

  /// Longest sentence, in characters: it repeats what came, which may be as long as a request.
  private static final int LONGEST = 500;

  private static final Logger log = LoggerFactory.getLogger(FaultTranslation.class);

  private FaultTranslation() {}

  /// The answer to the client of an operation.
  ///
  /// @param message one sentence, for its fault string
  public record Answer(Fault fault, String message) {}

  /// Runs a call of the engine or of the target.
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

  /// Runs a call without a result, as [#translated] does.
  public static void runTranslated(Runnable call) {
    translated(
        () -> {
          call.run();
          return true;
        });
  }

  public static VasaException of(StorageException failure) {
    Fault fault =
        switch (failure) {
          case StorageException.NotFound _ -> new Fault.NotFound();
          case StorageException.InvalidRequest _ -> new Fault.InvalidArgument();
          case StorageException.ReadOnly _ -> new Fault.NotSupported();
          case StorageException.Locked _ -> new Fault.ResourceInUse();
          case StorageException.Unrelated _ -> new Fault.IncompatibleVolume();
          case StorageException.OutOfSpace _ -> new Fault.OutOfResource();
          case StorageException.TimedOut _ -> new Fault.Timeout();
          case StorageException.Overtaken _ -> new Fault.VasaProviderBusy();
          case StorageException.AlreadyExists _ -> new Fault.StorageFault(EXISTS);
          case StorageException.Damaged e -> pool(e);
          case StorageException.DeviceFailed e -> pool(e);
          case StorageException.PoolUnusable e -> pool(e);
        };
    return new VasaException(fault, message(failure), failure);
  }

  /// Whether a failure is the refusal to end a locked snapshot, or its lock, too early.
  public static boolean isLocked(VasaException failure) {
    return failure.getCause() instanceof StorageException.Locked;
  }

  private static VasaException of(RefusedException refusal) {
    Fault fault =
        switch (refusal.reason()) {
          case UNKNOWN -> new Fault.NotFound();
          case IN_USE, RESTING -> new Fault.ResourceInUse();
          case INVALID -> new Fault.InvalidArgument();
          case EXHAUSTED -> new Fault.OutOfResource();
        };
    return new VasaException(fault, message(refusal), refusal);
  }

  /// A failure of the pool or of the target as a fault; any other failure as it is.
  public static Exception known(Exception failure) {
    return switch (failure) {
      case StorageException e -> of(e);
      case RefusedException e -> of(e);
      default -> failure;
    };
  }

  /// Whatever an operation threw, as a fault that its list in the contract has.
  ///
  /// A fault that the list lacks would reach the client without its type, so it becomes a
  /// StorageFault, which every list has.
  ///
  /// @param operation its name, for the log
  /// @param listed names of the faults in its list
  public static Answer answer(Throwable thrown, String operation, Set<String> listed) {
    VasaException failure = of(thrown, operation);
    Fault fault = failure.fault();
    String message =
        EchoedText.of(Objects.requireNonNullElse(failure.getMessage(), fault.name()), LONGEST);
    if (listed.contains(fault.name())) {
      return new Answer(fault, message);
    }
    return new Answer(unlisted(fault, message), message);
  }

  /// Whatever the work of an operation threw.
  ///
  /// @param operation its name, for the log
  public static VasaException of(Throwable thrown, String operation) {
    return switch (thrown) {
      case VasaException e -> e;
      case StorageException e -> of(e);
      case RefusedException e -> of(e);
      case CannotCreateTransactionException e -> databaseAway(e);
      case DataAccessResourceFailureException e -> databaseAway(e);
      case TransientDataAccessException e -> databaseAway(e);
      default -> unexpected(thrown, operation);
    };
  }

  /// The catalog has an entry for each name.
  private static Fault unlisted(Fault fault, String message) {
    return fault instanceof Fault.StorageFault
        ? fault
        : new Fault.StorageFault("io.coppice.fault." + fault.name(), Map.of("reason", message));
  }

  private static Fault pool(StorageException failure) {
    return new Fault.StorageFault(POOL, Map.of("reason", message(failure)));
  }

  private static VasaException databaseAway(Exception thrown) {
    log.atWarn().addKeyValue("reason", thrown.getMessage()).log("the database does not answer");
    return new VasaException(
        new Fault.VasaProviderBusy(), "the database does not answer, call again later", thrown);
  }

  private static VasaException unexpected(Throwable thrown, String operation) {
    String id = UUID.randomUUID().toString();
    log.atError()
        .addKeyValue("operation", operation)
        .addKeyValue("correlation", id)
        .setCause(thrown)
        .log("unexpected failure");
    return new VasaException(
        new Fault.StorageFault(UNEXPECTED, Map.of("correlation", id)),
        "unexpected failure; the provider's log has the details under " + id,
        thrown);
  }

  private static String message(RuntimeException failure) {
    String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }
}
