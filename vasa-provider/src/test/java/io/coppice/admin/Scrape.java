package io.coppice.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.coppice.admin.AdminServer.Answer;
import java.util.Map;
import java.util.TreeMap;

/// The figures of an answer in Prometheus's text format, by name and labels as they stand.
record Scrape(Map<String, Double> figures) {

  static Scrape of(Answer answer) {
    assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    Map<String, Double> figures = new TreeMap<>();
    answer
        .http()
        .body()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(
            line -> {
              int space = line.lastIndexOf(' ');
              figures.put(line.substring(0, space), Double.valueOf(line.substring(space + 1)));
            });
    return new Scrape(figures);
  }

  /// The figure of a name.
  double of(String name) {
    assertThat(figures).containsKey(name);
    return figures.get(name);
  }
}
