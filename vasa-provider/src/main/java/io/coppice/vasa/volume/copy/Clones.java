package io.coppice.vasa.volume.copy;

import io.coppice.engine.CloneSpec;
import io.coppice.engine.StorageEngine;
import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeInfo;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.policy.Capabilities;
import io.coppice.vasa.policy.Profiles;
import io.coppice.vasa.policy.Requirements;
import io.coppice.vasa.policy.StorageProfile;
import io.coppice.vasa.step.Step;
import io.coppice.vasa.task.TaskResult;
import io.coppice.vasa.task.VasaTask;
import io.coppice.vasa.volume.AppliedProfile;
import io.coppice.vasa.volume.VirtualVolume;
import io.coppice.vasa.volume.VolumeOrigin;
import io.coppice.vasa.volume.VolumeType;
import io.coppice.vasa.volume.VvolState;
import io.coppice.vasa.volume.operation.OperationLog;
import io.coppice.vasa.volume.operation.VolumeOperation;
import io.coppice.vasa.volume.space.SpaceStatistics;
import io.coppice.vasa.volume.store.DerivedMetadata;
import io.coppice.vasa.volume.store.PoolAttributes;
import io.coppice.vasa.volume.store.VolumeChanges;
import io.coppice.vasa.volume.store.VolumeStore;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/// Clones and copies of differences. Every clone, "fast" or "full", is the same single record of
/// the pool; one that is larger than its source takes a second one. Nothing is copied, and source
/// and clone may be deleted in any order.
@Service
public final class Clones {

  private final VolumeStore store;
  private final StorageEngine engine;
  private final Containers containers;
  private final Profiles profiles;
  private final SpaceStatistics spaces;
  private final BackgroundCopies copies;
  private final CopySettings settings;

  public Clones(
      VolumeStore store,
      Containers containers,
      Profiles profiles,
      SpaceStatistics spaces,
      BackgroundCopies copies,
      CopySettings settings) {
    this.copies = copies;
    this.settings = settings;
    this.store = store;
    this.engine = store.engine();
    this.containers = containers;
    this.profiles = profiles;
    this.spaces = spaces;
  }

  /// A clone to be made.
  ///
  /// @param container its container; null for the source's
  /// @param profile the profile that it must be given; null for the source's
  /// @param sizeInBytes its size; null for the source's
  /// @param metadata stored with it; `VMW_VVolType` sets its type, otherwise it has the source's
  public record NewClone(
      VolumeId source,
      @Nullable UUID container,
      VolumeOrigin origin,
      @Nullable StorageProfile profile,
      @Nullable Long sizeInBytes,
      Map<String, String> metadata) {

    public NewClone {
      metadata = Map.copyOf(metadata);
    }

    /// A clone of its source's size.
    public NewClone(
        VolumeId source,
        @Nullable UUID container,
        VolumeOrigin origin,
        @Nullable StorageProfile profile,
        Map<String, String> metadata) {
      this(source, container, origin, profile, null, metadata);
    }
  }

  /// Makes a linked clone in the source's container (VASA 2.0 fastCloneVirtualVolume).
  ///
  /// @return as [#clone]
  /// @throws VasaException as [#clone]
  public VasaTask fastClone(NewClone wanted) {
    return make("fastCloneVirtualVolume", VolumeId.random(), wanted);
  }

  /// Makes a clone (VASA 2.0 cloneVirtualVolume). The source may be bound and written to: the clone
  /// has the writes that were acknowledged before the call.
  ///
  /// @return the task, ended; its result is the new volume
  /// @throws VasaException (NotFound) if the source or the container is unknown; (InvalidArgument)
  ///   if the size is smaller than the source's; (InvalidProfile) if the profile cannot be met;
  ///   (OutOfResource) if the container or the pool lacks the space
  public VasaTask clone(NewClone wanted) {
    return make("cloneVirtualVolume", VolumeId.random(), wanted);
  }

  /// As [#clone], under an id that the caller has noted before: an unused one.
  public VasaTask cloneAs(VolumeId id, NewClone wanted) {
    return make("cloneVirtualVolume", id, wanted);
  }

  private VasaTask make(String task, VolumeId id, NewClone wanted) {
    StorageProfile profile = wanted.profile();
    Requirements asked = profile == null ? Requirements.NONE : Capabilities.requirementsOf(profile);
    VolumeOperation operation = VolumeOperation.of(VolumeOperation.Kind.CREATE, id);
    try (var _ = store.locks().hold(wanted.source(), operation.volume())) {
      VirtualVolume source = store.requireReady(wanted.source());
      store.checkNotCopiedTo(source.id());
      UUID target = wanted.container();
      StorageContainer container = containers.require(target == null ? source.container() : target);
      VirtualVolume draft =
          draft(
              operation.volume(),
              source,
              container,
              wanted,
              profile == null ? source.requirements() : asked);
      if (profile != null) {
        profiles.forNewVolume(container.id(), draft.type().text(), profile);
      }
      CloneSpec spec =
          new CloneSpec(
              source.id(), draft.id(), draft.thick(), PoolAttributes.of(draft, operation.id()));
      try (var _ = spaces.roomFor(container, draft.sizeInBytes(), draft.thick())) {
        return store
            .log()
            .runAsTask(
                operation,
                task,
                new TaskResult.NewVolume(draft.id()),
                store.making(
                    draft,
                    operation.id(),
                    () -> carryOut(operation, spec, draft.sizeInBytes()),
                    VolumeChanges.cloned(draft, source, container.text())));
      }
    }
  }

