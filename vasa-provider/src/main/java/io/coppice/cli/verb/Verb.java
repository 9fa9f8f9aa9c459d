package io.coppice.cli.verb;

import java.util.List;

/// Something to do with objects of a noun.
///
/// @param name such as `create`
/// @param help in some words
/// @param arguments by their places
/// @param flags without those that every verb has
/// @param calls operations of the REST API that it may make, such as `GET /volumes/{id}`
/// @param action what it does
public record Verb(
    String name,
    String help,
    List<Argument> arguments,
    List<Flag> flags,
    List<String> calls,
    Action action) {

  /// The doing of a verb.
  @FunctionalInterface
  public interface Action {

    void run(Inputs inputs, ClientSession session);
  }

  public Verb {
    arguments = List.copyOf(arguments);
    flags = List.copyOf(flags);
    calls = List.copyOf(calls);
  }

  /// Runs it with what was typed.
  public void run(Typed typed, ClientSession session) {
    action.run(new Inputs(typed, session), session);
  }
}
