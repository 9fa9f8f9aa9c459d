package io.coppice.driver.soap;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Replication of VASA 3.0, contract 5.11.
public final class ReplicationCalls {

  private final Exchange exchange;

  ReplicationCalls(Exchange exchange) {
    this.exchange = exchange;
  }

  /// The id of a group at one of its ends.
  public record Group(String faultDomain, String id) {

    static Group of(Xml groupId) {
      return new Group(
          groupId.required("ns:faultDomainId/ns:id"), groupId.required("ns:deviceGroupId/ns:id"));
    }

    void write(XmlText x) {
      x.element("ns:deviceGroupId", device -> device.text("ns:id", id))
          .element("ns:faultDomainId", domain -> domain.text("ns:id", faultDomain));
    }
  }

  /// A storage policy for the volume that a device becomes.
  public record Policy(String vvolId, String policyId) {

    void write(XmlText x) {
      x.text("ns:datastore", "")
          .typed("ns:id", "ns:VVolId", id -> id.text("ns:id", vvolId))
          .text("ns:policyId", policyId);
    }
  }

  /// A device of a group, as the answer names it.
  ///
  /// @param source vVol at the source
  /// @param replica id of its replica
  /// @param here vVol here; null at a target that shows none
  public record Device(String source, @Nullable String replica, @Nullable String here) {}

  /// A group as its end here sees it.
  ///
  /// @param other the group at the other end
  public record Info(String type, String name, String state, Group other, List<Device> devices) {

    static Info of(Xml info) {
      boolean isSource = info.type().equals("SourceGroupInfo");
      return new Info(
          info.type(),
          info.required("ns:name"),
          info.required("ns:state"),
          Group.of(
              info.one(
                  isSource ? "ns:replica/ns:targetGroupId" : "ns:sourceInfo/ns:sourceGroupId")),
          isSource
              ? info.all("ns:memberInfo").stream().map(Info::member).toList()
              : info.all("ns:devices").stream().map(Info::replica).toList());
    }

    private static Device member(Xml member) {
      String vvol = member.required("ns:deviceId/ns:id");
      return new Device(vvol, member.required("ns:targetId/ns:deviceId/ns:id"), vvol);
    }

    private static Device replica(Xml device) {
      return new Device(
          device.required("ns:sourceId/ns:id"),
          device.required("ns:replicaId/ns:id"),
          device.text("ns:recoveredDeviceId/ns:id"));
    }
  }

  /// A replica.
  public record Replica(String id, String name, Instant at, List<String> tags) {

    static Replica of(Xml info) {
      return new Replica(
          info.required("ns:id/ns:id"),
          info.required("ns:pitName"),
          OffsetDateTime.parse(info.required("ns:timeStamp")).toInstant(),
          info.texts("ns:tags"));
    }
  }

  /// The result of one group.
  ///
  /// @param type of the result
  /// @param errors why there is no other one
  /// @param warnings names of the faults that did not keep the call from succeeding
  public record Result(
      String operation,
      Group group,
      String type,
      List<VasaFault> errors,
      List<String> warnings,
      Xml xml) {

    static Result of(String operation, Xml xml) {
      return new Result(
          operation,
          Group.of(xml.one("ns:groupId")),
          xml.type(),
          xml.all("ns:error").stream().map(one -> VasaFault.ofItem(operation, one)).toList(),
          xml.all("ns:warning").stream().map(Xml::type).toList(),
          xml);
    }

    /// Name of the fault; AlreadyDone if there was nothing to do; else `done`.
    public String outcome() {
      if (!errors.isEmpty()) {
        return errors.getFirst().name();
      }
      return warnings.isEmpty() ? "done" : warnings.getFirst();
    }

    /// @throws VasaFault the first error, if there is one
    public Result good() {
      if (!errors.isEmpty()) {
        throw errors.getFirst();
      }
      return this;
    }

    public Info info() {
      return Info.of(good().xml().one("ns:rgInfo"));
    }

    public List<Replica> replicas() {
      return good().xml().all("ns:replicaInfo").stream().map(Replica::of).toList();
    }

    /// What volumes were made of, or could be.
    public List<Device> recovered() {
      return good().xml().all("ns:recoveredDeviceInfo").stream()
          .map(
              one ->
                  new Device(
                      one.required("ns:sourceDeviceId/ns:id"),
                      one.text("ns:targetDeviceId/ns:id"),
                      one.text("ns:recoveredDeviceId/ns:id")))
          .toList();
    }
  }

