package io.coppice.engine.mutation;

import java.util.List;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/// Runs test classes one after the other, up to the first that fails, in a process of its own.
final class ChosenTests {

  /// All tests passed.
  static final int PASSED = 0;

  /// One failed; the last line on the standard output says which and why.
  static final int FAILED = 3;

  private ChosenTests() {}

  public static void main(String[] classNames) {
    for (String name : classNames) {
      LauncherDiscoveryRequest request =
          LauncherDiscoveryRequestBuilder.request()
              .selectors(DiscoverySelectors.selectClass(name))
              .build();
      SummaryGeneratingListener listener = new SummaryGeneratingListener();
      LauncherFactory.create().execute(request, listener);
      // A class that cannot be found or loaded is reported as a failure too, and catches nothing.
      if (listener.getSummary().getTestsFoundCount() == 0) {
        System.out.printf("%nexpected tests in %s, found none%n", name);
        System.exit(1);
      }
      List<TestExecutionSummary.Failure> failures = listener.getSummary().getFailures();
      if (!failures.isEmpty()) {
        TestExecutionSummary.Failure first = failures.getFirst();
        System.out.printf(
            "%n%s: %s%n",
            first.getTestIdentifier().getDisplayName(),
            String.valueOf(first.getException().getMessage()).lines().findFirst().orElse(""));
        System.exit(FAILED);
      }
    }
    System.exit(PASSED);
  }
}
