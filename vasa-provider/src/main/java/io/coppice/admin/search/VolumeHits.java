package io.coppice.admin.search;

import io.coppice.admin.volume.VmId;
import io.coppice.api.search.SearchHit;
import io.coppice.engine.VolumeId;
import io.coppice.scsi.directory.Export;
import io.coppice.vasa.export.Exports;
import io.coppice.vasa.viewer.Viewer;
import io.coppice.vasa.volume.VirtualMachineVolume;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.lifecycle.VirtualVolumes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// The volumes, snapshots and virtual machines that a search finds, of those that the caller may
/// see. A token that is bound to containers sees no machines.
@Component
final class VolumeHits {

  private final VirtualVolumes volumes;
  private final Exports exports;

  VolumeHits(VirtualVolumes volumes, Exports exports) {
    this.volumes = volumes;
    this.exports = exports;
  }

  /// @param limit most of each kind of match
  List<RankedHit> of(SearchedText text, int limit) {
    List<RankedHit> all = new ArrayList<>();
    for (VirtualVolume one : volumes.find(volumes.named(text.given(), limit))) {
      all.add(hit(one, "name", Math.min(text.rank(nameOf(one)), SearchedText.WITHIN)));
    }
    addByIds(text, limit, all);
    text.naa().ifPresent(naa -> addByNaa(naa, limit, all));
    text.lun().ifPresent(lun -> addByLun(lun, all));
    if (Viewer.boundToken().isEmpty()) {
      addMachines(text, limit, all);
    }
    return all;
  }

  private void addByIds(SearchedText text, int limit, List<RankedHit> all) {
    text.ids()
        .ifPresent(
            range -> {
              List<VolumeId> found = volumes.between(range.first(), range.last(), limit);
              for (VirtualVolume one : volumes.find(found)) {
                int rank = text.rankOfId(one.id().value());
                if (rank != SearchedText.NONE) { // else its dashes are elsewhere
                  all.add(hit(one, "id", rank));
                }
              }
            });
  }

  /// Such a name is made from the id by a hash, so all of them are looked at.
  private void addByNaa(String naa, int limit, List<RankedHit> all) {
    List<VolumeId> found =
        volumes.ids().stream()
            .filter(id -> exports.naaOf(id).startsWith(naa))
            .limit(limit)
            .toList();
    for (VirtualVolume one : volumes.find(found)) {
      boolean whole = exports.naaOf(one.id()).equals(naa);
      all.add(hit(one, "naa", whole ? SearchedText.EQUAL : SearchedText.BEGINS));
    }
  }

  private void addByLun(int lun, List<RankedHit> all) {
    List<VolumeId> found =
        exports.list().stream().filter(one -> one.lun() == lun).map(Export::volume).toList();
    volumes.find(found).forEach(one -> all.add(hit(one, "lun", SearchedText.EQUAL)));
  }

  private void addMachines(SearchedText text, int limit, List<RankedHit> all) {
    List<String> machines = volumes.machinesLike(text.given(), limit);
    Map<String, List<VirtualMachineVolume>> own =
        volumes.ofMachines(machines).stream()
            .collect(Collectors.groupingBy(VirtualMachineVolume::machine));
    own.forEach(
        (machine, disks) -> {
          VirtualMachineVolume main = VmId.main(disks);
          int byName = text.rank(main.name());
          int byId = text.rank(machine);
          boolean named = byName <= byId;
          all.add(
              new RankedHit(
                  new SearchHit(
                      "vm", machine, main.name(), named ? "name" : "id", main.container()),
                  Math.min(Math.min(byName, byId), SearchedText.WITHIN)));
        });
  }

  private static RankedHit hit(VirtualVolume one, String why, int rank) {
    String type = one.origin() == VolumeOrigin.ADMIN ? "volume" : "vvol";
    return new RankedHit(
        new SearchHit(
            one.snapshot() ? "snapshot" : type,
            one.id().toString(),
            nameOf(one),
            why,
            one.container()),
        rank);
  }

  private static @Nullable String nameOf(VirtualVolume one) {
    return one.metadata().get(VmId.NAME_KEY);
  }
}
