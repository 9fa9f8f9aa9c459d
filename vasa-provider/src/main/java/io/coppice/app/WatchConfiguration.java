package io.coppice.app;

import io.coppice.app.setting.CoppiceProperties;
import io.coppice.engine.StorageEngine;
import io.coppice.vasa.watch.VolumeWatches;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// The ransomware watch, which needs the data plane only.
@Configuration(proxyBeanMethods = false)
class WatchConfiguration {

  @Bean(initMethod = "start", destroyMethod = "close")
  VolumeWatches volumeWatches(
      StorageEngine engine, CoppiceProperties properties, InstantSource clock) {
    return new VolumeWatches(engine::written, properties.watch(), clock, System::nanoTime);
  }
}
