package io.coppice.vasa.soap;

import io.coppice.engine.StorageException;
import io.coppice.scsi.RefusedException;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.transaction.CannotCreateTransactionException;

/// Turns whatever an operation threw into a fault that its list in the contract has. The only place
/// where that is decided.
///
/// A fault that the list lacks would reach the client without its type, so it becomes a
/// StorageFault, which every list has. What nobody expected is logged once, with an id that the
/// client sees too.
public final class FaultTranslation {

  static final String UNEXPECTED = "io.coppice.fault.Unexpected";
  static final String DATABASE = "io.coppice.fault.DatabaseUnreachable";
  static final String POOL = "io.coppice.fault.PoolUnreachable";

  private static final Logger log = LoggerFactory.getLogger(FaultTranslation.class);

  private FaultTranslation() {}

  /// What the client gets.
  record Answer(Fault fault, String message) {}

  /// @param operation its name, for the log
  /// @param listed names of the faults in its list
  static Answer answer(Throwable thrown, String operation, Set<String> listed) {
    VasaException expected = expected(thrown, operation);
    Fault fault = expected.fault();
    String message = Objects.requireNonNullElse(expected.getMessage(), fault.name());
    if (listed.contains(fault.name())) {
      return new Answer(fault, message);
    }
    return new Answer(new Fault.StorageFault(messageId(fault), Map.of("reason", message)), message);
  }

  /// The fault for one item of a batch, where no list applies.
  static Fault itemFault(Throwable thrown, String operation) {
    return expected(thrown, operation).fault();
  }

  private static VasaException expected(Throwable thrown, String operation) {
    return switch (thrown) {
      case VasaException e -> e;
      case StorageException e ->
          new VasaException(engineFault(e), String.valueOf(e.getMessage()), e);
      case RefusedException e ->
          new VasaException(targetFault(e), String.valueOf(e.getMessage()), e);
      case CannotCreateTransactionException e -> databaseAway(e);
      case DataAccessResourceFailureException e -> databaseAway(e);
      case TransientDataAccessException e -> databaseAway(e);
      default -> unexpected(thrown, operation);
    };
  }

  private static Fault engineFault(StorageException thrown) {
    return switch (thrown) {
      case StorageException.NotFound _ -> new Fault.NotFound();
      case StorageException.AlreadyExists _ -> new Fault.ResourceInUse();
      case StorageException.InvalidRequest _ -> new Fault.InvalidArgument();
      case StorageException.ReadOnly _ -> new Fault.NotSupported();
      case StorageException.Unrelated _ -> new Fault.IncompatibleVolume();
      case StorageException.OutOfSpace _ -> new Fault.OutOfResource();
      case StorageException.TimedOut _ -> new Fault.Timeout();
      case StorageException.Damaged e -> pool(e);
      case StorageException.DeviceFailed e -> pool(e);
      case StorageException.PoolUnusable e -> pool(e);
    };
  }

  private static Fault pool(StorageException thrown) {
    return new Fault.StorageFault(POOL, Map.of("reason", String.valueOf(thrown.getMessage())));
  }

  private static Fault targetFault(RefusedException thrown) {
    return switch (thrown.reason()) {
      case UNKNOWN -> new Fault.NotFound();
      case IN_USE -> new Fault.ResourceInUse();
      case INVALID -> new Fault.InvalidArgument();
      case EXHAUSTED -> new Fault.OutOfResource();
    };
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

  private static String messageId(Fault fault) {
    return switch (fault) {
      case Fault.StorageFault storage -> storage.messageId();
      case Fault.VasaProviderBusy _ -> DATABASE;
      default -> "io.coppice.fault." + fault.name();
    };
  }
}
