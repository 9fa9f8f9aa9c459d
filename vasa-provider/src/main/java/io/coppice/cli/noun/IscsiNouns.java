package io.coppice.cli.noun;

import io.coppice.api.iscsi.Endpoint;
import io.coppice.api.iscsi.HostOffloads;
import io.coppice.api.iscsi.IscsiSession;
import io.coppice.api.iscsi.NewExport;
import io.coppice.api.iscsi.Offload;
import io.coppice.api.iscsi.OffloadCounts;
import io.coppice.api.iscsi.RefusedLogin;
import io.coppice.api.iscsi.VmOffloads;
import io.coppice.api.iscsi.VolumeTraffic;
import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.output.Column;
import io.coppice.cli.rest.RestCall;
import io.coppice.cli.verb.Argument;
import io.coppice.cli.verb.ClientSession;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Inputs;
import io.coppice.cli.verb.Kind;
import io.coppice.cli.verb.Noun;
import io.coppice.cli.verb.RestVerb;
import io.coppice.cli.verb.Verb;
import io.coppice.cli.verb.View;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// Nouns between volumes and initiators: exports, portals, protocol endpoints, offloads, traffic.
final class IscsiNouns {

  private static final View<IscsiSession> SESSIONS =
      View.of(
          IscsiSession.class,
          IscsiSession::isid,
          Column.of("INITIATOR", IscsiSession::initiator),
          Column.of("ADDRESS", IscsiSession::address),
          Column.of("PORTAL", IscsiSession::portal),
          Column.of("SINCE", IscsiSession::since),
          Column.of("TARGET", IscsiSession::target),
          Column.<IscsiSession>of("ISID", IscsiSession::isid).onlyWide(),
          Column.<IscsiSession>of("HEADER DIGEST", IscsiSession::headerDigest).onlyWide(),
          Column.<IscsiSession>of("DATA DIGEST", IscsiSession::dataDigest).onlyWide(),
          Column.<IscsiSession>number("ROUND TRIP (µs)", IscsiSession::roundTrip).onlyWide());

  private static final View<RefusedLogin> REFUSED =
      View.of(
          RefusedLogin.class,
          RefusedLogin::address,
          Column.of("LAST", RefusedLogin::last),
          Column.number("TIMES", RefusedLogin::times),
          Column.of("ADDRESS", RefusedLogin::address),
          Column.of("INITIATOR", RefusedLogin::initiator),
          Column.of("SENTENCE", RefusedLogin::sentence),
          Column.of("REMEDY", RefusedLogin::remedy),
          Column.<RefusedLogin>of("TARGET", RefusedLogin::target).onlyWide(),
          Column.<RefusedLogin>of("PORTAL", RefusedLogin::portal).onlyWide(),
          Column.<RefusedLogin>of("STATUS", RefusedLogin::status).onlyWide(),
          Column.<RefusedLogin>of("FIRST", RefusedLogin::first).onlyWide());

  private static final View<Endpoint> ENDPOINTS =
      View.of(
          Endpoint.class,
          Endpoint::lun,
          Column.number("LUN", Endpoint::lun),
          Column.of("IN SERVICE", Endpoint::inService),
          Column.number("BINDINGS", Endpoint::bindings),
          Column.number("LEAVING", Endpoint::leaving),
          Column.of("RETIRED", Endpoint::retiredSince),
          Column.of("NAA", Endpoint::naa));

  private static final View<VolumeTraffic> TRAFFIC =
      View.of(
          VolumeTraffic.class,
          VolumeTraffic::vvol,
          Column.of("VOLUME", VolumeTraffic::name),
          Column.number("READS", it -> it.read().commands()),
          Column.size("READ", it -> it.read().bytes()),
          Column.number("WRITES", it -> it.write().commands()),
          Column.size("WRITTEN", it -> it.write().bytes()),
          Column.of("ID", VolumeTraffic::vvol));

