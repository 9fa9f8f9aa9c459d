package io.coppice.demo;

import io.coppice.driver.soap.CallLog;
import io.coppice.harness.Mismatch;
import io.coppice.harness.ProcessIo;
import io.coppice.harness.ProviderProcess;
import io.coppice.harness.RestClient;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/// Measures the demo's steps: VASA calls, bytes over iSCSI, device bytes by the kernel's count and
/// by the engine's own.
final class Meter {

  /// How far the two counts may be apart: 5 % and what a checkpoint in between makes.
  private static final double TOLERANCE = 0.05;

  private static final long SLACK_BYTES = 4 << 20;

  private final ProviderProcess provider;
  private final RestClient rest;
  private final CallLog calls;
  private final LongSupplier wireBytes;
  private final Report report;
  private String containerId = "";

  Meter(
      ProviderProcess provider,
      RestClient rest,
      CallLog calls,
      LongSupplier wireBytes,
      Report report) {
    this.provider = provider;
    this.rest = rest;
    this.calls = calls;
    this.wireBytes = wireBytes;
    this.report = report;
  }

  /// The account that a step gives of itself.
  ///
  /// @param besides of a copy: bytes over iSCSI in this step that are not the copy's; empty for a
  ///   step that copies nothing
  /// @param digest SHA-256 of the disk, or empty
  record Outcome(OptionalLong besides, String digest) {

    static final Outcome NOTHING = new Outcome(OptionalLong.empty(), "");

    static Outcome disk(String digest) {
      return new Outcome(OptionalLong.empty(), digest);
    }

    static Outcome copy(long besides) {
      return new Outcome(OptionalLong.of(besides), "");
    }

    private OptionalLong copyWireBytes(long wireBytes) {
      return besides.isPresent()
          ? OptionalLong.of(wireBytes - besides.getAsLong())
          : OptionalLong.empty();
    }
  }

  void watch(String container) {
    this.containerId = container;
  }

  long wireBytes() {
    return wireBytes.getAsLong();
  }

  /// Runs a step during which the provider process stays the same.
  Step step(String name, Supplier<Outcome> work) {
    return measured(name, true, work);
  }

  /// Runs a step in which the provider process is replaced: its device bytes are not comparable.
  Step stepWithRestart(String name, Supplier<Outcome> work) {
    return measured(name, false, work);
  }

  private Step measured(String name, boolean sameProcess, Supplier<Outcome> work) {
    int mark = calls.mark();
    long wire = wireBytes();
    long counted = countedBytes();
    long written = ProcessIo.of(provider.pid()).bytesWritten();
    long start = System.nanoTime();
    Outcome outcome = work.get();
    Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
    long deviceBytes = sameProcess ? ProcessIo.of(provider.pid()).bytesWritten() - written : 0;
    long countedBytes = sameProcess ? countedBytes() - counted : 0;
    if (sameProcess) {
      compareCounts(name, deviceBytes, countedBytes);
    }
    List<Step.Call> made =
        calls.since(mark).stream()
            .map(
                call ->
                    new Step.Call(call.operation(), Duration.ofNanos(call.nanos()), call.outcome()))
            .toList();
    long wireBytes = wireBytes() - wire;
    Step step =
        new Step(
            name,
            elapsed,
            made,
            wireBytes,
            outcome.copyWireBytes(wireBytes),
            deviceBytes,
            countedBytes,
            container(),
            outcome.digest());
    report.add(step);
    return step;
  }

  Step.ContainerState container() {
    if (containerId.isEmpty()) {
      return new Step.ContainerState(0, 0, 0, 0);
    }
    JsonNode container = rest.get("containers/" + containerId);
    return new Step.ContainerState(
        container.get("vms").asInt(),
        container.get("provisioned").asLong(),
        container.get("used").asLong(),
        container.get("free").asLong());
  }

  private long countedBytes() {
    return rest.get("system").get("counters").get("deviceBytesWritten").asLong();
  }

  private static void compareCounts(String step, long kernel, long counted) {
    if (Math.abs(kernel - counted) > TOLERANCE * Math.max(kernel, counted) + SLACK_BYTES) {
      throw new Mismatch(
          "%s: expected the kernel's count of device bytes and the engine's within 5 %%, got %d and %d"
              .formatted(step, kernel, counted));
    }
  }
}
