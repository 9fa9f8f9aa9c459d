package io.coppice.app.tls;

import java.io.IOException;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/// The renewal of our own certificates while we run. It looks once an hour and needs no database.
public final class CertificateRenewal implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(CertificateRenewal.class);
  private static final Duration PAUSE = Duration.ofHours(1);

  private final TlsFiles tls;
  private final InstantSource clock;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private @Nullable Thread thread;

  public CertificateRenewal(TlsFiles tls, InstantSource clock) {
    this.tls = tls;
    this.clock = clock;
  }

  @Override
  public synchronized void start() {
    thread = Thread.ofVirtual().name("certificate-renewal").start(this::run);
  }

  private void run() {
    try {
      while (!stopped.await(PAUSE.toSeconds(), TimeUnit.SECONDS)) {
        look();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look() {
    try {
      tls.renewDue(clock.instant());
    } catch (IOException | CertificateException | RuntimeException e) { // the thread goes on
      log.atError().setCause(e).log("certificates cannot be made anew; tried again in an hour");
    }
  }

  @Override
  public synchronized void stop() {
    stopped.countDown();
    Thread running = thread;
    if (running != null) {
      try {
        running.join(Duration.ofSeconds(30));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      thread = null;
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return thread != null;
  }
}
