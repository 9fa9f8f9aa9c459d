package io.coppice.cli.noun;

import io.coppice.api.scrub.ScrubMapCell;
import io.coppice.api.scrub.ScrubMapView;
import io.coppice.cli.output.ByteSize;
import io.coppice.cli.output.Notation;
import io.coppice.cli.output.OutputFormat;
import io.coppice.cli.rest.RestCall;
import io.coppice.cli.verb.ClientSession;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Inputs;
import io.coppice.cli.verb.Noun;
import io.coppice.cli.verb.RestVerb;
import io.coppice.cli.verb.Verb;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// The noun of the search for damage.
final class ScrubNoun {

  /// Cells of a line of the map.
  private static final int LINE = 64;

  /// The sign of a state in the map, and its words in the legend.
  private record Sign(String state, char sign, String words) {}

  private static final List<Sign> SIGNS =
      List.of(
          new Sign("damaged", 'X', "damaged"),
          new Sign("running", '>', "being verified"),
          new Sign("waiting", '.', "not verified yet"),
          new Sign("earlier", '-', "verified by the pass before"),
          new Sign("verified", '=', "verified"),
          new Sign("free", ' ', "free"));

  private static final char UNKNOWN = '?';

  private ScrubNoun() {}

  static Noun noun() {
    return Noun.of(
        "scrub",
        "the search for damage",
        RestVerb.of("show", "GET /scrub", "shows progress and findings").document(),
        new Verb(
            "map",
            "draws what of the pool is verified and what is damaged",
            List.of(),
            List.of(Flag.of("--cells", "N", "pieces of the picture, 1 to 4096 (256)")),
            List.of("GET /scrub/map"),
            ScrubNoun::map),
        RestVerb.of("start", "POST /scrub/start", "begins a pass, or hurries the current one")
            .document(),
        RestVerb.of("pause", "POST /scrub/pause", "pauses it").document(),
        RestVerb.of("resume", "POST /scrub/resume", "continues it").document());
  }

  private static void map(Inputs inputs, ClientSession session) {
    Integer cells = inputs.number("--cells");
    RestCall call = RestCall.get("/scrub/map");
    session
        .change(cells == null ? call : call.with("cells", cells))
        .ifPresent(answer -> print(answer, session));
  }

  private static void print(JsonNode answer, ClientSession session) {
    OutputFormat format = session.common().format();
    if (format == OutputFormat.JSON || format == OutputFormat.YAML) {
      session.printSheet(answer);
      return;
    }
    ScrubMapView map = Notation.as(answer, ScrubMapView.class);
    List<ScrubMapCell> cells = map.cells();
    PrintStream out = session.surroundings().out();
    for (int at = 0; at < cells.size(); at += LINE) {
      List<ScrubMapCell> some = cells.subList(at, Math.min(at + LINE, cells.size()));
      out.println(
          some.stream()
              .map(cell -> String.valueOf(sign(cell.state())))
              .collect(Collectors.joining("", "|", "|")));
    }
    for (Sign one : SIGNS) {
      long count = cells.stream().filter(cell -> cell.state().equals(one.state)).count();
      out.println("'%c' %s: %d".formatted(one.sign, one.words, count));
    }
    long findings = cells.stream().mapToLong(ScrubMapCell::findings).sum();
    session.say(
        "%d zones of %s, %d findings%s"
            .formatted(
                map.zones(),
                ByteSize.text(map.zoneBytes()),
                findings + map.unplaced(),
                map.unplaced() == 0 ? "" : ", %d of them in no cell".formatted(map.unplaced())));
  }

  private static char sign(String state) {
    return SIGNS.stream()
        .filter(one -> one.state.equals(state))
        .map(Sign::sign)
        .findFirst()
        .orElse(UNKNOWN);
  }
}
