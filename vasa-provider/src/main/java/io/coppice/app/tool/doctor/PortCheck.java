package io.coppice.app.tool.doctor;

import io.coppice.vasa.verdict.Cause;
import io.coppice.vasa.verdict.Report;
import java.util.Map;
import java.util.Optional;

/// The check of the ports: ours while the provider runs, free while it does not.
final class PortCheck implements Check {

  @Override
  public void look(DoctorSubject site, Report report) {
    if (site.ports().isEmpty()) {
      report.skip("ports", "the settings ask for any free ones");
    }
    for (Map.Entry<String, Integer> each : site.ports().entrySet()) {
      Optional<Listeners.Listener> listener = site.listeners().at(each.getValue());
      if (site.running()) {
        running(site, each, listener, report);
      } else {
        stopped(each, listener, report);
      }
    }
  }

  private static void running(
      DoctorSubject site,
      Map.Entry<String, Integer> port,
      Optional<Listeners.Listener> listener,
      Report report) {
    if (listener.isEmpty()) {
      report.fail(
          "ports",
          Cause.SERVICE,
          "The provider runs, but nobody listens at port %d (%s)."
              .formatted(port.getValue(), port.getKey()),
          "wait until it has started; if it stays so, look into its log for what it waits for.");
    } else if (isForeign(site, listener.get())) {
      report.fail(
          "ports",
          Cause.PORT,
          "The provider runs, but %s listens at port %d (%s)."
              .formatted(listener.get(), port.getValue(), port.getKey()),
          "give doctor the settings that the provider was started with, or end that process.");
    } else {
      report.ok("ports", "the provider listens at %d (%s)", port.getValue(), port.getKey());
    }
  }

  private static boolean isForeign(DoctorSubject site, Listeners.Listener listener) {
    var holder = site.lock().pid();
    return holder.isPresent()
        && site.listeners().knows(holder.getAsLong())
        && !listener.isOf(holder.getAsLong());
  }

  private static void stopped(
      Map.Entry<String, Integer> port, Optional<Listeners.Listener> listener, Report report) {
    if (listener.isEmpty()) {
      report.ok("ports", "%d (%s) is free", port.getValue(), port.getKey());
      return;
    }
    report.fail(
        "ports",
        Cause.PORT,
        "The port %d (%s) is taken by %s, so the provider cannot start."
            .formatted(port.getValue(), port.getKey(), listener.get()),
        "end that process, or set another %s.".formatted(port.getKey()));
  }
}
