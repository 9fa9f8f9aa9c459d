package io.coppice.admin;

import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpace;
import io.coppice.scsi.LunDirectory;
import io.coppice.vasa.volume.AppliedProfile;
import io.coppice.vasa.volume.VirtualVolume;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Virtual volumes as REST shows them.
@Component
final class VolumeViews {

  private static final VolumeSpace NOTHING = new VolumeSpace(0, 0, 0);

  private final StorageEngine engine;
  private final LunDirectory luns;

  VolumeViews(StorageEngine engine, LunDirectory luns) {
    this.engine = engine;
    this.luns = luns;
  }

  /// Sizes in bytes; `mapped`, `unique` and `reserved` as in the engine's `VolumeSpace`.
  record Vvol(
      UUID id,
      @Nullable String name,
      String type,
      @Nullable String vm,
      UUID container,
      long size,
      long mapped,
      long unique,
      long reserved,
      @Nullable PolicyEdition policy,
      boolean bound,
      boolean exported,
      Instant created,
      Map<String, String> metadata) {}

  /// Which edition of which policy a volume was given.
  record PolicyEdition(String id, long generation) {}

  Vvol of(VirtualVolume volume) {
    VolumeSpace space = space(volume.id());
    return new Vvol(
        volume.id().value(),
        volume.metadata().get(VmId.NAME_KEY),
        volume.type().text(),
        VmId.of(volume).orElse(null),
        volume.container(),
        volume.sizeInBytes(),
        space.mapped(),
        space.unique(),
        space.reserved(),
        policy(volume.profile()),
        !luns.bindingsOf(volume.id()).isEmpty(),
        luns.exportOf(volume.id()).isPresent(),
        volume.created(),
        volume.metadata());
  }

  static @Nullable PolicyEdition policy(@Nullable AppliedProfile profile) {
    return profile == null ? null : new PolicyEdition(profile.id(), profile.generation());
  }

  /// A snapshot that is only prepared has none yet.
  VolumeSpace space(VolumeId volume) {
    try {
      return engine.spaceOf(volume);
    } catch (StorageException.NotFound e) {
      return NOTHING;
    }
  }
}
