package io.coppice.app;

import io.coppice.engine.StorageEngine;
import io.coppice.vasa.protection.continuous.PointCuts;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// The cuts of continuous points, which need the data plane only.
@Configuration(proxyBeanMethods = false)
class ContinuousConfiguration {

  @Bean(initMethod = "start", destroyMethod = "close")
  PointCuts pointCuts(StorageEngine engine) {
    return new PointCuts(engine.journals(), System::nanoTime);
  }
}
