package io.coppice.scsi.directory;

import io.coppice.engine.OperationId;
import io.coppice.engine.VolumeId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// The directory of who reaches which volume by which LUN. It is kept in the pool's records, so
/// that the target serves after a restart without any other part of Coppice.
///
/// Every changing method is stable on return and may be repeated with its [OperationId]. Safe for
/// any thread. Failures are [RefusedException]s that changed nothing.
public interface LunDirectory {

  /// iSCSI name of the target with the protocol endpoints.
  String endpointTarget();

  /// iSCSI name of the target with the plain logical units.
  String plainTarget();

  /// The designator of a volume's logical unit in VPD page 83h as text: `naa.` and 32 lower-case
  /// hex digits. It is the same for a volume's whole life, bound, exported or neither.
  String naaOf(VolumeId volume);

  /// All protocol endpoints, in LUN order; at least one.
  List<ProtocolEndpoint> endpoints();

  /// Adds the next protocol endpoint.
  ProtocolEndpoint addEndpoint(OperationId operation);

  /// Protocol endpoints that are out of service, by LUN, and since when.
  Map<Integer, Instant> retiredEndpoints();

  /// Takes a protocol endpoint out of service: nothing is bound through it any more. Bindings there
  /// stay until they are unbound or move by [#rebind].
  ///
  /// @throws RefusedException if there is no such endpoint, or no other one in service
  void retireEndpoint(OperationId operation, int lun);

  /// Puts a protocol endpoint back into service.
  ///
  /// @throws RefusedException if there is no such endpoint
  void restoreEndpoint(OperationId operation, int lun);

  /// Removes a protocol endpoint that is out of service and empty. Hosts see that the inventory has
  /// changed. On return none of their commands to the endpoint runs any more.
  ///
  /// @throws RefusedException (UNKNOWN) if there is no such endpoint; (IN_USE) if it is in service,
  ///   something is bound through it, or a host has not left it yet
  void removeEndpoint(OperationId operation, int lun);

  /// Declares a host and the initiators it uses; replaces the host's earlier set.
  ///
  /// @param initiators iSCSI names; compared in lower case
  /// @throws RefusedException if a name belongs to another host
  void declareHost(OperationId operation, HostId host, Set<String> initiators);

  /// Forgets a host and ends all its bindings.
  void forgetHost(OperationId operation, HostId host);

  /// Forgets a host that has no bindings. The check and the change are one step.
  ///
  /// @throws RefusedException (IN_USE) if it has some
  void forgetUnboundHost(OperationId operation, HostId host);

  /// Whether an initiator must prove a CHAP secret at login.
  boolean hasChapSecret(String initiator);

  /// iSCSI names of every declared host.
  Map<HostId, Set<String>> hosts();

  /// iSCSI names of a declared host; empty if it is unknown.
  default Set<String> initiatorsOf(HostId host) {
    return hosts().getOrDefault(host, Set.of());
  }

  /// Sets or, if `secret` is empty, removes the CHAP secret an initiator must prove at login.
  ///
  /// @param secret 12 to 255 characters
  void setChapSecret(OperationId operation, String initiator, Optional<String> secret);

  /// Sets or, if `secret` is empty, removes the secret by which the target proves itself to an
  /// initiator that asks for it (mutual CHAP).
  ///
  /// @param secret 12 to 255 characters, not the one that the initiator must prove: RFC 7143
  ///   §12.1.3 forbids one secret for both directions
  void setMutualChapSecret(OperationId operation, String initiator, Optional<String> secret);

  /// Binds a volume for a host, or counts one more bind. The first bind of a volume chooses its
  /// subsidiary number. A freed number rests before it is used again ([NumberRest]). If the host
  /// did not unbind itself, the number also rests as long as one of the host's sessions of that
  /// time is open.
  ///
  /// @param endpoints LUNs of the endpoints the host sees; empty for "any"
  /// @throws RefusedException if the host is unknown, no such endpoint exists, the volume is
  ///   exported or does not exist
  Binding bind(OperationId operation, HostId host, VolumeId volume, Set<Integer> endpoints);

  /// Moves a binding whose endpoint is out of service to another endpoint, with its count. Until
  /// [#leave] the host reaches the volume at both places. If the binding's endpoint is in service,
  /// or it has moved and has not left, it is returned unchanged.
  ///
  /// @param endpoints as in [#bind]
  /// @throws RefusedException if the host has not bound the volume, or none of the endpoints is in
  ///   service
  Binding rebind(OperationId operation, HostId host, VolumeId volume, Set<Integer> endpoints);

  /// Ends the place that a binding moved from, after the commands that the host has under way.
  ///
  /// @return whether there was one
  boolean leave(OperationId operation, HostId host, VolumeId volume);

  /// The places that bindings moved from and that their hosts have not left.
  List<Binding> formerBindings();

