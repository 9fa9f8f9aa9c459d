package io.coppice.admin;

import io.coppice.vasa.diagnosis.Diagnoser;
import io.coppice.vasa.diagnosis.DiagnosisSettings;
import io.coppice.vasa.diagnosis.LiveRates;
import io.coppice.vasa.diagnosis.LoadRecorder;
import io.coppice.vasa.testing.ControlPlane;
import java.time.Duration;
import java.util.Optional;
import org.springframework.context.annotation.Bean;

/// The beans that know what hosts do now, for the [AdminApplication].
class LoadBeans {

  private static final DiagnosisSettings DIAGNOSIS =
      new DiagnosisSettings(
          Duration.ofSeconds(5), Duration.ofMinutes(10), 1000, Duration.ofMillis(20));

  @Bean
  LoadRecorder loads(ControlPlane control) {
    return new LoadRecorder(
        control.target.traffic(), control.engine, DIAGNOSIS, control.diagnosed::get);
  }

  @Bean
  Diagnoser diagnoser(LoadRecorder loads) {
    return new Diagnoser(loads, _ -> Optional.empty(), DIAGNOSIS);
  }

  @Bean
  LiveRates liveRates(ControlPlane control, LoadRecorder loads) {
    return new LiveRates(
        control.target.traffic(),
        loads,
        Duration.ofMillis(100),
        control.diagnosed::get,
        control.clock);
  }
}
