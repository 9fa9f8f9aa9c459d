package io.coppice.scsi.directory.pool;

import io.coppice.engine.VolumeId;
import io.coppice.scsi.transport.OpenSession;
import java.util.List;
import java.util.Set;

/// The listener that the directory tells of a change once it is stable.
public interface DirectoryListener {

  /// Initiators see a new volume: as a subsidiary unit of the endpoint, or as a plain unit if
  /// `endpoint` is 0.
  void appeared(VolumeId volume, int endpoint, Set<String> initiators);

  /// The open sessions of a target.
  ///
  /// @param endpoint 0 for the target with the plain units
  List<OpenSession> sessions(int endpoint);

  /// Initiators do not see a volume any more: their paths to it close. Called with the directory's
  /// lock, so that no path closes of an initiator that sees the volume again.
  ///
  /// @param endpoint as in [#appeared]
  AccessRevocation disappeared(VolumeId volume, int endpoint, Set<String> initiators);

  /// Initiators do not reach a volume at one place any more, but still reach it at another. Called
  /// with the directory's lock.
  ///
  /// @param number of the subsidiary unit at the endpoint
  AccessRevocation left(VolumeId volume, int endpoint, int number, Set<String> initiators);

  /// Initiators do not belong to a host any more and see no endpoint. Called with the directory's
  /// lock.
  AccessRevocation expelled(Set<String> initiators);

  /// An endpoint is gone for every initiator. Called with the directory's lock.
  AccessRevocation endpointRemoved(int endpoint);

  /// Whether commands to the volume's medium are answered BUSY from now on. Called with the
  /// directory's lock.
  void suspended(VolumeId volume, boolean suspended);

  /// Nobody sees the volume any more, and no command of those that did runs. Called with the
  /// directory's lock.
  void unused(VolumeId volume);
}
