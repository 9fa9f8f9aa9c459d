package io.coppice.vasa.fault;

import java.util.Objects;

/// An expected failure of a VASA operation. The message says in one sentence what was expected and
/// what came; it travels as the SOAP fault string.
public final class VasaException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final transient Fault fault;

  public VasaException(Fault fault, String message) {
    super(message);
    this.fault = Objects.requireNonNull(fault, "fault");
  }

  public VasaException(Fault fault, String message, Throwable cause) {
    super(message, cause);
    this.fault = Objects.requireNonNull(fault, "fault");
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
