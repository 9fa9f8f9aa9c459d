package io.coppice.scsi.transport;

/// An I_T nexus: the relation of one initiator port to one target port, from login to logout.
///
/// Made by [TargetDevice#attach]. Its identity is that of the object.
public interface Nexus {

  InitiatorPort initiator();

  /// iSCSI name of the target.
  String target();
}
