package io.coppice.cli.noun;

import io.coppice.api.volume.FreedMember;
import io.coppice.api.volume.FreedSet;
import io.coppice.api.volume.ReclaimPlan;
import io.coppice.api.volume.ReclaimStep;
import io.coppice.cli.output.ByteSize;
import io.coppice.cli.output.Column;
import io.coppice.cli.output.Notation;
import io.coppice.cli.output.OutputFormat;
import io.coppice.cli.output.TextTable;
import io.coppice.cli.rest.RestCall;
import io.coppice.cli.verb.Argument;
import io.coppice.cli.verb.ClientSession;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Inputs;
import io.coppice.cli.verb.Kind;
import io.coppice.cli.verb.Noun;
import io.coppice.cli.verb.Verb;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// The noun of the space that deletions would give back. Its verbs delete nothing.
final class SpaceNoun {

  private static final List<Column<FreedMember>> MEMBERS =
      List.of(
          Column.of("ID", FreedMember::id),
          Column.of("KIND", FreedMember::kind),
          Column.of("NAME", FreedMember::name),
          Column.size("ALONE", FreedMember::alone),
          Column.size("TOTAL", FreedMember::total),
          Column.<FreedMember>of("CONTAINER", FreedMember::container).onlyWide());

  private static final List<Column<ReclaimStep>> STEPS =
      List.of(
          Column.of("ID", ReclaimStep::id),
          Column.of("KIND", ReclaimStep::kind),
          Column.of("NAME", ReclaimStep::name),
          Column.of("CREATED", ReclaimStep::created),
          Column.size("TOTAL", ReclaimStep::total),
          Column.<ReclaimStep>of("VVOL", ReclaimStep::vvol).onlyWide(),
          Column.<ReclaimStep>of("CONTAINER", ReclaimStep::container).onlyWide());

  private SpaceNoun() {}

  static Noun noun() {
    return Noun.of(
        "space",
        "what deletions would give back; nothing is deleted",
        new Verb(
            "freed",
            "tells what the deletion of all of these together gives back",
            List.of(Argument.many("NAME", "ids or names of volumes, vVols and snapshots", null)),
            List.of(Flag.on("--snapshots", "and of all snapshots of the volumes")),
            List.of("GET /space/freed"),
            SpaceNoun::freed),
        new Verb(
            "reclaim",
            "tells what must go to get so much space back, the oldest first",
            List.of(Argument.text("SIZE", "how much, such as 100GB")),
            List.of(Flag.on("--volumes", "plain volumes may go, too")),
            List.of("GET /space/reclaimable"),
            SpaceNoun::reclaim));
  }

  private static void freed(Inputs inputs, ClientSession session) {
    String ids =
        inputs.ids("NAME", List.of(Kind.VVOL, Kind.SNAPSHOT)).stream()
            .collect(Collectors.joining(","));
    RestCall call = RestCall.get("/space/freed").with("ids", ids);
    session
        .change(inputs.isOn("--snapshots") ? call.with("snapshots", true) : call)
        .ifPresent(answer -> printSet(answer, session));
  }

  private static void printSet(JsonNode answer, ClientSession session) {
    if (!isSheet(answer, session)) {
      FreedSet found = Notation.as(answer, FreedSet.class);
      session.surroundings().out().print(TextTable.of(MEMBERS, found.items(), isWide(session)));
      session.say(found.sentence());
    }
  }

  private static void reclaim(Inputs inputs, ClientSession session) {
    RestCall call =
        RestCall.get("/space/reclaimable")
            .with("bytes", ByteSize.parse("SIZE", inputs.need("SIZE")));
    session
        .change(inputs.isOn("--volumes") ? call.with("volumes", true) : call)
        .ifPresent(answer -> printPlan(answer, session));
  }

  private static void printPlan(JsonNode answer, ClientSession session) {
    if (!isSheet(answer, session)) {
      ReclaimPlan found = Notation.as(answer, ReclaimPlan.class);
      session.surroundings().out().print(TextTable.of(STEPS, found.items(), isWide(session)));
      session.say(found.sentence());
    }
  }

  private static boolean isWide(ClientSession session) {
    return session.common().format() == OutputFormat.WIDE;
  }

  private static boolean isSheet(JsonNode answer, ClientSession session) {
    OutputFormat format = session.common().format();
    boolean isSheet = format == OutputFormat.JSON || format == OutputFormat.YAML;
    if (isSheet) {
      session.printSheet(answer);
    }
    return isSheet;
  }
}
