package io.coppice.cli.verb;

import io.coppice.cli.failure.CommandFailedException;
import io.coppice.cli.failure.ExitStatus;
import io.coppice.cli.output.TimeSpan;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The arguments and options of one run of a verb, by their labels and names. Values that are
/// missing are null.
public final class Inputs {

  private static final int LARGEST_FILE = 1 << 20;

  private final Options options;
  private final ClientSession session;
  private final Map<String, String> ids = new HashMap<>();

  Inputs(Typed typed, ClientSession session) {
    options = new Options(typed);
    this.session = session;
  }

  public @Nullable String text(String name) {
    return options.first(name);
  }

  /// A text that the parser has made sure of.
  public String need(String name) {
    String text = options.first(name);
    if (text == null) {
      throw CommandFailedException.usage("expected %s, got none", name);
    }
    return text;
  }

  public List<String> texts(String name) {
    return options.all(name);
  }

  public boolean isOn(String name) {
    return options.isOn(name);
  }

  /// A size in bytes.
  public @Nullable Long size(String name) {
    return options.size(name);
  }

  /// A number without a unit; `none` means null.
  public @Nullable Long count(String name) {
    String text = options.first(name);
    return text == null || text.equals("none")
        ? null
        : Long.valueOf(Options.number(name, text, 0, Integer.MAX_VALUE));
  }

  public @Nullable Integer number(String name) {
    String text = options.first(name);
    return text == null ? null : Options.number(name, text, 0, Integer.MAX_VALUE);
  }

  /// A size in bytes a second; `none` means null.
  public @Nullable Long rate(String name) {
    return "none".equals(options.first(name)) ? null : options.size(name);
  }

  /// A length of time, in ISO 8601.
  public @Nullable String time(String name) {
    String text = options.first(name);
    return text == null ? null : TimeSpan.parse(name, text).toString();
  }

  /// `on` or `off`.
  public @Nullable Boolean onOff(String name) {
    String text = options.first(name);
    if (text == null) {
      return null;
    }
    if (!text.equals("on") && !text.equals("off")) {
      throw CommandFailedException.usage("expected %s on or off, got '%s'", name, text);
    }
    return text.equals("on");
  }

  /// The id of an object that was named; the server is asked for a name once.
  public @Nullable String id(String name, Kind kind) {
    String text = options.first(name);
    return text == null ? null : idOf(kind, text);
  }

  public @Nullable UUID uuid(String name, Kind kind) {
    String id = id(name, kind);
    return id == null ? null : parsed(kind, id);
  }

  public List<UUID> uuids(String name, Kind kind) {
    return options.all(name).stream().map(one -> parsed(kind, idOf(kind, one))).toList();
  }

  /// The ids of objects that were named and may be of any of some kinds.
  public List<String> ids(String name, List<Kind> kinds) {
    return options.all(name).stream().map(one -> Names.idOf(kinds, one, session)).toList();
  }

  /// The ids of objects that were named; null if none was.
  public @Nullable List<UUID> someUuids(String name, Kind kind) {
    List<UUID> ids = uuids(name, kind);
    return ids.isEmpty() ? null : ids;
  }

  private static UUID parsed(Kind kind, String id) {
    try {
      return UUID.fromString(id);
    } catch (IllegalArgumentException e) {
      throw new CommandFailedException(
          ExitStatus.NOT_FOUND, "there is no %s '%s'".formatted(kind.word(), id));
    }
  }

  private String idOf(Kind kind, String text) {
    return ids.computeIfAbsent(kind + " " + text, _ -> Names.idOf(kind, text, session));
  }

  /// A secret from the file that an option names, or from the terminal.
  ///
  /// @throws CommandFailedException if there is none
  public String secret(String name, String question) {
    String secret =
        text(name) == null
            ? session.surroundings().ask(question, true)
            : file(name).replaceFirst("\\R$", "");
    if (secret.isEmpty()) {
      throw CommandFailedException.usage("expected a password, got none");
    }
    return secret;
  }

  /// The text of a file that an option names; `-` is the standard input.
  ///
  /// @throws CommandFailedException if it cannot be read, or is larger than 1 MiB
  public String file(String name) {
    String file = need(name);
    try (var in =
        file.equals("-")
            ? session.surroundings().in()
            : Files.newInputStream(session.surroundings().folder().resolve(file))) {
      byte[] bytes = in.readNBytes(LARGEST_FILE + 1);
      if (bytes.length > LARGEST_FILE) {
        throw CommandFailedException.usage("expected %s of at most 1 MiB, got more", file);
      }
      return new String(bytes, java.nio.charset.StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw CommandFailedException.usage("expected to read %s, but %s", file, e);
    }
  }
}
