package io.coppice.admin;

import io.coppice.vasa.protection.ProtectedGroups;
import io.coppice.vasa.protection.ProtectionPolicies;
import io.coppice.vasa.protection.RecoveryPoints;
import io.coppice.vasa.protection.continuous.ContinuousProtection;
import io.coppice.vasa.protection.continuous.PointCuts;
import io.coppice.vasa.testing.ControlPlane;
import org.springframework.context.annotation.Bean;

/// The beans of protection for the [AdminApplication].
class ProtectionBeans {

  @Bean
  ProtectionPolicies protectionPolicies(ControlPlane control) {
    return control.protection.policies;
  }

  @Bean
  ProtectedGroups protectedGroups(ControlPlane control) {
    return control.protection.groups;
  }

  @Bean
  RecoveryPoints recoveryPoints(ControlPlane control) {
    return control.protection.points;
  }

  @Bean
  ContinuousProtection continuousProtection(ControlPlane control) {
    return control.protection.continuous;
  }

  @Bean(destroyMethod = "")
  PointCuts pointCuts(ControlPlane control) {
    return control.protection.cuts;
  }
}
