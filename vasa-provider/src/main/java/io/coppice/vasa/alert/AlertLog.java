package io.coppice.vasa.alert;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/// The log of the process as a listener: one line for each alert that is raised, and one for its
/// end.
@Component
public final class AlertLog implements AlertListener {

  private static final Logger log = LoggerFactory.getLogger(AlertLog.class);

  private final AlertTexts texts = new AlertTexts();

  @Override
  public void load() {
    // nothing is kept
  }

  @Override
  public boolean isReady() {
    return true;
  }

  @Override
  public void raised(Alert alert) {
    log.atWarn()
        .addKeyValue("severity", alert.severity().text())
        .addKeyValue("alert", alert.id())
        .log("alert: {}", texts.of(alert).cause());
  }

  @Override
  public void resolved(Alert alert) {
    log.atInfo()
        .addKeyValue("alert", alert.id())
        .log("the alert is resolved: {}", texts.of(alert).cause());
  }

  @Override
  public void save() {
    // a line of the log is out once it is written
  }
}
