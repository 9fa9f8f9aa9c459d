package io.coppice.engine.testing;

import io.coppice.engine.check.PoolChecker;
import io.coppice.engine.check.finding.CheckReport;
import io.coppice.engine.check.finding.Finding;
import io.coppice.engine.check.finding.Severity;
import io.coppice.engine.device.BlockDevice;
import java.util.stream.Collectors;

/// Asks the offline checker for its opinion, which must be good.
public final class CheckedPool {

  private CheckedPool() {}

  /// The device itself, once its pool is found to be whole. Nobody may write it meanwhile.
  ///
  /// @throws AssertionError with the first findings if it is not
  public static <D extends BlockDevice> D whole(D device) {
    requireWhole(PoolChecker.check(device, false), "");
    return device;
  }

  /// As the other, of a pool that is kept on two devices: each that holds everything.
  public static void whole(BlockDevice first, BlockDevice second) {
    requireWhole(
        PoolChecker.check(first, second, false), "expected two devices that hold everything");
  }

  private static void requireWhole(CheckReport report, String harmless) {
    boolean isWhole =
        report.findings().stream()
            .filter(finding -> finding.severity() != Severity.NOTE)
            .allMatch(f -> !harmless.isEmpty() && f.sentence().startsWith(harmless));
    if (!isWhole) {
      throw new AssertionError(
          "expected a pool without damage, found %d: %s"
              .formatted(
                  report.damages() + report.warnings(),
                  report.findings().stream()
                      .filter(finding -> finding.severity() != Severity.NOTE)
                      .limit(5)
                      .map(Finding::toString)
                      .collect(Collectors.joining("; "))));
    }
  }
}
