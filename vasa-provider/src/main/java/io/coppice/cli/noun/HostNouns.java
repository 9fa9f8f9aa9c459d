package io.coppice.cli.noun;

import io.coppice.api.host.Bound;
import io.coppice.api.host.Host;
import io.coppice.api.host.HostDraft;
import io.coppice.api.host.HostGroupDraft;
import io.coppice.api.host.NamedHosts;
import io.coppice.api.host.NewSecret;
import io.coppice.api.host.RefusedClient;
import io.coppice.api.host.Registered;
import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.output.Column;
import io.coppice.cli.verb.Argument;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Inputs;
import io.coppice.cli.verb.Kind;
import io.coppice.cli.verb.Noun;
import io.coppice.cli.verb.RestVerb;
import io.coppice.cli.verb.View;
import org.jspecify.annotations.Nullable;

/// Hosts, their initiators and bindings, and the vCenters that have registered.
final class HostNouns {

  private static final View<Host> HOSTS =
      View.of(
          Host.class,
          Host::id,
          Column.of("NAME", Host::name),
          Column.of("MANAGED BY", Host::managedBy),
          Column.number("CONNECTIONS", host -> host.connections().size()),
          Column.number("EXPORTS", Host::exports),
          Column.number("BINDINGS", Host::bindings),
          Column.of("ID", Host::id),
          Column.<Host>of("INITIATORS", Host::initiators).onlyWide(),
          Column.<Host>of("CHAP", Host::chap).onlyWide(),
          Column.<Host>of("GROUPS", Host::groups).onlyWide(),
          Column.<Host>of("LAST SEEN", Host::lastSeen).onlyWide());

  private static final View<NamedHosts> GROUPS =
      View.of(
          NamedHosts.class,
          NamedHosts::id,
          Column.of("NAME", NamedHosts::name),
          Column.number("MEMBERS", group -> group.hosts().size()),
          Column.of("ID", NamedHosts::id),
          Column.<NamedHosts>of("HOSTS", NamedHosts::hosts).onlyWide());

  private static final View<Bound> BINDINGS =
      View.of(
          Bound.class,
          Bound::vvol,
          Column.of("HOST", Bound::host),
          Column.of("VVOL", Bound::vvol),
          Column.number("ENDPOINT", Bound::protocolEndpoint),
          Column.of("SECONDARY ID", Bound::secondaryId),
          Column.number("COUNT", Bound::count),
          Column.number("LEAVING", Bound::leaving));

  private static final View<Registered> REGISTRATIONS =
      View.of(
          Registered.class,
          Registered::id,
          Column.of("ID", Registered::id),
          Column.of("ADDRESS", Registered::address),
          Column.of("VCENTERS", Registered::vcenters),
          Column.number("HOSTS", Registered::hosts),
          Column.of("REGISTERED", Registered::registered),
          Column.<Registered>of("ROOTS", Registered::roots).onlyWide());

  private static final View<RefusedClient> REFUSED =
      View.of(
          RefusedClient.class,
          RefusedClient::address,
          Column.of("ADDRESS", RefusedClient::address),
          Column.of("REASON", RefusedClient::reason),
          Column.number("TIMES", RefusedClient::times),
          Column.of("LAST", RefusedClient::last),
          Column.<RefusedClient>of("REMEDY", RefusedClient::remedy).onlyWide(),
          Column.<RefusedClient>of("SUBJECT", RefusedClient::subject).onlyWide(),
          Column.<RefusedClient>of("ISSUER", RefusedClient::issuer).onlyWide(),
          Column.<RefusedClient>of("FIRST", RefusedClient::first).onlyWide());

  private static final Argument HOST = Argument.of(Kind.HOST, "id");
  private static final Argument GROUP = Argument.of(Kind.GROUP, "id");
  private static final Argument IQN = Argument.path("INITIATOR", "iqn", "its iSCSI name");
  private static final Argument INITIATOR = Argument.path("INITIATOR", "name", "its iSCSI name");

  private HostNouns() {}

