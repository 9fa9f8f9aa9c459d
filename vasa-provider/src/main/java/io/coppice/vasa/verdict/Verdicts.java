package io.coppice.vasa.verdict;

import io.coppice.vasa.alert.Alert;
import io.coppice.vasa.alert.AlertBoard;
import io.coppice.vasa.alert.AlertSeverity;
import io.coppice.vasa.alert.AlertState;
import io.coppice.vasa.alert.AlertTexts;
import io.coppice.vasa.pool.StoragePool;
import io.coppice.vasa.session.RefusedClients;
import io.coppice.vasa.session.TrustSet;
import io.coppice.vasa.session.TrustSets;
import io.coppice.vasa.verdict.ProviderVerdict.Check;
import io.coppice.vasa.verdict.ProviderVerdict.Outcome;
import io.coppice.vasa.verdict.ProviderVerdict.Status;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.TransactionException;

/// The verdicts of a running provider on itself: what `doctor` sees, as far as it can be seen from
/// inside, and the active alerts. Asks no port and no other machine but the database, and that only
/// while the control plane answers.
@Service
public final class Verdicts {

  private final ProviderFacts facts;
  private final StoragePool pool;
  private final TrustSets trust;
  private final RefusedClients refused;
  private final AlertBoard board;
  private final InstantSource clock;
  private final AlertTexts texts = new AlertTexts();

  public Verdicts(
      ProviderFacts facts,
      StoragePool pool,
      TrustSets trust,
      RefusedClients refused,
      AlertBoard board,
      InstantSource clock) {
    this.facts = facts;
    this.pool = pool;
    this.trust = trust;
    this.refused = refused;
    this.board = board;
    this.clock = clock;
  }

  /// The verdict of now.
  ///
  /// @param obstacle why the control plane does not answer; empty if it does
  public ProviderVerdict now(Optional<String> obstacle) {
    Instant now = clock.instant();
    Report report = new Report();
    PoolJudge.judge(pool.status(), report);
    ServiceJudge.control(obstacle, report);
    facts.chain().judge(facts.nameInUrl(), now, report);
    if (obstacle.isPresent()) {
      unasked(report);
    } else {
      database(now, report);
    }
    return verdict(report, active(now));
  }

  private void database(Instant now, Report report) {
    try {
      List<TrustSet> sets = trust.all();
      List<String> vcenters =
          trust.known().stream().flatMap(one -> one.vcenters().stream()).distinct().toList();
      if (facts.databaseUrl().isBlank()) {
        report.skip("clock", "compared with nothing: the database has the same one");
      } else {
        ClockJudge.compare("the database's", facts.databaseClock(), now, report);
      }
      new TrustJudge(
              sets.stream().flatMap(set -> set.roots().stream()).toList(),
              sets.stream().flatMap(set -> set.revocationLists().stream()).toList(),
              vcenters)
          .judge(now, report);
      refused(sets, now, report);
    } catch (DataAccessException | TransactionException e) {
      String why = NestedExceptionUtils.getMostSpecificCause(e).getMessage();
      DatabaseJudge.away(facts.databaseUrl(), facts.home(), String.valueOf(why), report);
      unasked(report);
    }
  }

  private void refused(List<TrustSet> sets, Instant now, Report report) {
    List<String> trusted =
        sets.stream()
            .flatMap(set -> set.roots().stream())
            .map(ServedChain::subject)
            .distinct()
            .toList();
    ServiceJudge.refused(refused.all(), trusted, now, report);
  }

  private static void unasked(Report report) {
    report.skip("clock", "compared with nothing: the database cannot be asked");
    TrustJudge.skip(report);
  }

  private List<Alert> active(Instant now) {
    return board.all().stream()
        .filter(alert -> alert.state(now) == AlertState.ACTIVE)
        .sorted(Comparator.comparing(Alert::severity).reversed().thenComparing(Alert::since))
        .toList();
  }

  private ProviderVerdict verdict(Report report, List<Alert> alerts) {
    List<Check> checks = new ArrayList<>();
    report.lines().forEach(line -> checks.add(check(line)));
    List<Check> alerted = alerts.stream().map(this::check).toList();
    checks.addAll(alerted);
    Optional<Check> failed =
        Stream.concat(
                report.verdict().map(fail -> failure("", fail)).stream(),
                alerted.stream().filter(one -> one.outcome() == Outcome.FAIL))
            .findFirst();
    if (failed.isPresent()) {
      return new ProviderVerdict(
          Status.FAILING, failed.get().seen(), failed.get().remedy(), checks);
    }
    return Stream.concat(alerted.stream(), checks.stream())
        .filter(one -> one.outcome() == Outcome.WARN)
        .findFirst()
        .map(worst -> new ProviderVerdict(Status.WARNING, sentence(worst), worst.remedy(), checks))
        .orElseGet(() -> new ProviderVerdict(Status.OK, Report.HEALTHY, null, checks));
  }

  /// What an alert says is a sentence; what a check saw follows its topic.
  private static String sentence(Check worst) {
    return worst.remedy() == null
        ? Report.ended(worst.topic() + ": " + worst.seen())
        : worst.seen();
  }

  private static Check check(Report.Line line) {
    return switch (line.outcome()) {
      case CheckOutcome.Ok(String seen) -> new Check(line.topic(), Outcome.OK, seen, null);
      case CheckOutcome.Warn(String seen) -> new Check(line.topic(), Outcome.WARN, seen, null);
      case CheckOutcome.Skipped(String seen) ->
          new Check(line.topic(), Outcome.SKIPPED, seen, null);
      case CheckOutcome.Fail fail -> failure(line.topic(), fail);
    };
  }

  private static Check failure(String topic, CheckOutcome.Fail fail) {
    return new Check(topic, Outcome.FAIL, fail.seen(), fail.remedy());
  }

  private Check check(Alert alert) {
    AlertTexts.Sentences sentences = texts.of(alert);
    return new Check(
        "alert",
        alert.severity() == AlertSeverity.CRITICAL ? Outcome.FAIL : Outcome.WARN,
        sentences.cause() + " " + sentences.effect(),
        sentences.remedy());
  }
}
