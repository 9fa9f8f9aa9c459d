package io.coppice.cli.rest;

import io.coppice.cli.profile.Provider;
import io.coppice.cli.profile.ShellWord;

/// A call as a line for a shell, which does the same. It names the place of the token instead of
/// the token.
public final class CurlLine {

  private CurlLine() {}

  public static String of(Provider provider, RestCall call) {
    StringBuilder line = new StringBuilder("curl --fail-with-body -sS");
    if (provider.root() != null) {
      line.append(" --cacert ").append(ShellWord.of(provider.root().toString()));
    }
    line.append(" -X ").append(call.method());
    line.append(" -H \"Authorization: Bearer ").append(provider.token().inShell()).append('"');
    if (call.tag() != null) {
      line.append(" -H ").append(ShellWord.of("If-Match: " + call.tag()));
    }
    if (call.body() != null) {
      line.append(" -H 'Content-Type: application/json' --data-raw ");
      line.append(ShellWord.of(call.body()));
    }
    return line.append(' ').append(ShellWord.of(provider.url() + call.target())).toString();
  }
}