  static Noun host() {
    return Noun.of(
        "host",
        "hosts: those of vCenter, and those that you make for exports",
        RestVerb.of("create", "POST /hosts", "makes a host")
            .on(Argument.text("NAME", "its name"))
            .with(Flag.of("--initiator", "IQN", "its iSCSI name").repeated().needed())
            .body(in -> new HostDraft(in.need("NAME"), in.texts("--initiator")))
            .row(HOSTS),
        RestVerb.of("list", "GET /hosts", "lists hosts")
            .with(
                Flag.filter("name", "NAME", "those of a name"),
                Flag.filter("initiator", "IQN", "that of an initiator"),
                Flag.of("--managed-by", "WHO", "vcenter or admin").asQuery("managedBy"))
            .sortedBy("id", "name", "managedBy")
            .list(HOSTS),
        RestVerb.of("show", "GET /hosts/{id}", "shows all fields of a host")
            .on(HOST)
            .tagged()
            .sheet(HOSTS),
        RestVerb.of("rename", "PATCH /hosts/{id}", "gives a host another name")
            .on(HOST, Argument.text("NAME", "its new name"))
            .guarded()
            .body(in -> new HostDraft(in.need("NAME"), null))
            .row(HOSTS),
        RestVerb.of(
                "add-initiator",
                "PUT /hosts/{id}/initiators/{iqn}",
                "one initiator more, also at its exports")
            .on(HOST, IQN)
            .row(HOSTS),
        RestVerb.of(
                "remove-initiator",
                "DELETE /hosts/{id}/initiators/{iqn}",
                "one initiator less; ends when none of its commands runs any more")
            .on(HOST, IQN)
            .done("host {HOST} has no initiator {INITIATOR}"),
        RestVerb.of("delete", "DELETE /hosts/{id}", "deletes a host, or one that is gone for good")
            .on(HOST)
            .guarded()
            .with(Flag.on("--force", "also ends its bindings").asQuery("force"))
            .done("host {HOST} is deleted"));
  }

  static Noun hostGroup() {
    return Noun.of(
        "host-group",
        "hosts that get the same exports",
        RestVerb.of("create", "POST /host-groups", "makes a group")
            .on(Argument.text("NAME", "its name"))
            .with(Flag.of("--host", Kind.HOST, "a host that is in it").repeated())
            .body(in -> new HostGroupDraft(in.need("NAME"), in.uuids("--host", Kind.HOST)))
            .row(GROUPS),
        RestVerb.of("list", "GET /host-groups", "lists groups")
            .with(Flag.filter("name", "NAME", "those of a name"))
            .sortedBy("id", "name")
            .list(GROUPS),
        RestVerb.of("show", "GET /host-groups/{id}", "shows all fields of a group")
            .on(GROUP)
            .tagged()
            .sheet(GROUPS),
        RestVerb.of("rename", "PATCH /host-groups/{id}", "gives a group another name")
            .on(GROUP, Argument.text("NAME", "its new name"))
            .guarded()
            .body(in -> new HostGroupDraft(in.need("NAME"), null))
            .row(GROUPS),
        RestVerb.of("set-hosts", "PATCH /host-groups/{id}", "says which hosts are in it")
            .on(GROUP, Argument.many("HOST", "ids or names of all of them", Kind.HOST))
            .guarded()
            .body(in -> new HostGroupDraft(null, in.uuids("HOST", Kind.HOST)))
            .row(GROUPS),
        RestVerb.of("delete", "DELETE /host-groups/{id}", "deletes a group")
            .on(GROUP)
            .guarded()
            .done("host group {GROUP} is deleted"));
  }

  static Noun initiator() {
    return Noun.of(
        "initiator",
        "CHAP secrets of iSCSI initiators",
        RestVerb.of("set-chap", "PUT /initiators/{name}/chap", "sets secrets for the next logins")
            .on(INITIATOR)
            .with(
                Flag.of("--secret-file", "FILE", "its secret, 12 to 255 characters; - is the input")
                    .needed(),
                Flag.of("--mutual-secret-file", "FILE", "the target's secret"))
            .body(
                in ->
                    new NewSecret(secret(in, "--secret-file"), secret(in, "--mutual-secret-file")))
            .done("initiator {INITIATOR} has CHAP secrets"),
        RestVerb.of("clear-chap", "DELETE /initiators/{name}/chap", "removes its secrets")
            .on(INITIATOR)
            .done("initiator {INITIATOR} has no CHAP secrets"));
  }

  static Noun binding() {
    return Noun.of(
        "binding",
        "bindings of vVols to hosts",
        RestVerb.of("list", "GET /bindings", "lists bindings")
            .with(
                Flag.filter("host", Kind.HOST, "those of a host"),
                Flag.filter("vvol", Kind.VVOL, "those of a vVol"))
            .sortedBy("host", "vvol", "protocolEndpoint")
            .list(BINDINGS));
  }

  static Noun registration() {
    return Noun.of(
        "registration",
        "vCenters that have registered, and clients that were refused",
        RestVerb.of("list", "GET /registrations", "lists registrations")
            .sortedBy("id", "registered", "address", "hosts")
            .list(REGISTRATIONS),
        RestVerb.of("form", "GET /registrations/form", "shows what to enter to add it in vCenter")
            .document(),
        RestVerb.of("refused", "GET /refused-clients", "lists clients that were refused")
            .sortedBy("last", "first", "address", "times")
            .list(REFUSED));
  }

  private static @Nullable String secret(Inputs in, String flag) {
    if (in.text(flag) == null) {
      return null;
    }
    String secret = in.file(flag).stripTrailing();
    if (secret.isEmpty()) {
      throw CommandFailedException.usage("expected a secret in the file of %s, got none", flag);
    }
    return secret;
  }
}
