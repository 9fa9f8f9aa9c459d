package io.coppice.app;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.LoggingEvent;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.core.io.ClassPathResource;

/// The form of the log, as `config/application.yaml` has it.
class LogLineTest {

  private final LoggerContext context = new LoggerContext();

  @Test
  void whatAClientSendsStaysWithinItsLine() {
    LoggingEvent event = event("client \r\nERROR refused");
    event.addKeyValuePair(
        new KeyValuePair("subject", "CN=a\n12:00:00 ERROR\u001b[2J\u0085\u2028\u2029\u0000b"));

    String line = layout().doLayout(event);

    assertThat(line)
        .endsWith(
            " client ??ERROR refused subject=\"CN=a?12:00:00 ERROR?[2J????b\""
                + System.lineSeparator());
    assertThat(line.strip()).doesNotContainPattern("[\\p{Cntrl}\u0085\u2028\u2029]");
  }

  @Test
  void otherTextIsAsItWas() {
    String text = "5 GB of 1,000 {x} \"é 漢 🙂\" in [/var] 'a'";

    assertThat(layout().doLayout(event(text))).contains(text);
  }

  private LoggingEvent event(String message) {
    return new LoggingEvent(
        LogLineTest.class.getName(),
        context.getLogger("io.coppice.X"),
        Level.INFO,
        message,
        null,
        null);
  }

  private PatternLayout layout() {
    var file = new YamlPropertiesFactoryBean();
    file.setResources(new ClassPathResource("application.yaml"));
    var layout = new PatternLayout();
    layout.setContext(context);
    layout.setPattern(file.getObject().getProperty("logging.pattern.console"));
    layout.start();
    return layout;
  }
}