  /// Takes one bind of the host back. With the last one the logical unit stops answering that host,
  /// after its outstanding commands have ended.
  ///
  /// @return whether there was a binding
  boolean unbind(OperationId operation, HostId host, VolumeId volume);

  /// Takes all binds of one host, or of all hosts, back.
  ///
  /// @return the ended bindings, and the ended places that they had moved from
  List<Binding> unbindAll(OperationId operation, HostId host);

  /// Does the same as [#unbindAll] for every host of one volume.
  default List<Binding> unbindFromAllHosts(OperationId operation, VolumeId volume) {
    return unbindFrom(operation, volume, _ -> true);
  }

  /// Does the same as [#unbindAll] for some hosts of one volume; bindings of other hosts stay.
  ///
  /// @param hosts must answer at once: nothing else changes meanwhile
  List<Binding> unbindFrom(OperationId operation, VolumeId volume, Predicate<HostId> hosts);

  List<Binding> bindings();

  List<Binding> bindingsOf(VolumeId volume);

  /// Whether commands may still run of initiators that lost the volume by an unbind, an unexport or
  /// a change of their host. Work that an old write must not overtake waits until this is false.
  /// The caller first checks whether the volume is bound or exported, since either may end in
  /// between.
  boolean isBeingLeft(VolumeId volume);

  /// Serves a volume as a plain logical unit.
  ///
  /// Each initiator has numbers of its own: one number may name different volumes for different
  /// initiators. A number given out is the next one after the last one given out to any of the
  /// initiators. A freed number rests for the initiators that could reach the volume there
  /// ([NumberRest]), and longer as long as one of their sessions of that time is open. Meanwhile it
  /// names no other volume for them. The same volume may have it again by asking for it.
  ///
  /// @throws RefusedException if the number is taken or rests for one of the initiators, the volume
  ///   is exported or bound or does not exist, or it is a snapshot and `readOnly` is false
  Export export(OperationId operation, ExportRequest request);

  /// Does the same as [#export], without force.
  ///
  /// @param lun number to use, or empty for the next one
  default Export export(
      OperationId operation,
      VolumeId volume,
      Optional<Integer> lun,
      boolean readOnly,
      Set<String> initiators) {
    return export(operation, new ExportRequest(volume, lun, readOnly, initiators, false));
  }

  /// Serves an exported volume to one more initiator; does nothing if it is among them.
  ///
  /// @throws RefusedException (UNKNOWN) if the volume is not exported; (IN_USE) if its number names
  ///   another volume for the initiator; (RESTING) if the number rests for the initiator, which
  ///   could reach another volume there; (INVALID) if the name is no iSCSI name or the export has
  ///   the most initiators that it may have
  Export addInitiator(OperationId operation, VolumeId volume, String initiator);

  /// Checks whether [#addInitiator] would be refused now.
  ///
  /// @throws RefusedException as there
  void checkInitiator(VolumeId volume, String initiator);

  /// Takes an exported volume away from one initiator: a fence. It returns when the commands that
  /// the initiator has there have ended, also those that an earlier call waits for. From then on
  /// nothing that the initiator sent changes the volume. Others are not held up. The number rests
  /// for the initiator as after an unexport. The export stays, also without an initiator.
  ///
  /// @throws RefusedException (UNKNOWN) if the volume is not exported; (INVALID) if the name is no
  ///   iSCSI name
  Export removeInitiator(OperationId operation, VolumeId volume, String initiator);

  /// Ends an export after its outstanding commands have ended.
  ///
  /// @return the export that ended; empty if there was none
  Optional<FormerExport> unexport(OperationId operation, VolumeId volume);

  /// Holds every initiator off a volume whose content is to be replaced. It takes hold only while
  /// no initiator of the volume's export has a session, at either target, and no command of one
  /// that lost the volume runs. Exports, numbers, names and reservations stay. Until
  /// [Suspension#close], commands of sessions that open meanwhile are answered BUSY if they concern
  /// the medium, and copies name the volume in vain. A restart ends it, too.
  ///
  /// @throws RefusedException (IN_USE) if the volume is bound or suspended, an initiator has a
  ///   session, or commands still run; the text names the sessions
  Suspension suspend(VolumeId volume);

  /// A hold on a volume that no initiator reaches meanwhile.
  interface Suspension extends AutoCloseable {

    /// Lets initiators reach the volume again; a repeat does nothing.
    @Override
    void close();
  }

  List<Export> exports();

  Optional<Export> exportOf(VolumeId volume);

  /// Sets both secrets at once, or removes those that are empty.
  ///
  /// @param secret 12 to 255 characters: the secret that the initiator must prove
  /// @param mutual as in [#setMutualChapSecret]
  /// @return false if the initiator had just these
  boolean setChapSecrets(
      OperationId operation, String initiator, Optional<String> secret, Optional<String> mutual);
}
