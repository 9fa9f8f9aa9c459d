package io.coppice.cli.noun.event;

import io.coppice.api.alert.AlertTarget;
import io.coppice.api.alert.AlertTargetDraft;
import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.failure.ExitStatus;
import io.coppice.cli.output.Column;
import io.coppice.cli.output.Notation;
import io.coppice.cli.output.TimeSpan;
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
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/// The places where alerts are sent.
public final class AlertTargetNoun {

  private static final String PATH = "/alert-targets/";
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration LOOK = Duration.ofMillis(300);

  private static final View<AlertTarget> TARGETS =
      View.of(
          AlertTarget.class,
          AlertTarget::id,
          Column.of("NAME", AlertTarget::name),
          Column.of("KIND", AlertTarget::kind),
          Column.of("SERVER", AlertTarget::server),
          Column.of("ENABLED", AlertTarget::enabled),
          Column.of("SEVERITY", AlertTarget::severity),
          Column.number("WAITING", AlertTarget::waiting),
          Column.of("OBSTACLE", AlertTarget::obstacle),
          Column.of("ID", AlertTarget::id),
          Column.<AlertTarget>of("TO", AlertTarget::to).onlyWide(),
          Column.<AlertTarget>of("DELIVERED", AlertTarget::delivered).onlyWide(),
          Column.<AlertTarget>number("LOST", AlertTarget::lost).onlyWide());

  private static final Argument TARGET = Argument.of(Kind.ALERT_TARGET, "id");

  private static final Flag ENABLED = Flag.of("--enabled", "on|off", "whether alerts are sent");
  private static final Flag SEVERITY =
      Flag.of("--severity", "SEVERITY", "the least that is sent: warning or critical");
  private static final Flag URL_FILE =
      Flag.of("--url-file", "FILE", "holds the URL of a webhook, since that may be a secret");
  private static final Flag SERVER = Flag.of("--server", "HOST:PORT", "the mail server");
  private static final Flag SECURITY =
      Flag.of("--security", "WAY", "starttls (the default), tls or none");
  private static final Flag USER = Flag.of("--user", "NAME", "log-in at the mail server");
  private static final Flag FROM = Flag.of("--from", "ADDRESS", "sender of mails");
  private static final Flag TO = Flag.of("--to", "ADDRESS", "recipient of mails").repeated();
  private static final Flag CA_FILE =
      Flag.of("--ca-file", "FILE", "certificates of authorities, in PEM");
  private static final Flag SECRET_FILE =
      Flag.of("--secret-file", "FILE", "holds the key of signatures, or the password");

  private AlertTargetNoun() {}

  public static Noun noun() {
    return Noun.of(
        "alert-target",
        "where alerts are sent",
        RestVerb.of("create", "POST /alert-targets", "adds a webhook or a mail server")
            .on(Argument.text("NAME", "its name"))
            .with(Flag.of("--kind", "KIND", "webhook or mail").needed())
            .with(ENABLED, SEVERITY, URL_FILE, SERVER, SECURITY, USER, FROM, TO)
            .with(CA_FILE, SECRET_FILE)
            .body(in -> draft(in.need("NAME"), in.text("--kind"), in))
            .row(TARGETS),
        RestVerb.of("list", "GET /alert-targets", "lists where alerts are sent")
            .with(Flag.filter("name", "NAME", "those of a name"))
            .sortedBy("name", "severity")
            .list(TARGETS),
        RestVerb.of("show", "GET /alert-targets/{id}", "shows all fields of a target")
            .on(TARGET)
            .tagged()
            .sheet(TARGETS),
        RestVerb.of("change", "PATCH /alert-targets/{id}", "changes what is given")
            .on(TARGET)
            .with(Flag.of("--name", "NAME", "a new name"))
            .with(ENABLED, SEVERITY, URL_FILE, SERVER, SECURITY, USER, FROM, TO)
            .with(CA_FILE, SECRET_FILE)
            .body(in -> draft(in.text("--name"), null, in))
            .guarded()
            .row(TARGETS),
        RestVerb.of("delete", "DELETE /alert-targets/{id}", "forgets it, and what waits for it")
            .on(TARGET)
            .guarded()
            .done("alert target {ALERT_TARGET} is deleted"),
        new Verb(
            "test",
            "sends a test, and waits until it has arrived",
            List.of(TARGET),
            List.of(Flag.of("--timeout", "TIME", "how long to wait (30s by default)")),
            List.of("POST /alert-targets/{id}/test", "GET /alert-targets/{id}"),
            AlertTargetNoun::test));
  }

  private static AlertTargetDraft draft(@Nullable String name, @Nullable String kind, Inputs in) {
    List<String> to = in.texts("--to");
    return new AlertTargetDraft(
        name,
        kind,
        in.onOff("--enabled"),
        in.text("--severity"),
        line("--url-file", in),
        in.text("--server"),
        in.text("--security"),
        in.text("--user"),
        in.text("--from"),
        to.isEmpty() ? null : to,
        in.text("--ca-file") == null ? null : in.file("--ca-file"),
        line("--secret-file", in));
  }

  /// The first line of a file.
  private static @Nullable String line(String flag, Inputs in) {
    return in.text(flag) == null
        ? null
        : in.file(flag).lines().findFirst().map(String::strip).orElse("");
  }

  /// @throws CommandFailedException if it does not arrive
  private static void test(Inputs inputs, ClientSession session) {
    String id = Objects.requireNonNull(inputs.id(TARGET.label(), Kind.ALERT_TARGET));
    String path = PATH + RestCall.segment(id);
    String typed = inputs.text("--timeout");
    Duration patience = typed == null ? PATIENCE : TimeSpan.parse("--timeout", typed);
    long end = System.nanoTime() + patience.toNanos();
    session
        .change(new RestCall("POST", path + "/test", List.of(), null))
        .ifPresent(answer -> await(path, test(answer), end, session));
  }

  private static AlertTarget.AlertTargetTest test(JsonNode target) {
    return Objects.requireNonNull(Notation.as(target, AlertTarget.class).test());
  }

  private static void await(
      String path, AlertTarget.AlertTargetTest asked, long end, ClientSession session) {
    AlertTarget.AlertTargetTest now = asked;
    while (now.outcome().equals("waiting")) {
      if (end - System.nanoTime() <= 0) {
        throw new CommandFailedException(
            ExitStatus.JOB_FAILED, "the test has not arrived in time; show the target later");
      }
      pause();
      now = test(session.change(RestCall.get(path)).orElseThrow());
    }
    if (!now.outcome().equals("delivered")) {
      throw new CommandFailedException(
          ExitStatus.JOB_FAILED, "the test did not arrive: " + now.reason());
    }
    session.printDone("the test has arrived");
  }

  private static void pause() {
    try {
      Thread.sleep(LOOK);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailedException(ExitStatus.JOB_FAILED, "interrupted");
    }
  }
}