  /// Ids of the fault domains of the provider.
  public List<String> queryFaultDomain() {
    return exchange.ask("queryFaultDomain", x -> {}).all("ns:return").stream()
        .map(domain -> domain.required("ns:id"))
        .toList();
  }

  /// Fault domain to those that it replicates to.
  public Map<String, List<String>> queryReplicationPeer() {
    Map<String, List<String>> peers = new LinkedHashMap<>();
    for (Xml one : exchange.ask("queryReplicationPeer", x -> {}).all("ns:return")) {
      peers.put(one.required("ns:sourceDomain/ns:id"), one.texts("ns:targetDomain/ns:id"));
    }
    return peers;
  }

  /// @param groups none for all
  public List<Result> queryReplicationGroup(List<Group> groups) {
    return results("queryReplicationGroup", x -> write(x, groups));
  }

  /// @param pitName regular expression; null for any name
  public List<Result> queryPointInTimeReplica(List<Group> groups, @Nullable String pitName) {
    return results(
        "queryPointInTimeReplica",
        x -> {
          write(x, groups);
          x.element("ns:queryParam", param -> param.optional("ns:pitName", pitName));
        });
  }

  public List<Result> syncReplicationGroup(List<Group> groups, String pitName) {
    return results(
        "syncReplicationGroup",
        x -> {
          write(x, groups);
          x.text("ns:pitName", pitName);
        });
  }

  public List<Result> prepareFailoverReplicationGroup(List<Group> groups) {
    return results("prepareFailoverReplicationGroup", x -> write(x, groups));
  }

  /// A fail-over, or a test, as vCenter asks for it.
  ///
  /// @param replica id; null for the newest one
  public record Order(
      boolean checkOnly,
      boolean planned,
      List<Policy> policies,
      Group group,
      @Nullable String replica) {

    public static Order of(Group group) {
      return new Order(false, false, List.of(), group, null);
    }

    public Order asPlanned() {
      return new Order(checkOnly, true, policies, group, replica);
    }

    public Order asCheck() {
      return new Order(true, planned, policies, group, replica);
    }

    public Order from(String id) {
      return new Order(checkOnly, planned, policies, group, id);
    }

    public Order with(Policy policy) {
      return new Order(checkOnly, planned, List.of(policy), group, replica);
    }

    void write(XmlText x) {
      x.text("ns:checkOnly", checkOnly).text("ns:isPlanned", planned);
      policies.forEach(policy -> x.element("ns:policyAssociations", policy::write));
      x.element(
          "ns:replicationGroupsToFailover",
          data -> {
            data.element("ns:groupId", group::write);
            if (replica != null) {
              data.element("ns:pitId", id -> id.text("ns:id", replica));
            }
          });
    }
  }

  public List<Result> failoverReplicationGroup(Order order) {
    return results("failoverReplicationGroup", x -> x.element("ns:failoverParam", order::write));
  }

  public List<Result> testFailoverReplicationGroupStart(Order order) {
    return results(
        "testFailoverReplicationGroupStart", x -> x.element("ns:testFailoverParam", order::write));
  }

  /// @param force whether the bindings of the test's volumes end first
  public List<Result> testFailoverReplicationGroupStop(List<Group> groups, boolean force) {
    return results(
        "testFailoverReplicationGroupStop",
        x -> {
          write(x, groups);
          x.text("ns:force", force);
        });
  }

  public List<Result> promoteReplicationGroup(List<Group> groups, boolean planned) {
    return results(
        "promoteReplicationGroup",
        x ->
            x.element(
                "ns:promoteParam",
                param -> {
                  param.text("ns:isPlanned", planned);
                  groups.forEach(
                      group -> param.element("ns:replicationGroupsToPromote", group::write));
                }));
  }

  public List<Result> reverseReplicateGroup(List<Group> groups) {
    return results("reverseReplicateGroup", x -> write(x, groups));
  }

  private static void write(XmlText x, List<Group> groups) {
    groups.forEach(group -> x.element("ns:groupId", group::write));
  }

  private List<Result> results(String operation, Consumer<XmlText> arguments) {
    return exchange.all(operation, one -> Result.of(operation, one), arguments);
  }
}
