package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.coppice.driver.soap.BatchStatus;
import io.coppice.driver.soap.VasaFault;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/// Assertions on the faults of VASA calls.
final class Faults {

  private Faults() {}

  /// The call ends with this fault, as one with a type.
  static void assertFault(String what, String fault, ThrowingCallable call) {
    assertThatThrownBy(call)
        .as(what)
        .isInstanceOfSatisfying(
            VasaFault.class,
            thrown -> {
              assertThat(thrown.name()).as("%s: %s", what, thrown.getMessage()).isEqualTo(fault);
              assertThat(thrown.typed()).as(what).isTrue();
            });
  }

  /// The one item of a batch has this fault.
  static void assertItemFault(String what, String fault, List<BatchStatus> batch) {
    assertThat(batch)
        .as(what)
        .singleElement()
        .satisfies(
            status ->
                assertThat(status.errors())
                    .extracting(VasaFault::name)
                    .as(what)
                    .containsExactly(fault));
  }

  /// Each item of a batch has its faults in order, an empty text for none.
  static void assertItemFaults(List<BatchStatus> batch, String... faults) {
    assertThat(batch)
        .extracting(status -> status.errors().isEmpty() ? "" : status.errors().getFirst().name())
        .containsExactly(faults);
  }
}
