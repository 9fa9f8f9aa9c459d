package io.coppice.vasa.soap;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;

/// The measure of VASA calls, as Prometheus reads it.
class CallMeterTest {

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final CallMeter meter = new CallMeter(registry);

  @Test
  void aCallIsInFlightUntilItEnds() {
    try (CallMeter.Call call = meter.begin("queryArrays")) {
      assertThat(registry.scrape()).contains("\ncoppice_vasa_in_flight 1.0\n");
      call.succeeded();
    }

    assertThat(registry.scrape())
        .contains("\ncoppice_vasa_in_flight 0.0\n")
        .contains("# TYPE coppice_vasa_call_seconds histogram\n")
        .contains("coppice_vasa_call_seconds_count{operation=\"queryArrays\",outcome=\"ok\"} 1\n")
        .contains(
            "coppice_vasa_call_seconds_bucket{operation=\"queryArrays\",outcome=\"ok\",le=\"30.0\"}"
                + " 1\n");
  }

  @Test
  void aFaultIsTheOutcomeAndNoRefusal() {
    end("queryArrays", VasaException.notFound("there is none"));

    assertThat(registry.scrape())
        .contains("{operation=\"queryArrays\",outcome=\"NotFound\"} 1\n")
        .contains("coppice_vasa_refused_total{reason=\"busy\"} 0.0\n")
        .contains("coppice_vasa_refused_total{reason=\"client\"} 0.0\n");
  }

  @Test
  void refusalsAreCountedByTheirReason() {
    end("queryArrays", VasaException.busy("too many"));
    end("setContext", VasaException.invalidSession("the certificate is not trusted"));
    end("queryArrays", VasaException.invalidSession("the session has expired"));

    assertThat(registry.scrape())
        .contains("coppice_vasa_refused_total{reason=\"busy\"} 1.0\n")
        .contains("coppice_vasa_refused_total{reason=\"client\"} 2.0\n");
  }

  @Test
  void aCallThatEndsUnforeseenIsAFailure() {
    meter.begin("queryArrays").close();

    assertThat(registry.scrape())
        .contains("{operation=\"queryArrays\",outcome=\"StorageFault\"} 1\n");
  }

  private void end(String operation, VasaException failure) {
    try (CallMeter.Call call = meter.begin(operation)) {
      Fault fault = failure.fault();
      call.failed(fault, failure);
    }
  }
}
