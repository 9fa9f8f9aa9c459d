package io.coppice.admin.openid;

import org.springframework.web.util.HtmlUtils;

/// A page that tells why a login has failed.
final class RefusalPage {

  private static final String PAGE =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head><meta charset="utf-8"><title>Coppice: no login</title></head>
      <body>
      <h1>You are not logged in</h1>
      <p>%s.</p>
      <p><a href="%s">Log in again</a></p>
      </body>
      </html>
      """;

  private RefusalPage() {}

  /// @param reason one sentence without its full stop
  static String of(String reason) {
    String sentence =
        reason.isEmpty() ? reason : Character.toUpperCase(reason.charAt(0)) + reason.substring(1);
    return PAGE.formatted(HtmlUtils.htmlEscape(sentence), OpenIdController.BEGIN);
  }
}
