package io.coppice.cli.noun;

import io.coppice.api.bin.BinItem;
import io.coppice.api.bin.Restore;
import io.coppice.api.bin.Restored;
import io.coppice.cli.output.Column;
import io.coppice.cli.verb.Argument;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Kind;
import io.coppice.cli.verb.Noun;
import io.coppice.cli.verb.RestVerb;
import io.coppice.cli.verb.View;

/// The recycle bin.
final class BinNoun {

  private static final View<BinItem> ITEMS =
      View.of(
          BinItem.class,
          BinItem::id,
          Column.of("NAME", BinItem::name),
          Column.of("KIND", BinItem::kind),
          Column.size("SIZE", BinItem::size),
          Column.size("ALONE", BinItem::alone),
          Column.of("DELETED", BinItem::deleted),
          Column.of("UNTIL", BinItem::until),
          Column.of("ID", BinItem::id),
          Column.<BinItem>of("BY", BinItem::by).onlyWide(),
          Column.<BinItem>of("VM", BinItem::vm).onlyWide(),
          Column.<BinItem>of("VVOL", BinItem::vvol).onlyWide(),
          Column.<BinItem>of("CONTAINER", BinItem::container).onlyWide());

  private static final View<Restored> RESTORED =
      View.of(
          Restored.class,
          Restored::id,
          Column.of("NAME", Restored::name),
          Column.of("KIND", Restored::kind),
          Column.of("LUN", Restored::lun),
          Column.of("EXPORT REFUSED", Restored::exportRefused),
          Column.of("ID", Restored::id),
          Column.<Restored>of("CONTAINER", Restored::container).onlyWide());

  private static final Argument ITEM =
      Argument.path("ID", "id", "id of something in the recycle bin");

  private BinNoun() {}

  static Noun noun() {
    return Noun.of(
        "bin",
        "the recycle bin: what was deleted and can be restored",
        RestVerb.of("list", "GET /bin", "lists what is in the recycle bin")
            .with(
                Flag.filter("container", Kind.CONTAINER, "what was in a container"),
                Flag.filter("vm", "ID", "what belonged to a virtual machine, by its id"),
                Flag.filter("name", "NAME", "what has a name"),
                Flag.filter("kind", "KIND", "volume, vvol, snapshot or safety-copy"))
            .sortedBy("deleted", "until", "name", "size")
            .list(ITEMS),
        RestVerb.of("show", "GET /bin/{id}", "shows all fields of something in the recycle bin")
            .on(ITEM)
            .sheet(ITEMS),
        RestVerb.of(
                "restore",
                "POST /bin/{id}/restore",
                "brings it back, or sets a volume back to a safety copy")
            .on(ITEM)
            .with(Flag.of("--name", "NAME", "its new name, where its own is taken"))
            .body(in -> in.text("--name") == null ? null : new Restore(in.text("--name")))
            .row(RESTORED),
        RestVerb.of(
                "restore-vm",
                "POST /vms/{id}/restore",
                "brings back all that is there of a virtual machine")
            .on(Argument.path("VM", "id", "id of the virtual machine"))
            .document(),
        RestVerb.of("purge", "DELETE /bin/{id}", "deletes it for good")
            .on(ITEM)
            .done("{ID} is deleted for good"));
  }
}
