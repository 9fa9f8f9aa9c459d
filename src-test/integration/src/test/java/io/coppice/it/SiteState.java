package io.coppice.it;

import io.coppice.driver.soap.ContainerSpaceStats;
import io.coppice.driver.soap.SpaceStats;
import io.coppice.driver.soap.VasaClient;
import io.coppice.driver.soap.VvolInfo;
import java.util.List;
import java.util.Map;

/// All that a site's clients can change: the virtual volumes of its container with their metadata
/// and space, the container's space, and who has bound what. Two of them are equal if nothing was
/// changed in between.
record SiteState(
    List<VvolInfo> volumes,
    List<SpaceStats> space,
    ContainerSpaceStats container,
    String bindings,
    String policies) {

  static SiteState of(RegisteredSite site) {
    VasaClient client = site.vcenter().client();
    List<String> ids =
        client.volumes().queryVirtualVolume(Map.of("VMW_ContainerId", site.container()));
    return new SiteState(
        client.volumes().queryVirtualVolumeInfo(ids),
        client.volumes().spaceStatsForVirtualVolume(ids),
        site.vcenter().space(site.container()),
        site.provider().rest().get("bindings").toString(),
        client.policies().queryCapabilityProfile(List.of()).toString());
  }
}
