package io.coppice.vasa.replication;

import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import java.util.List;

/// A provider without a replication partner: one fault domain, no groups.
public final class NoPartner implements Replication {

  private final FaultDomain faultDomain;

  /// @param faultDomain this provider's
  public NoPartner(FaultDomain faultDomain) {
    this.faultDomain = faultDomain;
  }

  @Override
  public FaultDomain faultDomain() {
    return faultDomain;
  }

  @Override
  public List<String> targetsOf(String source) {
    if (!source.equals(faultDomain.id())) {
      throw VasaException.notFound(
          "expected fault domain %s, got '%s'".formatted(faultDomain.id(), source));
    }
    return List.of();
  }

  @Override
  public List<ReplicationGroup> groups() {
    return List.of();
  }

  @Override
  public ReplicationGroup group(GroupId id) {
    throw notFound(id);
  }

  @Override
  public List<PointInTimeReplica> replicasOf(GroupId id, ReplicaQuery query) {
    throw notFound(id);
  }

  /// Refuses the change. A group of another fault domain has its end there; a group made here on
  /// demand would have no target.
  @Override
  public void change(GroupId id, GroupChange change) {
    if (!id.faultDomain().equals(faultDomain.id())) {
      throw new VasaException(
          new Fault.InvalidFunctionTarget(),
          "replication group %s is not managed here, but %s is".formatted(id, faultDomain.id()));
    }
    if (id.isOnDemand()) {
      throw new VasaException(
          new Fault.NoReplicationTarget(), "this provider replicates to no other one");
    }
    throw notFound(id);
  }

  private static VasaException notFound(GroupId id) {
    return VasaException.notFound("there is no replication group " + id);
  }
}