  private static final View<Offload> OFFLOADS =
      View.of(
          Offload.class,
          Offload::vvol,
          Column.of("NAME", Offload::name),
          Column.of("VM", Offload::vmName),
          Column.of("HOST", Offload::host),
          Column.number("COMMANDS", one -> one.counts().total().commands()),
          Column.size("SPARED", one -> one.counts().total().bytesSpared()),
          Column.number("FALL-BACKS", one -> one.counts().total().fallBacks()),
          Column.of("MOSTLY", one -> mostly(one.counts())),
          Column.of("VVOL", Offload::vvol),
          Column.<Offload>of("INITIATOR", Offload::initiator).onlyWide());

  private static final View<VmOffloads> VM_OFFLOADS =
      View.of(
          VmOffloads.class,
          VmOffloads::vm,
          Column.of("NAME", VmOffloads::name),
          Column.number("COMMANDS", one -> one.counts().total().commands()),
          Column.size("SPARED", one -> one.counts().total().bytesSpared()),
          Column.number("FALL-BACKS", one -> one.counts().total().fallBacks()),
          Column.of("MOSTLY", one -> mostly(one.counts())),
          Column.of("VM", VmOffloads::vm));

  private static final View<HostOffloads> HOST_OFFLOADS =
      View.of(
          HostOffloads.class,
          HostOffloads::host,
          Column.of("HOST", HostOffloads::host),
          Column.number("COMMANDS", one -> one.counts().total().commands()),
          Column.size("SPARED", one -> one.counts().total().bytesSpared()),
          Column.number("FALL-BACKS", one -> one.counts().total().fallBacks()),
          Column.of("MOSTLY", one -> mostly(one.counts())),
          Column.<HostOffloads>of("INITIATORS", HostOffloads::initiators).onlyWide());

  private static final Argument VOLUME = Argument.of(Kind.VOLUME, "vvol");
  private static final Argument INITIATOR = Argument.path("INITIATOR", "iqn", "its iSCSI name");
  private static final Argument HOST = Argument.of(Kind.HOST, "id");
  private static final Argument GROUP = Argument.of(Kind.GROUP, "id");
  private static final Argument LUN = Argument.path("LUN", "lun", "its number");
  private static final Argument PORTAL =
      Argument.path("NUMBER", "number", "of the portal (coppice iscsi show)");

  /// Kinds of hosts that lines are made for, and their names for people.
  private static final SequencedMap<String, String> SYSTEMS = systems();

  private IscsiNouns() {}

  /// Why most of the fall-backs happened.
  private static @Nullable String mostly(OffloadCounts counts) {
    return counts.total().reasons().stream()
        .findFirst()
        .map(reason -> "%d × %s".formatted(reason.count(), reason.sentence()))
        .orElse(null);
  }

  private static SequencedMap<String, String> systems() {
    SequencedMap<String, String> all = new LinkedHashMap<>();
    all.put("linux", "Linux");
    all.put("esxi", "ESXi");
    all.put("proxmox", "Proxmox VE");
    all.put("windows", "Windows (PowerShell)");
    return Collections.unmodifiableSequencedMap(all);
  }

