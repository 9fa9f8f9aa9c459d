package io.coppice.vasa.fault;

import org.jspecify.annotations.Nullable;

/// An expected failure of a VASA operation. The message states in one sentence what was expected
/// and what came; it travels as the SOAP fault string.
public final class VasaException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Fault fault;
  private final @Nullable String argument;
  private final boolean refusesCaller;

  public VasaException(Fault fault, String message) {
    this(fault, message, null, null, false);
  }

  public VasaException(Fault fault, String message, Throwable cause) {
    this(fault, message, cause, null, false);
  }

  private VasaException(
      Fault fault,
      String message,
      @Nullable Throwable cause,
      @Nullable String argument,
      boolean refusesCaller) {
    super(message, cause);
    this.fault = fault;
    this.argument = argument;
    this.refusesCaller = refusesCaller;
  }

  /// The same failure with its argument, named as in REST.
  public VasaException about(String name) {
    return new VasaException(fault, String.valueOf(getMessage()), getCause(), name, refusesCaller);
  }

  /// The argument that caused the failure; null if it is not known.
  public @Nullable String argument() {
    return argument;
  }

  /// A failure that is about the caller and not about the request. An administrator has to know of
  /// it, but the fault alone does not show that.
  public static VasaException refusing(Fault fault, String message) {
    return new VasaException(fault, message, null, null, true);
  }

  public Fault fault() {
    return fault;
  }

  /// Whether it is about the caller: the client is not let in, or not as the one it claims to be.
  public boolean refusesCaller() {
    return refusesCaller
        || fault instanceof Fault.InvalidSession
        || fault instanceof Fault.InvalidLogin
        || fault instanceof Fault.InvalidCertificate
        || fault instanceof Fault.PermissionDenied;
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
