package io.coppice.app;

import io.coppice.app.setting.CoppiceProperties;
import io.coppice.engine.StorageEngine;
import io.coppice.scsi.unit.TrafficCounts;
import io.coppice.vasa.diagnosis.Diagnoser;
import io.coppice.vasa.diagnosis.LiveRates;
import io.coppice.vasa.diagnosis.LoadRecorder;
import io.coppice.vasa.diagnosis.RoundTrips;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// The diagnosis of latency, with the recorder that it needs.
@Configuration(proxyBeanMethods = false)
class DiagnosisConfiguration {

  @Bean(initMethod = "start", destroyMethod = "close")
  LoadRecorder loadRecorder(
      TrafficCounts traffic, StorageEngine engine, CoppiceProperties properties) {
    return new LoadRecorder(traffic, engine, properties.diagnosis(), System::nanoTime);
  }

  @Bean
  LiveRates liveRates(
      TrafficCounts traffic,
      LoadRecorder recorder,
      CoppiceProperties properties,
      InstantSource clock) {
    return new LiveRates(
        traffic, recorder, properties.management().figuresInterval(), System::nanoTime, clock);
  }

  @Bean
  Diagnoser diagnoser(LoadRecorder recorder, RoundTrips trips, CoppiceProperties properties) {
    return new Diagnoser(recorder, trips, properties.diagnosis());
  }
}
