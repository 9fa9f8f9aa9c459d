package io.coppice.vasa.soap.translate;

import io.coppice.vasa.soap.value.Identifiers;
import io.coppice.vasa.soap.value.Megabytes;
import io.coppice.vasa.soap.value.Xml;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.space.VolumeUsage;
import io.coppice.wsdl.data.ObjectFactory;
import io.coppice.wsdl.vvol.SpaceStats;
import io.coppice.wsdl.vvol.VirtualVolumeInfo;

/// Virtual volumes on the wire.
public final class VolumeMapper {

  private static final ObjectFactory DATA = new ObjectFactory();

  private VolumeMapper() {}

  public static VirtualVolumeInfo info(VirtualVolume volume) {
    String id = Identifiers.text(volume.id());
    VirtualVolumeInfo info = new VirtualVolumeInfo();
    info.setUniqueIdentifier(DATA.createBaseStorageEntityUniqueIdentifier(id));
    info.setVvolId(id);
    info.getMetadata().addAll(Xml.sortedPairs(volume.metadata()));
    return info;
  }

  public static SpaceStats stats(VolumeUsage usage) {
    SpaceStats stats = new SpaceStats();
    stats.setObjectId(Identifiers.text(usage.volume()));
    stats.setLogical(Megabytes.ceiling(usage.logical()));
    stats.setCommitted(Megabytes.ceiling(usage.committed()));
    stats.setUnshared(Megabytes.ceiling(usage.unshared()));
    stats.setUnsharedValid(true);
    return stats;
  }
}
