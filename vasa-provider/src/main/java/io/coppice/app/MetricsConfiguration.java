package io.coppice.app;

import io.coppice.admin.metrics.CertificateEnds;
import io.coppice.admin.metrics.MetricsSettings;
import io.coppice.app.setting.CoppiceProperties;
import io.coppice.app.tls.TlsFiles;
import io.coppice.vasa.soap.CallMeter;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/// The registry of meters that count as things happen, with those of the Java machine.
@Configuration(proxyBeanMethods = false)
class MetricsConfiguration {

  @Bean
  MetricsSettings metricsSettings(CoppiceProperties properties) {
    return properties.metrics();
  }

  @Bean
  CertificateEnds certificateEnds(TlsFiles tls) {
    return tls::ends;
  }

  @Bean
  CallMeter callMeter(PrometheusMeterRegistry meters) {
    return new CallMeter(meters);
  }

  @Bean
  JvmGcMetrics collections() {
    return new JvmGcMetrics();
  }

  @Bean
  PrometheusMeterRegistry meters(JvmGcMetrics collections) {
    var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    List<MeterBinder> machine =
        List.of(
            collections,
            new JvmMemoryMetrics(),
            new JvmThreadMetrics(),
            new ClassLoaderMetrics(),
            new ProcessorMetrics(),
            new FileDescriptorMetrics(),
            new UptimeMetrics());
    machine.forEach(binder -> binder.bindTo(registry));
    return registry;
  }
}
