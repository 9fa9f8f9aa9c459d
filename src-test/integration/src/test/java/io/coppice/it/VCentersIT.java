package io.coppice.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.driver.esxi.EsxiHost;
import io.coppice.driver.pki.CertificateAuthority;
import io.coppice.driver.pki.CertificateAuthority.Validity;
import io.coppice.driver.soap.CallLog;
import io.coppice.driver.soap.ClientOptions;
import io.coppice.driver.soap.UnreachableException;
import io.coppice.driver.soap.VasaFault;
import io.coppice.driver.vcenter.VCenter;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Several vCenters on one provider: what one of them does to its certificates is no concern of the
/// others.
class VCentersIT {

  private static final ClientOptions OPTIONS = ClientOptions.defaults();
  private static final Duration LIFE = Duration.ofSeconds(15);
  private static final Duration PATIENCE = Duration.ofSeconds(200);
  private static final int REGISTRATIONS = 12;
  private static final int LEAST_CALLS = 20;

  @TempDir private Path folder;
  private final CallLog log = new CallLog();
  private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private volatile boolean ending;
  private RunningProvider provider;

  @BeforeEach
  void start() {
    provider = RunningProvider.start(folder, "--coppice.vasa.certificate=retain");
  }

  @AfterEach
  void stop() {
    provider.close();
  }

  @Test
  void oneRegistersAgainAndAgainAndOneExpiresAndTheOthersNeverNotice() throws Exception {
    try (Steady first = new Steady("vcenter-1");
        Steady second = new Steady("vcenter-2");
        VCenter expiring = expiring()) {
      Thread one = Thread.ofPlatform().start(first::work);
      Thread two = Thread.ofPlatform().start(second::work);
      int registrations = registerAgainAndAgain();
      int refusals = useUntilExpired(expiring);
      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (Math.min(first.calls.get(), second.calls.get()) < LEAST_CALLS
          && failures.isEmpty()
          && System.nanoTime() < deadline) {
        LockSupport.parkNanos(10_000_000);
      }
      ending = true;
      one.join();
      two.join();

      System.out.printf(
          "%d registrations of one vCenter, %d refusals of an expired one; the others: %d and %d"
              + " calls, %d failures%n",
          registrations, refusals, first.calls.get(), second.calls.get(), failures.size());
      assertThat(failures).isEmpty();
      assertThat(first.calls.get()).isGreaterThanOrEqualTo(LEAST_CALLS);
      assertThat(second.calls.get()).isGreaterThanOrEqualTo(LEAST_CALLS);
      assertThat(first.vcenter.client().session()).as("the same session").isEqualTo(first.session);
      assertThat(second.vcenter.client().session())
          .as("the same session")
          .isEqualTo(second.session);
    }
  }

  /// One vCenter whose authority, and so its certificate, is new each time; now and then it renews
  /// its trust or leaves.
  private int registerAgainAndAgain() throws IOException {
    String guid = UUID.randomUUID().toString();
    for (int i = 0; i < REGISTRATIONS; i++) {
      CertificateAuthority authority = CertificateAuthority.create("restless VMCA " + i);
      VCenter.Being being =
          new VCenter.Being(authority, authority.issueClient("restless sms"), guid);
      try (VCenter restless = new VCenter("restless", being, OPTIONS, log)) {
        register(restless);
        assertThat(restless.client().inventory().queryArrays(List.of())).hasSize(1);
        if (i % 3 == 1) {
          restless.refreshTrust(List.of());
        }
        if (i % 4 == 3) {
          restless.unregister();
        }
      }
    }
    return REGISTRATIONS;
  }

  /// A registered vCenter whose certificate soon expires; on a slow machine not quite as soon.
  private VCenter expiring() throws IOException {
    for (Duration life = LIFE; ; life = life.multipliedBy(2)) {
      try {
        return expiringAfter(life);
      } catch (VasaFault | UnreachableException e) {
        if (life.compareTo(PATIENCE) > 0) {
          throw e;
        }
      }
    }
  }

  private VCenter expiringAfter(Duration life) throws IOException {
    CertificateAuthority authority = CertificateAuthority.create("expiring VMCA");
    VCenter.Being being =
        new VCenter.Being(
            authority,
            authority.issueClient("expiring sms", new Validity(Duration.ofHours(-1), life)),
            UUID.randomUUID().toString());
    VCenter vcenter = new VCenter("expiring", being, OPTIONS, log);
    try {
      register(vcenter);
      return vcenter;
    } catch (VasaFault | UnreachableException e) {
      vcenter.close();
      throw e;
    }
  }

  /// @return how often it was refused
  private static int useUntilExpired(VCenter vcenter) {
    int refusals = 0;
    long deadline = System.nanoTime() + 3 * PATIENCE.toNanos();
    while (refusals < 5 && System.nanoTime() < deadline) {
      try {
        vcenter.reconnect();
        vcenter.openSession();
      } catch (VasaFault | UnreachableException e) {
        refusals++;
      }
      LockSupport.parkNanos(100_000_000);
    }
    assertThat(refusals).as("refusals of an expired certificate").isEqualTo(5);
    return refusals;
  }

  private void register(VCenter vcenter) throws IOException {
    URI versionXml = provider.process().vasa().resolve("/vasa/version.xml");
    vcenter.register(versionXml, "vasa", provider.process().vasaPassword());
  }

  /// A vCenter that only works, with a host that only works.
  private final class Steady implements AutoCloseable {
    private final VCenter vcenter;
    private final EsxiHost host;
    private final String session;
    private final AtomicInteger calls = new AtomicInteger();

    Steady(String name) throws IOException {
      vcenter = new VCenter(name, OPTIONS, log);
      register(vcenter);
      vcenter.client().renewSessionWith(null);
      session = vcenter.client().session();
      host = EsxiHost.of(vcenter, name + "-esxi", OPTIONS, log);
      host.openSession();
      host.declare();
      host.client().renewSessionWith(null);
    }

    void work() {
      try {
        while (!ending) {
          vcenter.sync();
          vcenter.pollEvents();
          vcenter.pollAlarms();
          host.client().inventory().queryArrays(List.of());
          host.client().events().getEvents(-1);
          calls.incrementAndGet();
        }
      } catch (RuntimeException e) {
        failures.add(e);
      }
    }

    @Override
    public void close() {
      host.close();
      vcenter.close();
    }
  }
}
