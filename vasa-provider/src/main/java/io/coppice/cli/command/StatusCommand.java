package io.coppice.cli.command;

import io.coppice.cli.output.ByteSize;
import io.coppice.cli.output.OutputFormat;
import io.coppice.cli.output.SafeText;
import io.coppice.cli.rest.RestCall;
import io.coppice.cli.verb.ClientSession;
import io.coppice.cli.verb.Inputs;
import io.coppice.cli.verb.Verb;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/// `status`: in some lines, whether a provider works, what is free, and where it is.
public final class StatusCommand {

  private StatusCommand() {}

  public static Verb verb() {
    return new Verb(
        "status",
        "shows in some lines whether the provider works, and what is free",
        List.of(),
        List.of(),
        List.of("GET /system"),
        StatusCommand::run);
  }

  private static void run(Inputs inputs, ClientSession session) {
    session.change(RestCall.get("/system")).ifPresent(system -> show(session, system));
  }

  private static void show(ClientSession session, JsonNode system) {
    if (session.common().format() != OutputFormat.TABLE) {
      session.printSheet(system);
      return;
    }
    PrintStream out = session.surroundings().out();
    JsonNode space = system.path("space");
    line(
        out,
        "provider",
        "%s, version %s".formatted(session.provider().url(), text(system, "version")));
    line(out, "pool", text(system, "pool"));
    line(out, "status", words(system.path("status")));
    line(
        out,
        "space",
        space
            .propertyStream()
            .filter(one -> one.getValue().isIntegralNumber())
            .map(one -> "%s %s".formatted(one.getKey(), ByteSize.text(one.getValue().asLong())))
            .collect(Collectors.joining(", ")));
    if (!system.path("spaceLimit").isMissingNode() && !system.path("spaceLimit").isNull()) {
      line(out, "limit", text(system, "spaceLimit"));
    }
    if (!system.path("mirror").isMissingNode() && !system.path("mirror").isNull()) {
      line(out, "mirror", words(system.path("mirror")));
    }
    line(
        out,
        "portals",
        system
            .path("portals")
            .valueStream()
            .map(JsonNode::asString)
            .collect(Collectors.joining(", ")));
    line(out, "VASA", text(system.path("urls"), "vasa"));
  }

  private static String text(JsonNode object, String field) {
    return object.path(field).asStringOpt().orElse("-");
  }

  /// The fields of a small object that have a value, in one line.
  private static String words(JsonNode object) {
    if (!object.isObject()) {
      return object.isNull() ? "-" : object.asString();
    }
    return object
        .propertyStream()
        .filter(one -> !one.getValue().isNull() && !one.getValue().isContainer())
        .filter(one -> !one.getValue().asString().isEmpty()) // no reason, for example
        .map(one -> "%s %s".formatted(one.getKey(), one.getValue().asString()))
        .collect(Collectors.joining(", "));
  }

  private static void line(PrintStream out, String name, String value) {
    out.printf("%-9s %s%n", name, SafeText.of(value));
  }
}