  /// Makes the clone in the pool: one record, and a second one if it is larger than its source.
  ///
  /// Order, and what a crash leaves: the clone comes first, and names the operation as its maker. A
  /// crash before it is grown leaves it with an operation whose row has not ended, so nobody sees
  /// it and recovery removes it. If the pool refuses to grow it, it is removed here, and the
  /// operation is withdrawn as if the clone had been refused.
  private VolumeInfo carryOut(VolumeOperation operation, CloneSpec spec, long sizeInBytes) {
    VolumeInfo made = store.log().havingRoom(() -> engine.clone(operation.id(), spec));
    if (made.sizeInBytes() == sizeInBytes) {
      return made;
    }
    store.log().reached(operation, Step.CLONED);
    try {
      return store
          .log()
          .havingRoom(() -> engine.resize(operation.derived("grow"), spec.id(), sizeInBytes));
    } catch (StorageException.DeviceFailed e) {
      throw e; // whether it happened is known after the next open
    } catch (StorageException e) {
      engine.delete(operation.derived("undo"), spec.id());
      throw e;
    }
  }

  private static long size(NewClone wanted, VirtualVolume source) {
    Long size = wanted.sizeInBytes();
    if (size != null && size < source.sizeInBytes()) {
      throw VasaException.invalidArgument(
              "expected a size of at least %d bytes, which the source %s has, got %d"
                  .formatted(source.sizeInBytes(), source.id(), size))
          .about("size");
    }
    return size == null ? source.sizeInBytes() : size;
  }

  /// A volume that is not made yet.
  VirtualVolume draft(
      VolumeId id,
      VirtualVolume source,
      StorageContainer container,
      NewClone wanted,
      Requirements requirements) {
    String given = wanted.metadata().get(DerivedMetadata.TYPE);
    VolumeType type = given == null ? source.type() : VolumeType.parse(given);
    StorageProfile profile = wanted.profile();
    return new VirtualVolume(
        id,
        container.id(),
        type,
        VvolState.CREATING,
        wanted.origin(),
        false,
        size(wanted, source),
        requirements.thick(),
        source.id(),
        profile == null ? source.profile() : AppliedProfile.of(profile),
        requirements,
        store.now(),
        DerivedMetadata.over(wanted.metadata(), container.id(), type));
  }

  /// Copies the differences between `source` and `base` onto `destination`, by pointer (VASA 2.0
  /// copyDiffsToVirtualVolume).
  ///
  /// @return the task: ended, or running if there is more to copy than a call should wait for
  /// @throws VasaException (NotFound) if one is unknown; (ResourceInUse) if the destination is
  ///   bound or exported, or while another copy goes on with it or onto source or base;
  ///   (NotSupported) if it is a snapshot; (InvalidArgument) if it is smaller than the source
  /// @throws StorageException.Unrelated if source and base have no common ancestor
  public VasaTask copyDiffs(VolumeId source, VolumeId base, VolumeId destination) {
    try (var _ = store.locks().hold(source, base, destination)) {
      store.requireReady(source);
      store.checkNotCopiedTo(source);
      store.requireReady(base);
      store.checkNotCopiedTo(base);
      store.requireWritable(destination);
      store.checkUnused(destination);
      VolumeOperation operation =
          VolumeOperation.of(VolumeOperation.Kind.COPY_DIFFS, destination).with(source, base);
      long bytes = copies.differing(source, base);
      if (bytes > settings.backgroundBytes()) {
        requireRoomOn(destination, source);
        return copies.begin(operation, bytes);
      }
      return store
          .log()
          .runAsTask(
              operation,
              "copyDiffsToVirtualVolume",
              new TaskResult.None(),
              OperationLog.Steps.of(
                  () -> engine.copyDiffs(operation.id(), source, base, destination),
                  _ -> copies.note(operation, "Copied")));
    }
  }

  private void requireRoomOn(VolumeId destination, VolumeId source) {
    long wanted = store.requireReady(source).sizeInBytes();
    long there = store.requireReady(destination).sizeInBytes();
    if (there < wanted) {
      throw VasaException.invalidArgument(
          "expected a destination of at least %d bytes, got %d in %s"
              .formatted(wanted, there, destination));
    }
  }
}
