package io.coppice.driver.soap;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The life of a vVol, contract 5.6. Sizes are in MB of 2^20 bytes.
public final class VolumeCalls {
  private static final String COOKIE = "ns:containerCookie";

  private final Exchange exchange;

  VolumeCalls(Exchange exchange) {
    this.exchange = exchange;
  }

  /// @param type `Config`, `Data`, `Swap`, `Memory` or `Other`
  public TaskInfo createVirtualVolume(
      String containerId,
      String type,
      @Nullable StorageProfile profile,
      long sizeMb,
      Map<String, String> metadata) {
    return exchange.one(
        "createVirtualVolume",
        TaskInfo::of,
        x -> {
          x.text("ns:containerId", containerId).text("ns:vvolType", type);
          StorageProfile.writeOptional(x, "ns:storageProfile", profile);
          x.text("ns:sizeInMB", sizeMb);
          Metadata.write(x, "ns:metadata", metadata);
          x.absent(COOKIE);
        });
  }

  public void deleteVirtualVolume(String vvolId) {
    exchange.send("deleteVirtualVolume", x -> x.text("ns:vvolId", vvolId).absent(COOKIE));
  }

  public TaskInfo resizeVirtualVolume(String vvolId, long sizeMb) {
    return exchange.one(
        "resizeVirtualVolume",
        TaskInfo::of,
        x -> x.text("ns:vvolId", vvolId).text("ns:sizeInMB", sizeMb).absent(COOKIE));
  }

  /// Ids of the vVols that meet all `constraints`; an empty value asks only for the key.
  public List<String> queryVirtualVolume(Map<String, String> constraints) {
    return exchange.all(
        "queryVirtualVolume",
        Xml::text,
        x -> constraints.forEach((key, value) -> constraint(x, key, value)));
  }

  private static void constraint(XmlText xml, String key, String value) {
    xml.element(
        "ns:searchConstraint",
        x -> x.text("vvol:key", key).optional("vvol:value", value.isEmpty() ? null : value));
  }

  public List<VvolInfo> queryVirtualVolumeInfo(List<String> vvolIds) {
    return exchange.all("queryVirtualVolumeInfo", VvolInfo::of, x -> x.each("ns:vvolId", vvolIds));
  }

  /// Sets each pair.
  public void updateVirtualVolumeMetaData(String vvolId, Map<String, String> pairs) {
    exchange.send(
        "updateVirtualVolumeMetaData",
        x -> {
          x.text("ns:vvolId", vvolId);
          Metadata.write(x, "ns:keyValuePair", pairs);
          x.absent(COOKIE);
        });
  }

  /// Removes keys.
  public void removeMetaData(String vvolId, List<String> keys) {
    exchange.send(
        "updateVirtualVolumeMetaData",
        x -> {
          x.text("ns:vvolId", vvolId);
          keys.forEach(key -> Metadata.writePair(x, "ns:keyValuePair", key, null));
          x.absent(COOKIE);
        });
  }

  public List<SpaceStats> spaceStatsForVirtualVolume(List<String> vvolIds) {
    return exchange.all(
        "spaceStatsForVirtualVolume", SpaceStats::of, x -> x.each("ns:vvolId", vvolIds));
  }
}
