package io.coppice.cli.noun;

import io.coppice.cli.noun.event.AlertNoun;
import io.coppice.cli.noun.event.AlertTargetNoun;
import io.coppice.cli.noun.event.AuditNoun;
import io.coppice.cli.noun.event.EventNoun;
import io.coppice.cli.verb.Noun;
import io.coppice.cli.verb.Verb;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// All nouns. One is made only when it is asked for.
public final class Nouns {

  private static final Map<String, Supplier<Noun>> ALL = new LinkedHashMap<>();

  static {
    ALL.put("volume", VolumeNouns::volume);
    ALL.put("snapshot", SnapshotNouns::snapshot);
    ALL.put("bin", BinNoun::noun);
    ALL.put("export", IscsiNouns::export);
    ALL.put("temporary-export", TemporaryExportNoun::noun);
    ALL.put("container", ContainerNoun::noun);
    ALL.put("policy", PolicyNoun::noun);
    ALL.put("schedule", SnapshotNouns::schedule);
    ALL.put("protection-policy", ProtectionNouns::policy);
    ALL.put("protection-group", ProtectionNouns::group);
    ALL.put("recovery-point", ProtectionNouns::point);
    ALL.put("peer", PeerNoun::noun);
    ALL.put("replication-group", ReplicationGroupNoun::noun);
    ALL.put("runbook", RunbookNoun::noun);
    ALL.put("lock", LockNoun::locks);
    ALL.put("vm", VolumeNouns::vm);
    ALL.put("vvol", VolumeNouns::vvol);
    ALL.put("host", HostNouns::host);
    ALL.put("host-group", HostNouns::hostGroup);
    ALL.put("initiator", HostNouns::initiator);
    ALL.put("binding", HostNouns::binding);
    ALL.put("registration", HostNouns::registration);
    ALL.put("endpoint", IscsiNouns::endpoint);
    ALL.put("iscsi", IscsiNouns::iscsi);
    ALL.put("offload", IscsiNouns::offload);
    ALL.put("traffic", IscsiNouns::traffic);
    ALL.put("history", HistoryNouns::history);
    ALL.put("forecast", HistoryNouns::forecast);
    ALL.put("space", SpaceNoun::noun);
    ALL.put("orphan", OrphanNoun::noun);
    ALL.put("difference", DifferenceNoun::noun);
    ALL.put("job", SystemNouns::job);
    ALL.put("alert", AlertNoun::noun);
    ALL.put("alert-target", AlertTargetNoun::noun);
    ALL.put("event", EventNoun::noun);
    ALL.put("audit", AuditNoun::noun);
    ALL.put("scrub", ScrubNoun::noun);
    ALL.put("token", SystemNouns::token);
    ALL.put("account", AccountNouns::account);
    ALL.put("session", AccountNouns::session);
    ALL.put("approval", LockNoun::approval);
    ALL.put("system", SystemNouns::system);
  }

  private Nouns() {}

  /// The noun of a name, if there is one.
  public static Optional<Noun> find(String name) {
    return Optional.ofNullable(ALL.get(name)).map(Supplier::get);
  }

  /// All of them, in the order in which they are explained.
  public static Iterable<Noun> all() {
    return ALL.values().stream().map(Supplier::get).toList();
  }

  /// The verb behind the command `events`.
  public static Verb events() {
    return EventNoun.list();
  }
}