  static Noun export() {
    return Noun.of(
        "export",
        "volumes that initiators see",
        RestVerb.of("create", "POST /exports", "exports a volume to initiators, hosts and groups")
            .on(Argument.text("VOLUME", "id or name"))
            .with(
                Flag.of("--initiator", "IQN", "its iSCSI name").repeated(),
                Flag.of("--host", Kind.HOST, "a host with all its initiators").repeated(),
                Flag.of("--group", Kind.GROUP, "a host group with all its hosts").repeated(),
                Flag.of("--lun", "N", "its number (the next one by default)"),
                Flag.on("--read-only", "initiators cannot write"),
                Flag.on("--force", "takes a number that rests"))
            .body(IscsiNouns::newExport)
            .row(Views.EXPORTS),
        RestVerb.of("list", "GET /exports", "lists exports")
            .with(
                Flag.filter("name", "NAME", "those of volumes of a name"),
                Flag.filter("host", Kind.HOST, "those to a host, itself or by a group"),
                Flag.filter("vvol", Kind.VOLUME, "that of a volume"))
            .sortedBy("lun", "vvol", "name")
            .list(Views.EXPORTS),
        RestVerb.of("show", "GET /exports/{vvol}", "shows all fields of an export")
            .on(VOLUME)
            .tagged()
            .sheet(Views.EXPORTS),
        new Verb(
            "commands",
            "prints lines for hosts with Linux, ESXi, Proxmox VE or Windows that find it",
            List.of(VOLUME),
            List.of(
                Flag.of("--system", "NAME", "linux, esxi, proxmox or windows: its lines alone")
                    .choosing(List.copyOf(SYSTEMS.keySet()))),
            List.of("GET /exports/{vvol}"),
            IscsiNouns::commands),
        RestVerb.of("add-initiator", "PUT /exports/{vvol}/initiators/{iqn}", "one initiator more")
            .on(VOLUME, INITIATOR)
            .row(Views.EXPORTS),
        RestVerb.of(
                "remove-initiator",
                "DELETE /exports/{vvol}/initiators/{iqn}",
                "one initiator less; ends when none of its commands runs any more")
            .on(VOLUME, INITIATOR)
            .done("volume {VOLUME} is not exported to {INITIATOR} any more"),
        RestVerb.of("add-host", "PUT /exports/{vvol}/hosts/{id}", "one host more")
            .on(VOLUME, HOST)
            .row(Views.EXPORTS),
        RestVerb.of("remove-host", "DELETE /exports/{vvol}/hosts/{id}", "one host less")
            .on(VOLUME, HOST)
            .done("volume {VOLUME} is not exported to host {HOST} any more"),
        RestVerb.of("add-group", "PUT /exports/{vvol}/groups/{id}", "one host group more")
            .on(VOLUME, GROUP)
            .row(Views.EXPORTS),
        RestVerb.of("remove-group", "DELETE /exports/{vvol}/groups/{id}", "one host group less")
            .on(VOLUME, GROUP)
            .done("volume {VOLUME} is not exported to group {GROUP} any more"),
        RestVerb.of("delete", "DELETE /exports/{vvol}", "ends an export")
            .on(VOLUME)
            .guarded()
            .done("volume {VOLUME} is not exported any more"));
  }

  static Noun iscsi() {
    return Noun.of(
        "iscsi",
        "portals, sessions and refused logins",
        RestVerb.of("show", "GET /iscsi", "shows portals, logins and violations").document(),
        RestVerb.of("sessions", "GET /iscsi/sessions", "lists open sessions")
            .with(
                Flag.filter("initiator", "IQN", "those of an initiator"),
                Flag.filter("target", "IQN", "those with a target"))
            .sortedBy("initiator", "portal", "since", "target")
            .list(SESSIONS),
        RestVerb.of(
                "refused-logins",
                "GET /iscsi/refused-logins",
                "lists the last logins that were not let in, and what to do")
            .sortedBy("last", "first", "address", "initiator", "times")
            .list(REFUSED),
        RestVerb.of(
                "drain",
                "POST /iscsi/portals/{number}/drain",
                "takes a portal out of service; sessions move to others")
            .on(PORTAL)
            .document(),
        RestVerb.of("undrain", "POST /iscsi/portals/{number}/undrain", "takes it back")
            .on(PORTAL)
            .document());
  }

