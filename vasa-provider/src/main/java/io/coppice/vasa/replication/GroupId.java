package io.coppice.vasa.replication;

import java.util.Locale;

/// A replication group at one end: its fault domain and its name there.
public record GroupId(String faultDomain, String deviceGroup) {

  /// A device group that stands for a group which the provider would make on demand.
  private static final String ON_DEMAND = "ffffffff-ffff-ffff-ffff-ffffffffffff";

  /// Whether it stands for a group that the provider would make on demand.
  public boolean isOnDemand() {
    return deviceGroup.toLowerCase(Locale.ROOT).equals(ON_DEMAND);
  }

  @Override
  public String toString() {
    return deviceGroup + " of fault domain " + faultDomain;
  }
}
