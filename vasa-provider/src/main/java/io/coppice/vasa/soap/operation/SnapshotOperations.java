package io.coppice.vasa.soap.operation;

import io.coppice.engine.VolumeId;
import io.coppice.engine.range.ChunkBitmap;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.session.CurrentSession;
import io.coppice.vasa.soap.fault.Batches;
import io.coppice.vasa.soap.translate.ProfileMapper;
import io.coppice.vasa.soap.translate.TaskMapper;
import io.coppice.vasa.soap.value.Identifiers;
import io.coppice.vasa.soap.value.Metadata;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.copy.Bitmaps;
import io.coppice.vasa.volume.copy.Clones;
import io.coppice.vasa.volume.snapshot.Reverts;
import io.coppice.vasa.volume.snapshot.SnapshotOutcome;
import io.coppice.vasa.volume.snapshot.Snapshots;
import io.coppice.wsdl.data.NameValuePair;
import io.coppice.wsdl.profile.StorageProfile;
import io.coppice.wsdl.vvol.BatchReturnStatus;
import io.coppice.wsdl.vvol.TaskInfo;
import io.coppice.wsdl.vvol.VirtualVolumeBitmapResult;
import io.coppice.wsdl.vvol.VirtualVolumeInfo;
import io.coppice.wsdl.vvol.VirtualVolumeUnsharedChunksResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// VASA 2.0 operations on snapshots, clones and differences.
@Component
public final class SnapshotOperations {

  private final Snapshots snapshots;
  private final Clones clones;
  private final Bitmaps bitmaps;
  private final Reverts reverts;
  private final TaskMapper tasks;

  SnapshotOperations(
      Snapshots snapshots, Reverts reverts, Clones clones, Bitmaps bitmaps, TaskMapper tasks) {
    this.reverts = reverts;
    this.snapshots = snapshots;
    this.clones = clones;
    this.bitmaps = bitmaps;
    this.tasks = tasks;
  }

  public TaskInfo prepareToSnapshotVirtualVolume(
      @Nullable String vvolId, @Nullable StorageProfile storageProfile, @Nullable String snapType) {
    VolumeId volume = Identifiers.volume(vvolId);
    switch (snapType) {
      case "SnapshotReadOnly" -> {}
      case "SnapshotReadWrite" ->
          throw new VasaException(
              new Fault.NotSupported(),
              "expected a snapshot type of SnapshotReadOnly, got SnapshotReadWrite");
      case null, default ->
          throw VasaException.invalidArgument(
              "expected a snapshot type of SnapshotReadOnly, got '%s'".formatted(snapType));
    }
    return tasks.info(
        snapshots.prepare(volume, profile(storageProfile), CurrentSession.get().number()));
  }

  public List<BatchReturnStatus> snapshotVirtualVolume(
      @Nullable List<VirtualVolumeInfo> snapshotInfo, long timeoutMS) {
    List<VirtualVolumeInfo> items = Batches.checked(snapshotInfo, "snapshot");
    if (timeoutMS <= 0) {
      throw VasaException.invalidArgument(
          "expected a timeout of at least 1 ms, got %d ms".formatted(timeoutMS));
    }
    List<Snapshots.Prepared> wellFormed = new ArrayList<>();
    for (VirtualVolumeInfo item : items) {
      Identifiers.wellFormedVolume(item.getVvolId())
          .ifPresent(
              id ->
                  wellFormed.add(
                      new Snapshots.Prepared(id, Metadata.of(item.getMetadata()).put())));
    }
    var outcomes =
        snapshots.take(wellFormed, Duration.ofMillis(Math.min(timeoutMS, 3_600_000))).iterator();
    List<BatchReturnStatus> statuses = new ArrayList<>();
    for (VirtualVolumeInfo item : items) {
      String text = item.getVvolId();
      statuses.add(
          Identifiers.wellFormedVolume(text).isPresent()
              ? status(outcomes.next())
              : Batches.failed(
                  text,
                  VasaException.invalidArgument(
                      "expected a snapshot id of the form rfc4122.<uuid>, got '%s'"
                          .formatted(text))));
    }
    return statuses;
  }

  private static BatchReturnStatus status(SnapshotOutcome outcome) {
    return switch (outcome) {
      case SnapshotOutcome.Taken(VolumeId id) -> Batches.done(Identifiers.text(id));
      case SnapshotOutcome.Refused(VolumeId id, VasaException why) ->
          Batches.failed(Identifiers.text(id), listed(why));
    };
  }

