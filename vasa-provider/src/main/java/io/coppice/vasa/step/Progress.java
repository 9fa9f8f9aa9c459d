package io.coppice.vasa.step;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/// Progress of a long work: how far it has come. One thread at a time counts, any thread may ask.
public final class Progress {

  private volatile State state = new State("", 0, 0);

  private record State(String what, long done, long all) {}

  /// Begins a work of so many parts, or a next one.
  public void begin(String what, long all) {
    state = new State(what, 0, all);
  }

  /// One part more is done.
  public void one() {
    State before = state;
    state = new State(before.what(), before.done() + 1, before.all());
  }

  /// Nothing goes on.
  public void end() {
    state = new State("", 0, 0);
  }

  /// What comes of each item, in their order, counted as they are worked on.
  public <S, T> List<T> over(String items, List<S> all, Function<S, Stream<T>> work) {
    begin(items, all.size());
    try {
      List<T> found = new ArrayList<>();
      for (S item : all) {
        work.apply(item).forEach(found::add);
        one();
      }
      return found;
    } finally {
      end();
    }
  }

  /// As in "1,200 of 10,000 volumes"; empty while nothing goes on.
  public String text() {
    State now = state;
    return now.what().isEmpty()
        ? ""
        : String.format(Locale.ROOT, "%,d of %,d %s", now.done(), now.all(), now.what());
  }
}
