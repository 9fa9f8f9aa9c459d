package io.coppice.app.tls;

import io.coppice.vasa.audit.OwnWork;
import io.coppice.vasa.time.IntervalThread;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/// The renewal of our own certificates while we run. It looks once an hour and needs no database.
public final class CertificateRenewal implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(CertificateRenewal.class);

  private final TlsFiles tls;
  private final OwnWork own;
  private final InstantSource clock;
  private final IntervalThread thread =
      new IntervalThread("certificate-renewal", Duration.ofHours(1), this::look);

  /// @param own is told of each certificate, also of those that the start of the process renewed
  public CertificateRenewal(TlsFiles tls, OwnWork own, InstantSource clock) {
    this.own = own;
    this.tls = tls;
    this.clock = clock;
  }

  @Override
  public void start() {
    tell();
    thread.start();
  }

  private void tell() {
    tls.takeRenewals().forEach(one -> own.done("certificates.renew", one));
  }

  private void look() {
    try {
      tls.renewDue(clock.instant());
    } catch (IOException | CertificateException | RuntimeException e) { // the thread goes on
      log.atError().setCause(e).log("certificates cannot be made anew; tried again in an hour");
    } finally {
      tell();
    }
  }

  @Override
  public void stop() {
    thread.close();
  }

  @Override
  public boolean isRunning() {
    return thread.isRunning();
  }
}
