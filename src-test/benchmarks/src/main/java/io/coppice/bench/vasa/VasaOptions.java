package io.coppice.bench.vasa;

import io.coppice.bench.BenchOptions;
import io.coppice.kit.Least;
import java.time.Duration;
import picocli.CommandLine.Option;

/// Options of `coppice bench vasa`.
final class VasaOptions extends BenchOptions {

  @Least(1)
  @Option(names = "--minutes", defaultValue = "10")
  private int minutes;

  @Least(0)
  @Option(names = "--seconds", defaultValue = "0")
  private int seconds;

  @Least(1)
  @Option(names = "--hosts", defaultValue = "32")
  private int hosts;

  @Least(0)
  @Option(names = "--sessions", defaultValue = "4")
  private int sessions;

  @Least(1)
  @Option(names = "--vms", defaultValue = "120")
  private int vms;

  @Least(1)
  @Option(names = "--at-once", defaultValue = "16")
  private int atOnce;

  @Least(0)
  @Option(names = "--kills", defaultValue = "0")
  private int kills;

  @Least(0)
  @Option(names = "--seed", defaultValue = "1")
  private int seed;

  @Least(1)
  @Option(names = "--rate", defaultValue = "100")
  private int rate;

  @Least(100)
  @Option(names = "--volumes", defaultValue = "10000")
  private int volumes;

  @Least(1)
  @Option(names = "--slow", defaultValue = "50")
  private int slow;

  @Least(1)
  @Option(names = "--pollers", defaultValue = "256")
  private int pollers;

  @Option(names = "--only", defaultValue = "load")
  private String only = "";

  /// How long the load lasts.
  Duration length() {
    return seconds > 0 ? Duration.ofSeconds(seconds) : Duration.ofMinutes(minutes);
  }

  /// ESXi hosts.
  int hosts() {
    return hosts;
  }

  /// Hosts that log in over iSCSI.
  int sessions() {
    return Math.min(hosts, sessions);
  }

  /// Machines that there is room for.
  int vms() {
    return vms;
  }

  /// Operations at a time.
  int atOnce() {
    return atOnce;
  }

  /// How often the provider is killed.
  int kills() {
    return kills;
  }

  /// The seed of all choices.
  int seed() {
    return seed;
  }

  /// Calls a second.
  int rate() {
    return rate;
  }

  /// Volumes that are queried.
  int volumes() {
    return volumes;
  }

  /// Milliseconds from which on a statement of the database is slow.
  int slow() {
    return slow;
  }

  /// Hosts that ask for events.
  int pollers() {
    return pollers;
  }

  /// The part that is run.
  String only() {
    return only;
  }
}
