package io.coppice.vasa.session;

import io.coppice.scsi.directory.HostId;
import io.coppice.vasa.actor.Actor;

/// The client at the other end of a session, under the name that it gave in `setContext` and that
/// its certificate allows.
public sealed interface Peer {

  /// The identifier it claimed: its `vcGuid` or `hostGuid`, in lower case.
  String guid();

  /// The peer as the actor of what it changes.
  Actor actor();

  /// A vCenter.
  record Vcenter(String guid) implements Peer {

    @Override
    public Actor actor() {
      return Actor.vasa("vCenter " + guid);
    }
  }

  /// An ESXi host. Its id in the pool is its `hostGuid`.
  record Host(String guid) implements Peer {

    public HostId id() {
      return new HostId(guid);
    }

    @Override
    public Actor actor() {
      return Actor.vasa("host " + guid);
    }
  }
}