  static Noun endpoint() {
    return Noun.of(
        "endpoint",
        "protocol endpoints",
        RestVerb.of("list", "GET /protocol-endpoints", "lists endpoints")
            .sortedBy("lun", "bindings")
            .list(ENDPOINTS),
        RestVerb.of("show", "GET /protocol-endpoints/{lun}", "shows all fields of an endpoint")
            .on(LUN)
            .sheet(ENDPOINTS),
        RestVerb.of("add", "POST /protocol-endpoints", "adds the next one").row(ENDPOINTS),
        RestVerb.of("retire", "POST /protocol-endpoints/{lun}/retire", "takes it out of service")
            .on(LUN)
            .row(ENDPOINTS),
        RestVerb.of("restore", "POST /protocol-endpoints/{lun}/restore", "takes it back")
            .on(LUN)
            .row(ENDPOINTS),
        RestVerb.of("delete", "DELETE /protocol-endpoints/{lun}", "removes an empty, retired one")
            .on(LUN)
            .done("protocol endpoint {LUN} is removed"));
  }

  static Noun offload() {
    return Noun.of(
        "offload",
        "what hosts let the array do",
        RestVerb.of("list", "GET /offloads", "lists counts of each vVol and initiator")
            .with(
                Flag.filter("vvol", Kind.VVOL, "those of a vVol"),
                Flag.filter("vm", Kind.VM, "those of a virtual machine"),
                Flag.filter("name", "NAME", "those of a name"),
                Flag.filter("host", Kind.HOST, "those of a host"))
            .sortedBy("vvol", "initiator", "commands", "bytesSpared", "name")
            .list(OFFLOADS),
        RestVerb.of("vms", "GET /offloads/vms", "sums for virtual machines")
            .with(Flag.filter("name", "NAME", "those of a name"))
            .sortedBy("vm", "name", "commands", "bytesSpared")
            .list(VM_OFFLOADS),
        RestVerb.of("hosts", "GET /offloads/hosts", "sums for hosts")
            .sortedBy("host", "commands", "bytesSpared")
            .list(HOST_OFFLOADS),
        RestVerb.of("total", "GET /offloads/total", "shows all since the provider's start")
            .document());
  }

  static Noun traffic() {
    return Noun.of(
        "traffic",
        "what hosts read and write, in counters; `top` makes rates of them",
        RestVerb.of("list", "GET /traffic", "lists the counters of each volume")
            .with(Flag.filter("name", "NAME", "those of a name"))
            .sortedBy("vvol", "name")
            .list(TRAFFIC),
        RestVerb.of("total", "GET /traffic/total", "shows those of all volumes").document(),
        RestVerb.of("busiest", "GET /traffic/busiest", "shows what hosts use most, in rates")
            .with(
                Flag.filter("of", "KIND", "volume (the default) or vm")
                    .choosing(List.of("volume", "vm")),
                Flag.filter("by", "ORDER", "iops (the default), bandwidth or latency")
                    .choosing(List.of("iops", "bandwidth", "latency")),
                Flag.filter("window", "TIME", "how far back, such as PT1M (PT15S by default)"),
                Flag.filter("limit", "N", "most of them (10 by default)"))
            .document());
  }

  private static void commands(Inputs in, ClientSession session) {
    String wanted = in.text("--system");
    if (wanted != null && !SYSTEMS.containsKey(wanted)) {
      throw CommandFailedException.usage(
          "expected --system as one of %s, got '%s'", String.join(", ", SYSTEMS.keySet()), wanted);
    }
    session
        .change(RestCall.get("/exports/" + in.uuid("VOLUME", Kind.VOLUME)))
        .ifPresent(
            answer ->
                SYSTEMS.forEach(
                    (system, title) -> {
                      if (wanted == null || wanted.equals(system)) {
                        JsonNode lines = answer.path("commands").path(system);
                        Views.printLines(title, lines, session);
                      }
                    }));
  }

  private static NewExport newExport(Inputs in) {
    return new NewExport(
        in.uuid("VOLUME", Kind.VOLUME),
        in.texts("--initiator").isEmpty() ? null : in.texts("--initiator"),
        in.someUuids("--host", Kind.HOST),
        in.someUuids("--group", Kind.GROUP),
        in.isOn("--read-only") ? true : null,
        in.number("--lun"),
        in.isOn("--force") ? true : null);
  }
}
