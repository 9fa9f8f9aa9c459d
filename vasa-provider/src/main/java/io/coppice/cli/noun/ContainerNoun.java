package io.coppice.cli.noun;

import io.coppice.api.host.Container;
import io.coppice.api.host.ContainerChange;
import io.coppice.api.host.NewContainer;
import io.coppice.api.host.Offer;
import io.coppice.api.policy.DefaultPolicy;
import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.output.Column;
import io.coppice.cli.verb.Argument;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Inputs;
import io.coppice.cli.verb.Kind;
import io.coppice.cli.verb.Noun;
import io.coppice.cli.verb.RestVerb;
import io.coppice.cli.verb.Verb;
import io.coppice.cli.verb.View;
import java.util.LinkedHashSet;
import java.util.UUID;
import java.util.stream.Collectors;

/// Storage containers.
final class ContainerNoun {

  private static final View<Container> VIEW =
      View.of(
          Container.class,
          Container::id,
          Column.of("NAME", Container::name),
          Column.size("QUOTA", Container::quota),
          Column.size("PROVISIONED", Container::provisioned),
          Column.size("USED", Container::used),
          Column.size("FREE", Container::free),
          Column.number("VVOLS", Container::vvols),
          Column.of("ID", Container::id),
          Column.<Container>number("VMS", Container::vms).onlyWide(),
          Column.<Container>size("RECLAIMABLE", Container::reclaimable).onlyWide(),
          Column.<Container>of("BIN", Container::binTime).onlyWide(),
          Column.<Container>of("NEXT BIN", Container::binTimeNext).onlyWide(),
          Column.<Container>of("CREATED", Container::created).onlyWide(),
          Column.<Container>of("REGISTRATIONS", Container::registrations).onlyWide(),
          Column.<Container>of("WARNING", Container::warning).onlyWide());

  private static final Argument CONTAINER = Argument.of(Kind.CONTAINER, "id");
  private static final Argument TYPE =
      Argument.path("TYPE", "type", "Config, Data, Swap, Memory or Other");

  private ContainerNoun() {}

  static Noun noun() {
    return Noun.of(
        "container",
        "storage containers",
        create(),
        RestVerb.of("list", "GET /containers", "lists containers")
            .with(Flag.filter("name", "NAME", "those of a name"))
            .sortedBy("created", "name", "quota")
            .list(VIEW),
        RestVerb.of("show", "GET /containers/{id}", "shows all fields of a container")
            .on(CONTAINER)
            .tagged()
            .sheet(VIEW),
        change(),
        RestVerb.of("delete", "DELETE /containers/{id}", "deletes an empty container")
            .on(CONTAINER)
            .guarded()
            .done("container {CONTAINER} is deleted"),
        RestVerb.of(
                "offer",
                "PUT /containers/{id}/registrations",
                "offers it to some registrations of vCenters only")
            .on(CONTAINER, Argument.many("REGISTRATION", "ids of registrations", null))
            .body(ContainerNoun::offer)
            .row(VIEW),
        RestVerb.of(
                "offer-all", "DELETE /containers/{id}/registrations", "offers it to all of them")
            .on(CONTAINER)
            .done("container {CONTAINER} is offered to all registrations"),
        RestVerb.of(
                "defaults",
                "GET /containers/{id}/default-policies",
                "shows policies of volumes that come without one")
            .on(CONTAINER)
            .tagged()
            .document(),
        RestVerb.of("set-default", "PUT /containers/{id}/default-policies/{type}", "sets one")
            .on(CONTAINER, TYPE, Argument.text("POLICY", "id or name of the policy"))
            .guarded()
            .body(in -> new DefaultPolicy(in.uuid("POLICY", Kind.POLICY)))
            .document(),
        RestVerb.of(
                "clear-default", "DELETE /containers/{id}/default-policies/{type}", "removes one")
            .on(CONTAINER, TYPE)
            .guarded()
            .done("container {CONTAINER} has no default policy for {TYPE}"));
  }

  private static Verb create() {
    return RestVerb.of("create", "POST /containers", "makes a container")
        .on(Argument.text("NAME", "its name"))
        .with(
            Flag.of("--quota", "SIZE", "most that is stored in it").needed(),
            Flag.of(
                "--bin-time",
                "DURATION",
                "how long what is deleted stays in the recycle bin, such as P1D; PT0S: it does"
                    + " not"))
        .body(in -> new NewContainer(in.need("NAME"), in.size("--quota"), in.text("--bin-time")))
        .row(VIEW);
  }

  private static Verb change() {
    return RestVerb.of("change", "PATCH /containers/{id}", "changes a container")
        .on(CONTAINER)
        .guarded()
        .with(
            Flag.of("--name", "NAME", "its new name"),
            Flag.of("--quota", "SIZE", "its new quota"),
            Flag.of(
                "--bin-time",
                "DURATION",
                "how long what is deleted stays in the recycle bin, such as P1D; PT0S: it does"
                    + " not; default: as the setting says; two accounts lower it"))
        .body(
            in -> new ContainerChange(in.text("--name"), in.size("--quota"), in.text("--bin-time")))
        .row(VIEW);
  }

  private static Offer offer(Inputs in) {
    return new Offer(
        in.texts("REGISTRATION").stream()
            .map(one -> registration(one))
            .collect(Collectors.<UUID, LinkedHashSet<UUID>>toCollection(LinkedHashSet::new)));
  }

  private static UUID registration(String text) {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw CommandFailedException.usage("expected REGISTRATION as a UUID, got '%s'", text);
    }
  }
}
