package io.coppice.app;

import io.coppice.app.setting.CoppiceProperties;
import io.coppice.app.setting.Home;
import io.coppice.scsi.unit.TrafficCounts;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.gate.WorkGate;
import io.coppice.vasa.history.ContainerSpaces;
import io.coppice.vasa.history.Forecasts;
import io.coppice.vasa.history.History;
import io.coppice.vasa.history.HistoryRecorder;
import io.coppice.vasa.history.Sources;
import io.coppice.vasa.history.SpaceForecasts;
import io.coppice.vasa.pool.StoragePool;
import io.coppice.vasa.time.SeenTime;
import io.coppice.vasa.volume.space.SpaceStatistics;
import java.nio.file.Path;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// The recorder of the history, which needs the data plane only.
@Configuration(proxyBeanMethods = false)
class HistoryConfiguration {

  @Bean(initMethod = "start", destroyMethod = "close")
  ContainerSpaces containerSpaces(Containers containers, SpaceStatistics spaces, WorkGate gate) {
    return new ContainerSpaces(containers, spaces, gate, System::nanoTime);
  }

  @Bean
  Sources historySources(
      TrafficCounts traffic, StoragePool pool, SpaceStatistics spaces, ContainerSpaces containers) {
    return new Sources(traffic, pool::space, spaces::measured, containers::get);
  }

  @Bean(initMethod = "start", destroyMethod = "close")
  HistoryRecorder historyRecorder(
      CoppiceProperties properties,
      Home home,
      Sources sources,
      SeenTime time,
      InstantSource clock) {
    String folder = properties.history().folder();
    return new HistoryRecorder(
        properties.history().settings(),
        folder.isBlank() ? home.path().resolve("history") : Path.of(folder),
        sources,
        new HistoryRecorder.Clocks(clock, System::nanoTime, time::now));
  }

  @Bean
  History history(HistoryRecorder recorder, SpaceStatistics spaces, InstantSource clock) {
    return new History(recorder, spaces, clock);
  }

  @Bean
  Forecasts forecasts(History history) {
    return new SpaceForecasts(history);
  }
}
