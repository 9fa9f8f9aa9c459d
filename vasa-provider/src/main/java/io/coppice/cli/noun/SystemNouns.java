package io.coppice.cli.noun;

import io.coppice.api.job.Job;
import io.coppice.api.search.SearchHit;
import io.coppice.api.system.CertificateInfo;
import io.coppice.api.system.IssuedToken;
import io.coppice.api.system.NewToken;
import io.coppice.api.system.SettingInForce;
import io.coppice.api.system.Token;
import io.coppice.api.system.TokenRotation;
import io.coppice.cli.output.Column;
import io.coppice.cli.rest.RestCall;
import io.coppice.cli.verb.Argument;
import io.coppice.cli.verb.ClientSession;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Inputs;
import io.coppice.cli.verb.JobWait;
import io.coppice.cli.verb.Kind;
import io.coppice.cli.verb.Noun;
import io.coppice.cli.verb.RestVerb;
import io.coppice.cli.verb.Verb;
import io.coppice.cli.verb.View;
import java.util.List;

/// The provider as a whole, its tokens and its jobs.
final class SystemNouns {

  private static final View<Token> TOKENS =
      View.of(
          Token.class,
          Token::id,
          Column.of("NAME", Token::name),
          Column.of("ROLE", token -> token.role().text()),
          Column.of("CONTAINERS", Token::containers).onlyWide(),
          Column.of("CREATED", Token::created),
          Column.of("EXPIRES", Token::expires),
          Column.of("USED", Token::used),
          Column.of("BEGINNING", Token::beginning),
          Column.of("ID", Token::id));

  private static final View<IssuedToken> ISSUED = View.of(IssuedToken.class, IssuedToken::token);

  private static final View<SettingInForce> SETTINGS =
      View.of(
          SettingInForce.class,
          SettingInForce::name,
          Column.of("NAME", SettingInForce::name),
          Column.of("VALUE", one -> one.value() == null ? "(redacted)" : one.value()),
          Column.of("ORIGIN", SettingInForce::origin),
          Column.<SettingInForce>of("DEFAULT", SettingInForce::defaultValue).onlyWide());

  private static final View<CertificateInfo> CERTIFICATES =
      View.of(
          CertificateInfo.class,
          CertificateInfo::name,
          Column.of("NAME", CertificateInfo::name),
          Column.of("SUBJECT", CertificateInfo::subject),
          Column.of("UNTIL", CertificateInfo::notAfter),
          Column.of("OWN", CertificateInfo::own),
          Column.of("SHA-256", CertificateInfo::sha256),
          Column.<CertificateInfo>of("ISSUER", CertificateInfo::issuer).onlyWide(),
          Column.<CertificateInfo>of("NAMES", CertificateInfo::names).onlyWide(),
          Column.<CertificateInfo>of("FROM", CertificateInfo::notBefore).onlyWide());

  private static final View<SearchHit> HITS =
      View.of(
          SearchHit.class,
          SearchHit::id,
          Column.of("TYPE", SearchHit::type),
          Column.of("NAME", SearchHit::name),
          Column.of("WHY", SearchHit::why),
          Column.of("ID", SearchHit::id),
          Column.<SearchHit>of("CONTAINER", SearchHit::container).onlyWide());

  private static final Argument JOB = Argument.path("JOB", "id", "its id, such as name:UUID");

  private SystemNouns() {}

  static Noun system() {
    return Noun.of(
        "system",
        "the provider as a whole",
        RestVerb.of("show", "GET /system", "shows everything of it").document(),
        RestVerb.of("verdict", "GET /system/verdict", "tells whether it is well, and if not, why")
            .document(),
        RestVerb.of("settings", "GET /settings", "lists the settings and where they come from")
            .items(SETTINGS),
        new Verb(
            "search",
            "finds objects by parts of names, ids and addresses, the best first",
            List.of(Argument.text("TEXT", "what is looked for, in either case")),
            List.of(),
            List.of("GET /search"),
            SystemNouns::search),
        RestVerb.of("certificates", "GET /certificates", "lists its certificates and their ends")
            .items(CERTIFICATES),
        RestVerb.of("version", "GET /version", "shows the versions of the server and its API")
            .document(),
        RestVerb.of("whoami", "GET /me", "shows the name, the role and the containers of the token")
            .document());
  }

  private static void search(Inputs inputs, ClientSession session) {
    session
        .change(RestCall.get("/search").with("q", inputs.need("TEXT")))
        .ifPresent(answer -> session.printItems(HITS, answer));
  }

  static Noun token() {
    return Noun.of(
        "token",
        "tokens of the REST API",
        RestVerb.of("create", "POST /tokens", "makes a token and shows it once")
            .on(Argument.text("NAME", "its name"))
            .with(
                Flag.of(
                        "--role",
                        "ROLE",
                        "admin, storage-admin, vm-admin, operator or volume-admin")
                    .needed(),
                Flag.of("--container", Kind.CONTAINER, "one that a volume-admin is bound to")
                    .repeated(),
                Flag.of("--days", "N", "1 to 3650 days that it lasts (90 by default)"))
            .body(
                in ->
                    new NewToken(
                        in.need("NAME"),
                        in.need("--role"),
                        in.someUuids("--container", Kind.CONTAINER),
                        in.number("--days")))
            .sheet(ISSUED),
        RestVerb.of("list", "GET /tokens", "lists tokens")
            .with(Flag.filter("name", "NAME", "those of a name"))
            .sortedBy("created", "name", "expires", "used")
            .list(TOKENS),
        RestVerb.of("show", "GET /tokens/{id}", "shows all fields of a token")
            .on(Argument.of(Kind.TOKEN, "id"))
            .tagged()
            .sheet(TOKENS),
        RestVerb.of(
                "rotate",
                "POST /tokens/{id}/rotate",
                "gives a token another text and shows it once")
            .on(Argument.of(Kind.TOKEN, "id"))
            .with(
                Flag.of("--days", "N", "days from now that it lasts (its end stays by default)"),
                Flag.of("--grace-minutes", "N", "that the former text counts (60 by default)"))
            .body(
                in ->
                    in.text("--days") == null && in.text("--grace-minutes") == null
                        ? null
                        : new TokenRotation(in.number("--days"), in.number("--grace-minutes")))
            .sheet(ISSUED),
        RestVerb.of("delete", "DELETE /tokens/{id}", "revokes a token")
            .on(Argument.of(Kind.TOKEN, "id"))
            .guarded()
            .done("token {TOKEN} is revoked"));
  }

  static Noun job() {
    View<Job> jobs = JobWait.VIEW;
    return Noun.of(
        "job",
        "what takes time",
        RestVerb.of("list", "GET /jobs", "lists jobs, the newest first (50 by default)")
            .with(Flag.filter("name", "NAME", "those of an operation"))
            .sortedBy("created", "finished", "name")
            .list(jobs, 50),
        RestVerb.of("show", "GET /jobs/{id}", "shows all fields of a job").on(JOB).sheet(jobs),
        new Verb(
            "wait",
            "waits until a job has ended",
            List.of(JOB),
            List.of(Flag.of("--timeout", "TIME", "how long to wait (10m by default)")),
            List.of("GET /jobs/{id}"),
            SystemNouns::await));
  }

  private static void await(Inputs inputs, ClientSession session) {
    session
        .change(RestCall.get("/jobs/" + RestCall.segment(inputs.need("JOB"))))
        .ifPresent(job -> JobWait.finish(session, job));
  }
}
