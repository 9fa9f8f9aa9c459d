package io.coppice.admin.volume;

import io.coppice.vasa.volume.Orphan;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeOrigin;

/// The sentences of an orphan: why it counts as one, and what to do about it.
final class OrphanSentence {

  private OrphanSentence() {}

  static String why(Orphan orphan) {
    return switch (orphan.reason()) {
      case NO_VM -> "No virtual machine is named with it, and no host has it bound.";
      case VM_GONE ->
          "Its virtual machine %s has no config vVol here any more, and no host has it bound."
              .formatted(VmId.of(orphan.volume()).orElse("-"));
      case VOLUME_GONE ->
          "The volume that it was taken of is gone, and is not in the recycle bin either.";
      case EXPORT_GONE -> "It was made for a temporary export, which has ended.";
    };
  }

  static String remedy(Orphan orphan) {
    return switch (orphan.reason()) {
      case NO_VM ->
          "Look in vCenter whether it is a first class disk or belongs to a content library; if not,"
              + " delete it there, in the files of the datastore.";
      case VM_GONE ->
          "Look in vCenter for the virtual machine; if it is gone, delete the vVol there, in the"
              + " files of the datastore.";
      case VOLUME_GONE -> ofSnapshot(orphan.volume());
      case EXPORT_GONE -> "Delete it, unless somebody has put something on it.";
    };
  }

  private static String ofSnapshot(VirtualVolume snapshot) {
    return switch (snapshot.origin()) {
      case HOST, ADOPTED ->
          "vCenter took it: delete it there with its virtual machine. If vCenter does not know it"
              + " any more, delete it here by force.";
      case SCHEDULE ->
          "It goes by itself when its time is over; delete it before if its space is needed.";
      case ADMIN -> "Clone it if its data is wanted; delete it if not.";
    };
  }

  /// Whether an administrator may delete it here without force.
  static boolean isOfAdministrators(VirtualVolume volume) {
    return volume.snapshot()
        ? volume.origin() != VolumeOrigin.HOST
        : volume.origin() == VolumeOrigin.ADMIN;
  }
}
