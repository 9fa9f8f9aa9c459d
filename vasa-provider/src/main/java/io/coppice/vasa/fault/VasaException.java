package io.coppice.vasa.fault;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An expected failure of a VASA operation. The message says in one sentence what was expected and
/// what came; it travels as the SOAP fault string.
public final class VasaException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Fault fault;
  private final @Nullable String argument;

  public VasaException(Fault fault, String message) {
    this(fault, message, null, null);
  }

  public VasaException(Fault fault, String message, Throwable cause) {
    this(fault, message, cause, null);
  }

  private VasaException(
      Fault fault, String message, @Nullable Throwable cause, @Nullable String argument) {
    super(message, cause);
    this.fault = Objects.requireNonNull(fault, "fault");
    this.argument = argument;
  }

  /// The same failure, with the argument that it is about, as REST calls it.
  public VasaException about(String name) {
    return new VasaException(fault, String.valueOf(getMessage()), getCause(), name);
  }

  /// Which argument it is about; null if that is not known.
  public @Nullable String argument() {
    return argument;
  }

  public Fault fault() {
    return fault;
  }

  public static VasaException invalidArgument(String message) {
    return new VasaException(new Fault.InvalidArgument(), message);
  }

  public static VasaException notFound(String message) {
    return new VasaException(new Fault.NotFound(), message);
  }

  public static VasaException invalidSession(String message) {
    return new VasaException(new Fault.InvalidSession(), message);
  }

  public static VasaException busy(String message) {
    return new VasaException(new Fault.VasaProviderBusy(), message);
  }
}
