package io.coppice.admin;

import io.coppice.vasa.testing.ControlPlane;
import io.coppice.vasa.volume.copy.Clones;
import io.coppice.vasa.volume.copy.MomentClones;
import io.coppice.vasa.volume.snapshot.Reverts;
import io.coppice.vasa.volume.timeline.Rewinds;
import io.coppice.vasa.volume.timeline.Timelines;
import org.springframework.context.annotation.Bean;

/// The part of [AdminApplication] that brings back or copies what volumes hold or held.
class EarlierContent {

  @Bean
  Reverts reverts(ControlPlane control) {
    return control.reverts;
  }

  @Bean
  Clones clones(ControlPlane control) {
    return control.clones;
  }

  @Bean
  Timelines timelines(ControlPlane control) {
    return control.timelines;
  }

  @Bean
  Rewinds rewinds(ControlPlane control) {
    return control.rewinds;
  }

  @Bean
  MomentClones momentClones(ControlPlane control) {
    return control.momentClones;
  }
}
