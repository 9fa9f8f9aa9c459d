package io.coppice.driver.iscsi;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A target of a SendTargets reply with its portals, each `address:port,group`.
public record DiscoveredTarget(String name, List<String> portals) {
  public DiscoveredTarget {
    portals = List.copyOf(portals);
  }

  static List<DiscoveredTarget> of(List<Map.Entry<String, String>> pairs) {
    List<DiscoveredTarget> targets = new ArrayList<>();
    String name = "";
    List<String> portals = new ArrayList<>();
    for (Map.Entry<String, String> pair : pairs) {
      switch (pair.getKey()) {
        case "TargetName" -> {
          addTo(targets, name, portals);
          name = pair.getValue();
          portals = new ArrayList<>();
        }
        case "TargetAddress" -> portals.add(pair.getValue());
        default ->
            throw new IscsiProtocolException(
                "expected TargetName or TargetAddress, got " + pair.getKey());
      }
    }
    addTo(targets, name, portals);
    return List.copyOf(targets);
  }

  private static void addTo(List<DiscoveredTarget> targets, String name, List<String> portals) {
    if (!name.isEmpty()) {
      targets.add(new DiscoveredTarget(name, portals));
    }
  }
}
