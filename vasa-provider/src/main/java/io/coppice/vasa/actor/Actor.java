package io.coppice.vasa.actor;

import org.jspecify.annotations.Nullable;

/// The one on whose behalf the running code changes something. It is bound for the extent of one
/// request or call. Code that moves work to another thread passes it on.
///
/// @param name the token of REST; `vCenter` or `host` with its guid for VASA; `coppice` itself
/// @param trace the id of the request; null for none
public record Actor(Kind kind, String name, @Nullable String trace) {

  /// The provider itself: what it does by schedule, and what it mends.
  public static final Actor COPPICE = new Actor(Kind.COPPICE, "coppice", null);

  private static final ScopedValue<Actor> CURRENT = ScopedValue.newInstance();

  /// The way on which a change came.
  public enum Kind {
    REST("rest"),
    VASA("vasa"),
    COPPICE("coppice");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }

  /// The holder of a token.
  public static Actor rest(String token, String trace) {
    return new Actor(Kind.REST, token, trace);
  }

  /// A client of VASA.
  public static Actor vasa(String name) {
    return new Actor(Kind.VASA, name, null);
  }

  /// The actor of the running code; [#COPPICE] if no other is bound.
  public static Actor current() {
    return CURRENT.orElse(COPPICE);
  }

  /// Runs `work` on behalf of this actor.
  public <T, X extends Throwable> T call(ScopedValue.CallableOp<T, X> work) throws X {
    return ScopedValue.where(CURRENT, this).call(work);
  }

  /// Runs `work` on behalf of this actor.
  public void run(Runnable work) {
    ScopedValue.where(CURRENT, this).run(work);
  }
}
