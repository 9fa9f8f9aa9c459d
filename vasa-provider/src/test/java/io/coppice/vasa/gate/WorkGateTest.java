package io.coppice.vasa.gate;

import static io.coppice.vasa.testing.Faults.assertFault;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class WorkGateTest {

  private final WorkGate gate = new WorkGate();

  @Test
  void nobodyComesInBeforeItIsOpened() {
    assertFault("VasaProviderBusy", gate::enter);
    assertThat(gate.tryEnter()).isEmpty();

    gate.open();

    assertThat(gate.tryEnter()).isPresent();
  }

  @Test
  void whoIsInsideIsWaitedForAndNobodyFollows() {
    gate.open();
    WorkGate.Pass pass = gate.enter();
    gate.close();

    assertThat(gate.awaitEmpty(Duration.ofMillis(1))).isFalse();
    assertFault("VasaProviderBusy", gate::enter);
    CompletableFuture<Boolean> empty =
        CompletableFuture.supplyAsync(() -> gate.awaitEmpty(Duration.ofMinutes(1)));
    pass.close();
    pass.close();

    assertThat(empty.join()).isTrue();
    assertThat(gate.inside()).isZero();
  }

  @Test
  void whoWaitsComesInWhenItOpensAndGoesOnWithoutWhenItEnds() {
    CompletableFuture<Optional<WorkGate.Pass>> waiting =
        CompletableFuture.supplyAsync(gate::enterWhenOpen);
    gate.open();
    waiting.join().orElseThrow().close();
    gate.close();
    CompletableFuture<Optional<WorkGate.Pass>> late =
        CompletableFuture.supplyAsync(gate::enterWhenOpen);

    gate.end();

    assertThat(late.join()).isEmpty();
    gate.open();
    assertThat(gate.tryEnter()).isEmpty();
  }
}
