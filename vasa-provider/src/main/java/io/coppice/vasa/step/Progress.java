package io.coppice.vasa.step;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/// The progress of a long work. One thread at a time counts; any thread may ask.
public final class Progress {

  private volatile State state = new State("", 0, 0);

  private record State(String what, long done, long all) {}

  /// Begins a work, or a next one, of so many parts.
  public void begin(String what, long all) {
    state = new State(what, 0, all);
  }

  /// Counts one finished part.
  public void one() {
    State before = state;
    state = new State(before.what(), before.done() + 1, before.all());
  }

  /// Ends the work: nothing goes on.
  public void end() {
    state = new State("", 0, 0);
  }

  /// The results of items, in their order. Each item counts when it is worked on.
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

  /// The progress as text, such as "1,200 of 10,000 volumes"; empty while nothing goes on.
  public String text() {
    State now = state;
    return now.what().isEmpty()
        ? ""
        : String.format(Locale.ROOT, "%,d of %,d %s", now.done(), now.all(), now.what());
  }
}
