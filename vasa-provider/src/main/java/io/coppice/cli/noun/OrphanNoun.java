package io.coppice.cli.noun;

import io.coppice.api.volume.OrphanView;
import io.coppice.cli.output.Column;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Kind;
import io.coppice.cli.verb.Noun;
import io.coppice.cli.verb.RestVerb;
import io.coppice.cli.verb.View;

/// The noun of orphans. Its verb deletes nothing.
final class OrphanNoun {

  private static final View<OrphanView> ORPHANS =
      View.of(
          OrphanView.class,
          OrphanView::id,
          Column.of("NAME", OrphanView::name),
          Column.of("KIND", OrphanView::kind),
          Column.size("FREES", OrphanView::frees),
          Column.of("CREATED", OrphanView::created),
          Column.of("OF", OrphanView::owner),
          Column.of("WHY", OrphanView::sentence),
          Column.of("ID", OrphanView::id),
          Column.<OrphanView>of("REMEDY", OrphanView::remedy).onlyWide(),
          Column.<OrphanView>of("VM", OrphanView::vm).onlyWide(),
          Column.<OrphanView>of("VVOL", OrphanView::vvol).onlyWide(),
          Column.<OrphanView>of("CONTAINER", OrphanView::container).onlyWide());

  private OrphanNoun() {}

  static Noun noun() {
    return Noun.of(
        "orphan",
        "volumes and snapshots that nobody seems to need; nothing is deleted",
        RestVerb.of("list", "GET /orphans", "lists them, with what their deletion gives back")
            .with(
                Flag.filter("container", Kind.CONTAINER, "those in a container"),
                Flag.filter("name", "NAME", "those of a name"))
            .sortedBy("created", "name", "size")
            .list(ORPHANS));
  }
}
