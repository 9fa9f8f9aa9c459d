package io.coppice.cli.noun;

import io.coppice.api.volume.DifferenceMap;
import io.coppice.api.volume.DifferenceRange;
import io.coppice.cli.output.ByteSize;
import io.coppice.cli.output.Column;
import io.coppice.cli.output.Notation;
import io.coppice.cli.output.OutputFormat;
import io.coppice.cli.rest.RestCall;
import io.coppice.cli.verb.Argument;
import io.coppice.cli.verb.ClientSession;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Inputs;
import io.coppice.cli.verb.Kind;
import io.coppice.cli.verb.Noun;
import io.coppice.cli.verb.Verb;
import io.coppice.cli.verb.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/// The noun of what differs between two snapshots, or a snapshot and a volume.
final class DifferenceNoun {

  private static final List<Kind> KINDS = List.of(Kind.VVOL, Kind.SNAPSHOT);

  private static final Argument OF =
      Argument.text("NAME", "id or name of a volume, vVol or snapshot");

  private static final Flag SINCE =
      Flag.of("--since", "NAME", "compare with this one of its family (with nothing: all data)");

  private static final View<DifferenceRange> RANGES =
      View.of(
          DifferenceRange.class,
          DifferenceRange::offset,
          Column.number("OFFSET", DifferenceRange::offset),
          Column.number("LENGTH", DifferenceRange::length));

  /// Cells of a line of the picture.
  private static final int LINE = 64;

  /// From nothing to all of a cell.
  private static final String SHADES = " .:-=+*#%@";

  private DifferenceNoun() {}

  static Noun noun() {
    return Noun.of(
        "difference",
        "what differs between two points of a volume",
        new Verb(
            "list",
            "lists the ranges of bytes that differ",
            List.of(OF),
            List.of(SINCE),
            List.of("GET /differences"),
            (inputs, session) ->
                session
                    .list(call("/differences", inputs), null)
                    .ifPresent(list -> session.print(RANGES, list))),
        new Verb(
            "map",
            "draws where they differ, from '.' (a little) to '@' (all)",
            List.of(OF),
            List.of(SINCE, Flag.of("--cells", "N", "pieces of the picture, 1 to 4096 (256)")),
            List.of("GET /differences/map"),
            DifferenceNoun::map));
  }

  private static RestCall call(String path, Inputs inputs) {
    RestCall call = RestCall.get(path).with("of", inputs.ids("NAME", KINDS).getFirst());
    List<String> since = inputs.ids("--since", KINDS);
    return since.isEmpty() ? call : call.with("since", since.getFirst());
  }

  private static void map(Inputs inputs, ClientSession session) {
    Integer cells = inputs.number("--cells");
    RestCall call = call("/differences/map", inputs);
    whole(cells == null ? call : call.with("cells", cells), session)
        .ifPresent(map -> print(map, session));
  }

  /// All parts of the map as one; empty in a dry run.
  private static Optional<DifferenceMap> whole(RestCall call, ClientSession session) {
    DifferenceMap sum = null;
    String next = null;
    do {
      Optional<JsonNode> answer = session.change(next == null ? call : call.with("cursor", next));
      if (answer.isEmpty()) {
        return Optional.empty();
      }
      DifferenceMap part = Notation.as(answer.get(), DifferenceMap.class);
      sum = sum == null ? part : sum(sum, part);
      next = part.next();
    } while (next != null);
    return Optional.of(sum);
  }

  private static DifferenceMap sum(DifferenceMap one, DifferenceMap other) {
    List<Long> cells = new ArrayList<>();
    for (int i = 0; i < one.cells().size(); i++) {
      cells.add(one.cells().get(i) + other.cells().get(i));
    }
    return new DifferenceMap(
        cells, one.bytes() + other.bytes(), other.next(), one.size(), one.sinceSize());
  }

  private static void print(DifferenceMap map, ClientSession session) {
    OutputFormat format = session.common().format();
    if (format == OutputFormat.JSON || format == OutputFormat.YAML) {
      session.printSheet(Notation.tree(map));
      return;
    }
    for (int at = 0; at < map.cells().size(); at += LINE) {
      session.surroundings().out().println("|" + line(map, at) + "|");
    }
    session.say("%s of %s differ".formatted(ByteSize.text(map.bytes()), ByteSize.text(map.size())));
  }

  private static String line(DifferenceMap map, int from) {
    StringBuilder line = new StringBuilder();
    long size = Math.max(1, map.size() / map.cells().size());
    for (int i = from; i < Math.min(from + LINE, map.cells().size()); i++) {
      line.append(shade(map.cells().get(i), size));
    }
    return line.toString();
  }

  private static char shade(long bytes, long size) {
    if (bytes == 0) {
      return SHADES.charAt(0);
    }
    int darkest = SHADES.length() - 1;
    return SHADES.charAt(Math.clamp(bytes * darkest / size, 1, darkest));
  }
}
