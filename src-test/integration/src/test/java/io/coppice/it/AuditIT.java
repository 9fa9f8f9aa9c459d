package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.harness.Commands;
import io.coppice.harness.Mismatch;
import io.coppice.harness.ProviderJar;
import io.coppice.harness.ProviderProcess;
import io.coppice.harness.RestClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// A provider that is killed while many callers change things: what was answered is in its audit
/// trail, refusals too, and the trail is proved by the provider and by the tool beside it.
class AuditIT {

  private static final int CALLERS = 8;
  private static final int BEFORE_KILL = 150;

  @TempDir private Path folder;

  private final Set<String> made = new ConcurrentSkipListSet<>();
  private final Set<String> refused = new ConcurrentSkipListSet<>();
  private final AtomicBoolean ended = new AtomicBoolean();

  @Test
  void whatWasAnsweredOutlivesAKillAndIsProved() throws Exception {
    try (RunningProvider provider = RunningProvider.start(folder, "--coppice.pool.capacity=1GB")) {
      RestClient rest = provider.rest();
      rest.post("containers", "{\"name\": \"taken\", \"quota\": 1073741824}");
      List<Thread> callers = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        int caller = i;
        callers.add(Thread.ofPlatform().start(() -> call(rest, caller)));
      }
      while (made.size() + refused.size() < BEFORE_KILL) {
        Thread.onSpinWait();
      }
      provider.process().kill();
      ended.set(true);
      for (Thread caller : callers) {
        caller.join();
      }

      provider.process().start();
      provider.process().awaitReady(RunningProvider.START_LIMIT);
      JsonNode verdict = rest.get("audit/verification");
      assertThat(verdict.at("/intact").asBoolean()).as(verdict.toString()).isTrue();
      assertThat(named(rest, "done")).containsAll(made);
      assertThat(named(rest, "refused")).containsAll(refused);
      assertThat(made).isNotEmpty();
      assertThat(refused).isNotEmpty();

      Commands.Outcome running = verify(provider.process());
      assertThat(running.exitCode()).as(running.output()).isEqualTo(2);
      assertThat(running.output()).contains("ask the running provider");
      provider.process().stop();
      Commands.Outcome whole = verify(provider.process());
      assertThat(whole.exitCode()).as(whole.output()).isZero();
      assertThat(whole.output()).contains("The chain is whole: entries 1 to ");
    }
  }

  /// Makes containers, and asks for one again whose name is taken, until the provider is gone.
  private void call(RestClient rest, int caller) {
    for (int i = 0; !ended.get(); i++) {
      String name = "c-%d-%d".formatted(caller, i);
      try {
        rest.post("containers", "{\"name\": \"%s\", \"quota\": 1073741824}".formatted(name));
        made.add(name);
        String twice = "{\"name\": \"%s\", \"quota\": 1}".formatted(name);
        try {
          rest.post("containers", twice);
        } catch (Mismatch e) {
          if (String.valueOf(e.getMessage()).contains("got 4")) {
            refused.add(name);
          }
        }
      } catch (Mismatch e) {
        return; // cut off: it may have happened or not
      }
    }
  }

  /// The names that calls of an outcome asked for.
  private static Set<String> named(RestClient rest, String outcome) {
    Set<String> names = new TreeSet<>();
    String path = "audit?limit=1000&outcome=" + outcome;
    String next = "";
    do {
      JsonNode page = rest.get(next.isEmpty() ? path : path + "&cursor=" + next);
      for (JsonNode entry : page.get("items")) {
        for (JsonNode value : entry.get("asked")) {
          if (value.at("/name").asString().equals("name")) {
            names.add(value.at("/value").asString());
          }
        }
      }
      next = page.at("/next").asString("");
    } while (!next.isEmpty());
    return names;
  }

  private static Commands.Outcome verify(ProviderProcess process) {
    List<String> command = ProviderJar.tool("verify-audit");
    command.addAll(process.settings());
    return Commands.run(120, command);
  }
}
