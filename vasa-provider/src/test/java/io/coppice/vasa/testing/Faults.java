package io.coppice.vasa.testing;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.coppice.vasa.fault.FaultTranslation;
import io.coppice.vasa.fault.VasaException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/// Assertions on faults.
public final class Faults {

  private Faults() {}

  /// Fails unless `call` ends in what reaches a client as the fault of that name.
  public static void assertFault(String name, ThrowingCallable call) {
    assertThatExceptionOfType(VasaException.class)
        .isThrownBy(() -> translated(call))
        .satisfies(
            e -> {
              if (!e.fault().name().equals(name)) {
                throw new AssertionError("expected " + name + ", got " + e.fault(), e);
              }
            });
  }

  /// Does what the edges do with a failure.
  private static void translated(ThrowingCallable call) throws Throwable {
    try {
      call.call();
    } catch (Exception e) {
      throw FaultTranslation.known(e);
    }
  }
}
