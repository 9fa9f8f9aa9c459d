package io.coppice.cli.noun;

import io.coppice.api.host.Bound;
import io.coppice.api.host.Host;
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
          Column.of("ID", Host::id),
          Column.number("BINDINGS", Host::bindings),
          Column.of("LAST SEEN", Host::lastSeen),
          Column.of("INITIATORS", Host::initiators));

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
          Column.<RefusedClient>of("SUBJECT", RefusedClient::subject).onlyWide(),
          Column.<RefusedClient>of("ISSUER", RefusedClient::issuer).onlyWide(),
          Column.<RefusedClient>of("FIRST", RefusedClient::first).onlyWide());

  private static final Argument INITIATOR = Argument.path("INITIATOR", "name", "its iSCSI name");

  private HostNouns() {}

  static Noun host() {
    return Noun.of(
        "host",
        "hosts that have come",
        RestVerb.of("list", "GET /hosts", "lists hosts").list(HOSTS),
        RestVerb.of("delete", "DELETE /hosts/{id}", "removes a host that is gone for good")
            .on(Argument.path("HOST", "id", "its id"))
            .with(Flag.on("--force", "also ends its bindings").asQuery("force"))
            .done("host {HOST} is removed"));
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
                Flag.filter("host", "HOST", "those of a host"),
                Flag.filter("vvol", Kind.VVOL, "those of a vVol"))
            .list(BINDINGS));
  }

  static Noun registration() {
    return Noun.of(
        "registration",
        "vCenters that have registered, and clients that were refused",
        RestVerb.of("list", "GET /registrations", "lists registrations").list(REGISTRATIONS),
        RestVerb.of("refused", "GET /refused-clients", "lists clients that were refused")
            .wholeList(REFUSED));
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
