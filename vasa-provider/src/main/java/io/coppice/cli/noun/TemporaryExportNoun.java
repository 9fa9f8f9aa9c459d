package io.coppice.cli.noun;

import io.coppice.api.iscsi.NewTemporaryExport;
import io.coppice.api.iscsi.TemporaryExportChange;
import io.coppice.api.iscsi.TemporaryExportView;
import io.coppice.api.iscsi.TemporaryUnit;
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
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The noun of exports that end by themselves.
final class TemporaryExportNoun {

  private static final View<TemporaryExportView> EXPORTS =
      View.of(
          TemporaryExportView.class,
          TemporaryExportView::id,
          Column.of("ID", TemporaryExportView::id),
          Column.of(
              "LUNS",
              one -> one.units().stream().map(TemporaryUnit::lun).map(String::valueOf).toList()),
          Column.of("WRITABLE", TemporaryExportView::writable),
          Column.of("ENDS", TemporaryExportView::ends),
          Column.of("TARGET", TemporaryExportView::target),
          Column.<TemporaryExportView>of("POINT", TemporaryExportView::point).onlyWide(),
          Column.<TemporaryExportView>of("CREATED", TemporaryExportView::created).onlyWide());

  private static final Argument ID = Argument.path("ID", "id", "its id");

  private TemporaryExportNoun() {}

  static Noun noun() {
    return Noun.of(
        "temporary-export",
        "recovery points and snapshots that a host may look into for a time",
        RestVerb.of(
                "create",
                "POST /temporary-exports",
                "exports a recovery point or snapshots to a host, for a time")
            .with(
                Flag.of("--point", "ID", "a recovery point, all of it or the --snapshot of it"),
                Flag.of("--snapshot", Kind.SNAPSHOT, "a snapshot").repeated(),
                Flag.of("--initiator", "IQN", "its iSCSI name").repeated(),
                Flag.of("--host", Kind.HOST, "a host with all its initiators").repeated(),
                Flag.of("--group", Kind.GROUP, "a host group with all its hosts").repeated(),
                Flag.on("--writable", "serves clones, which go at the end"),
                Flag.of("--keep", "TIME", "how long, such as 8h (what the server says)"))
            .body(TemporaryExportNoun::wanted)
            .sheet(EXPORTS),
        RestVerb.of("list", "GET /temporary-exports", "lists those that have not ended")
            .sortedBy("ends", "created")
            .list(EXPORTS),
        RestVerb.of("show", "GET /temporary-exports/{id}", "shows its units and lines for hosts")
            .on(ID)
            .tagged()
            .sheet(EXPORTS),
        new Verb(
            "commands",
            "prints lines for a shell of a host, Linux or ESXi, that find its units",
            List.of(ID),
            List.of(),
            List.of("GET /temporary-exports/{id}"),
            TemporaryExportNoun::commands),
        RestVerb.of("keep", "PATCH /temporary-exports/{id}", "lets it end earlier or later")
            .on(ID)
            .with(Flag.of("--for", "TIME", "from now on, such as 4h").needed())
            .guarded()
            .body(in -> new TemporaryExportChange(in.time("--for")))
            .row(EXPORTS),
        RestVerb.of("delete", "DELETE /temporary-exports/{id}", "ends it, with its clones")
            .on(ID)
            .guarded()
            .done("temporary export {ID} has ended"));
  }

  private static void commands(Inputs inputs, ClientSession session) {
    String path = "/temporary-exports/" + RestCall.segment(inputs.need("ID"));
    session
        .change(RestCall.get(path))
        .ifPresent(
            answer -> {
              Views.printLines("Linux", answer.path("linux"), session);
              Views.printLines("ESXi", answer.path("esxi"), session);
            });
  }

  private static NewTemporaryExport wanted(Inputs in) {
    return new NewTemporaryExport(
        point(in.text("--point")),
        in.someUuids("--snapshot", Kind.SNAPSHOT),
        some(in.texts("--initiator")),
        in.someUuids("--host", Kind.HOST),
        in.someUuids("--group", Kind.GROUP),
        in.isOn("--writable"),
        in.time("--keep"));
  }

  private static @Nullable UUID point(@Nullable String id) {
    try {
      return id == null ? null : UUID.fromString(id);
    } catch (IllegalArgumentException e) {
      throw CommandFailedException.usage("expected --point as the id of a point, got '%s'", id);
    }
  }

  private static @Nullable List<String> some(List<String> given) {
    return given.isEmpty() ? null : given;
  }
}
