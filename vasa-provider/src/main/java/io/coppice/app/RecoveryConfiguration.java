package io.coppice.app;

import io.coppice.vasa.recovery.Reconciliation;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;

/// What makes the database agree with the pool, whenever the database is reached.
@Configuration(proxyBeanMethods = false)
class RecoveryConfiguration {

  @Bean
  @Order(10)
  StartStep reconciliationAtStart(Reconciliation reconciliation) {
    var settled = new AtomicBoolean();
    return new StartStep(
        "rows agree with the pool",
        () -> {
          if (settled.get()) {
            reconciliation.whileRunning();
          } else {
            reconciliation.atStart();
            settled.set(true);
          }
        });
  }
}