  /// The failure in terms of the operation's list, which lacks OutOfResource.
  private static VasaException listed(VasaException why) {
    return why.fault() instanceof Fault.OutOfResource
        ? new VasaException(
            new Fault.StorageFault("io.coppice.fault.SnapshotOutOfSpace"),
            String.valueOf(why.getMessage()),
            why)
        : why;
  }

  public TaskInfo revertVirtualVolume(@Nullable String vvolId, @Nullable String snapshotVvolId) {
    VolumeId volume = Identifiers.volume(vvolId);
    VolumeId snapshot = Identifiers.volume(snapshotVvolId);
    try {
      return tasks.info(reverts.revert(volume, snapshot));
    } catch (VasaException e) {
      throw listed(e); // a safety copy may find no space
    }
  }

  public TaskInfo fastCloneVirtualVolume(
      @Nullable String vvolId,
      @Nullable StorageProfile newProfile,
      @Nullable List<NameValuePair> metadata) {
    return tasks.info(
        clones.fastClone(
            new Clones.NewClone(
                Identifiers.volume(vvolId),
                null,
                VolumeOrigin.HOST,
                profile(newProfile),
                Metadata.required(metadata).put())));
  }

  public TaskInfo cloneVirtualVolume(
      @Nullable String vvolId,
      @Nullable String newContainerId,
      @Nullable StorageProfile newProfile,
      @Nullable List<NameValuePair> metadata) {
    return tasks.info(
        clones.clone(
            new Clones.NewClone(
                Identifiers.volume(vvolId),
                newContainerId == null ? null : Identifiers.container(newContainerId),
                VolumeOrigin.HOST,
                profile(newProfile),
                Metadata.required(metadata).put())));
  }

  public TaskInfo copyDiffsToVirtualVolume(
      @Nullable String srcVVolId, @Nullable String srcBaseVVolId, @Nullable String dstVVolId) {
    return tasks.info(
        clones.copyDiffs(
            Identifiers.volume(srcVVolId),
            Identifiers.volume(srcBaseVVolId),
            Identifiers.volume(dstVVolId)));
  }

  public VirtualVolumeUnsharedChunksResult unsharedChunksVirtualVolume(
      @Nullable String vvolId, @Nullable String baseVvolId, Bitmaps.Segment segment) {
    Bitmaps.Unshared unshared =
        bitmaps.unsharedChunks(
            Identifiers.volume(vvolId),
            baseVvolId == null ? null : Identifiers.volume(baseVvolId),
            segment);
    VirtualVolumeUnsharedChunksResult result = new VirtualVolumeUnsharedChunksResult();
    result.setChunkSizeBytes(unshared.chunkSizeInBytes());
    result.setScannedChunks(unshared.scanned());
    result.setUnsharedChunks(unshared.unshared());
    return result;
  }

  public VirtualVolumeBitmapResult unsharedBitmapVirtualVolume(
      @Nullable String vvolId,
      @Nullable String baseVvolId,
      Bitmaps.Segment segment,
      long chunkSizeBytes) {
    return bitmap(
        bitmaps.unshared(
            Identifiers.volume(vvolId), Identifiers.volume(baseVvolId), segment, chunkSizeBytes));
  }

  public VirtualVolumeBitmapResult allocatedBitmapVirtualVolume(
      @Nullable String vvolId, Bitmaps.Segment segment, long chunkSizeBytes) {
    return bitmap(bitmaps.allocated(Identifiers.volume(vvolId), segment, chunkSizeBytes));
  }

  /// Chunk 0 is the least significant bit of the first byte; zeros fill up the last byte.
  private static VirtualVolumeBitmapResult bitmap(ChunkBitmap chunks) {
    VirtualVolumeBitmapResult result = new VirtualVolumeBitmapResult();
    result.setChunkBitmap(
        Arrays.copyOf(chunks.set().toByteArray(), Math.ceilDiv(chunks.chunkCount(), 8)));
    return result;
  }

  private static io.coppice.vasa.policy.@Nullable StorageProfile profile(
      @Nullable StorageProfile bean) {
    return Optional.ofNullable(bean).map(ProfileMapper::profile).orElse(null);
  }
}
