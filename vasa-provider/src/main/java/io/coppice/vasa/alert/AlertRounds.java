package io.coppice.vasa.alert;

import io.coppice.vasa.gate.WorkGate;
import io.coppice.vasa.time.IntervalThread;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The rounds in which sources are asked, by two virtual threads: one for the sources that need
/// nothing but this process, one for those that ask the database, which also saves the board. So a
/// database that hangs keeps no other alert from being raised and delivered.
public final class AlertRounds implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(AlertRounds.class);

  private final AlertBoard board;
  private final List<AlertSource> sources;
  private final WorkGate gate;
  private final Set<String> failing = new HashSet<>(); // guarded by itself
  private final IntervalThread own;
  private final IntervalThread database;

  public AlertRounds(
      AlertBoard board, List<AlertSource> sources, AlertSettings settings, WorkGate gate) {
    this.board = board;
    this.sources = List.copyOf(sources);
    this.gate = gate;
    own = new IntervalThread("alerts", settings.period(), this::lookHere);
    database = new IntervalThread("alerts-database", settings.period(), this::lookThere);
  }

  public void start() {
    own.start();
    database.start();
  }

  /// Asks the sources that need no database.
  public void lookHere() {
    sources.stream().filter(source -> !source.needsDatabase()).forEach(this::ask);
  }

  /// Asks the sources that need the database, and saves the board, if the gate is open.
  public void lookThere() {
    try (var pass = gate.tryEnter().orElse(null)) {
      if (pass != null) {
        attempt("kept alerts", board::load);
        attempt("former sources", this::endOfFormerSources);
        sources.stream().filter(AlertSource::needsDatabase).forEach(this::ask);
        attempt("saving", board::save);
      }
    }
  }

  /// Alerts of a source that this version does not have will be found by nobody.
  private void endOfFormerSources() {
    Set<String> former = board.sources();
    sources.forEach(source -> former.remove(source.name()));
    former.forEach(name -> board.take(name, List.of()));
  }

  private void ask(AlertSource source) {
    attempt(source.name(), () -> board.take(source.name(), source.look()));
  }

  private void attempt(String what, Runnable work) {
    try {
      work.run();
      synchronized (failing) {
        failing.remove(what);
      }
    } catch (RuntimeException | Error e) { // the thread must outlive whatever one source meets
      boolean first;
      synchronized (failing) {
        first = failing.add(what); // a lasting failure is reported once
      }
      if (first) {
        log.atWarn()
            .addKeyValue("source", what)
            .setCause(e)
            .log("a source of alerts failed and is asked again");
      }
    }
  }

  /// Lets the running rounds end and starts no other. Saves what is not saved yet, if it can.
  @Override
  public void close() {
    own.close();
    database.close();
    attempt("saving", board::save);
  }
}
