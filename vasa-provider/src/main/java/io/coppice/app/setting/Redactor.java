package io.coppice.app.setting;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The removal of secrets from text. It knows them in two ways: the secrets of this home by their
/// values, wherever they stand, also in base64 and as parts of URLs; and all others by what stands
/// before them, such as `password=`. Rather too much is removed than too little. Immutable.
public final class Redactor {

  /// The text in the place of a secret.
  public static final String REDACTED = "(redacted)";

  /// A value that is shorter could be part of any word.
  private static final int SHORTEST = 6;

  private static final String SECRET_NAME =
      "[\\w.\\-]*(?:password|passwd|passphrase|secret|token|credential|api[_-]?key|private[_-]?key"
          + "|session[_-]?id|authorization|signature|cookie|chap)[\\w.\\-]*";

  /// Keys of whole blocks, also where they are cut off.
  private static final Pattern PRIVATE_KEY =
      Pattern.compile(
          "-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\\z)",
          Pattern.DOTALL);

  private static final Pattern BEARER =
      Pattern.compile(
          "\\b(bearer|basic|digest|negotiate)\\s+[^\\s\"',;]+", Pattern.CASE_INSENSITIVE);

  /// A header to the end of its line.
  private static final Pattern HEADER =
      Pattern.compile(
          "\\b((?:proxy-)?authorization|(?:set-)?cookie2?|x-[\\w-]*(?:token|key|secret|signature))"
              + "(\\s*[:=]\\s*)[^\\r\\n]+",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern USER_INFO =
      Pattern.compile("\\b([a-z][a-z0-9+.-]*://)[^\\s/?#\"'<>]*@", Pattern.CASE_INSENSITIVE);

  /// `user:password@host`, as a driver says it of a URL that it has taken apart.
  private static final Pattern BARE_USER_INFO =
      Pattern.compile("(?<![\\w/.])[\\w.+-]+:[^\\s:@/?#\"'<>]+@(?=[\\w\\[])");

  /// `"password": "…"` with escapes, also in single quotes.
  private static final Pattern QUOTED =
      Pattern.compile(
          "([\"']"
              + SECRET_NAME
              + "[\"']\\s*[:=]\\s*)(\"(?:\\\\.|[^\"\\\\])*\"?|'(?:\\\\.|[^'\\\\])*'?)",
          Pattern.CASE_INSENSITIVE);

  /// `password=…` and `password: …`.
  private static final Pattern ASSIGNED =
      Pattern.compile(
          "\\b("
              + SECRET_NAME
              + "\\s*[=:]\\s*)(\"(?:\\\\.|[^\"\\\\])*\"?|'[^']*'?|[^\\s\"'&;,)}\\]]+)",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern ELEMENT =
      Pattern.compile(
          "(<(?:[\\w-]+:)?" + SECRET_NAME + "(?:\\s[^>]*)?>).*?(</|\\z)",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private final List<String> known;

  /// @param secrets values that are removed wherever they stand
  public Redactor(Collection<String> secrets) {
    Set<String> all = new TreeSet<>();
    for (String secret : secrets) {
      if (secret.length() >= SHORTEST) {
        forms(secret).filter(form -> form.length() >= SHORTEST).forEach(all::add);
      }
    }
    known = all.stream().sorted(Comparator.comparingInt(String::length).reversed()).toList();
  }

  private static Stream<String> forms(String secret) {
    byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
    return Stream.of(
        secret,
        URLEncoder.encode(secret, StandardCharsets.UTF_8),
        secret.replace("\\", "\\\\").replace("\"", "\\\""),
        Base64.getEncoder().encodeToString(bytes),
        Base64.getEncoder().withoutPadding().encodeToString(bytes),
        Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /// The text without secrets.
  public String of(String text) {
    String left = text;
    for (String secret : known) {
      left = left.replace(secret, REDACTED);
    }
    left = PRIVATE_KEY.matcher(left).replaceAll(REDACTED);
    left = HEADER.matcher(left).replaceAll("$1$2" + REDACTED);
    left = BEARER.matcher(left).replaceAll("$1 " + REDACTED);
    left = USER_INFO.matcher(left).replaceAll("$1" + REDACTED + "@");
    left = BARE_USER_INFO.matcher(left).replaceAll(REDACTED + "@");
    left = QUOTED.matcher(left).replaceAll("$1\"" + REDACTED + "\"");
    left = ASSIGNED.matcher(left).replaceAll(Redactor::assigned);
    return ELEMENT.matcher(left).replaceAll("$1" + REDACTED + "$2");
  }

  /// What says that something is redacted already stays as it is.
  private static String assigned(java.util.regex.MatchResult found) {
    String value = found.group(2);
    return Matcher.quoteReplacement(
        value.startsWith("(redacted") || value.equals("\"" + REDACTED + "\"")
            ? found.group()
            : found.group(1) + REDACTED);
  }

  /// Whether a setting of this name holds a secret.
  public static boolean isSecret(String name) {
    return Pattern.compile(SECRET_NAME, Pattern.CASE_INSENSITIVE).matcher(name).matches()
        && !name.endsWith("-file");
  }
}
