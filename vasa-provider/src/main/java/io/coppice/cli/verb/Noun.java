package io.coppice.cli.verb;

import java.util.List;

/// A kind of things, with what can be done with them.
///
/// @param name such as `volume`
/// @param help in some words
public record Noun(String name, String help, List<Verb> verbs) {

  public Noun {
    verbs = List.copyOf(verbs);
  }

  public static Noun of(String name, String help, Verb... verbs) {
    return new Noun(name, help, List.of(verbs));
  }
}
