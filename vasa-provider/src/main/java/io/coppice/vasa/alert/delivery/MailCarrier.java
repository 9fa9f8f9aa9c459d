package io.coppice.vasa.alert.delivery;

import jakarta.mail.Message.RecipientType;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.Transport;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Date;
import java.util.List;
import java.util.Properties;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/// The carrier to a mail server: one mail for a message, or one for all that wait. Without TLS it
/// sends only where the target says so, and then never a password.
final class MailCarrier implements Carrier {

  /// Messages in one mail.
  private static final int MOST = 50;

  private static final int LONGEST_SUBJECT = 150;

  /// Most causes of a failure that are looked at.
  private static final int MOST_CAUSES = 10;

  private final Target target;
  private final Target.Mail mail;
  private final DeliverySettings settings;
  private final Session session;

  MailCarrier(Target target, Target.Mail mail, DeliverySettings settings) throws IOException {
    this.target = target;
    this.mail = mail;
    this.settings = settings;
    this.session = Session.getInstance(properties());
  }

  private Properties properties() throws IOException {
    String patience = Long.toString(settings.patience().toMillis());
    Properties all = new Properties();
    all.put("mail.transport.protocol", "smtp");
    all.put("mail.smtp.host", mail.host());
    all.put("mail.smtp.port", Integer.toString(mail.port()));
    all.put("mail.smtp.connectiontimeout", patience);
    all.put("mail.smtp.timeout", patience);
    all.put("mail.smtp.auth", Boolean.toString(mail.user() != null));
    all.put("mail.smtp.from", mail.from());
    all.put("mail.smtp.localhost", "coppice");
    switch (mail.security()) {
      case STARTTLS -> {
        all.put("mail.smtp.starttls.enable", "true");
        all.put("mail.smtp.starttls.required", "true");
      }
      case TLS -> all.put("mail.smtp.ssl.enable", "true");
      case NONE -> {}
    }
    if (mail.security() != Target.Security.NONE) {
      all.put("mail.smtp.ssl.checkserveridentity", "true");
      all.put("mail.smtp.ssl.protocols", "TLSv1.3 TLSv1.2");
      all.put("mail.smtp.ssl.socketFactory", Authorities.context(target.ca()).getSocketFactory());
    }
    return all;
  }

  @Override
  public int most() {
    return MOST;
  }

  @Override
  public void carry(List<Message> messages) throws IOException {
    Reach.require(mail.host(), true);
    try (Transport transport = session.getTransport()) {
      MimeMessage letter = letter(messages);
      if (mail.user() == null) {
        transport.connect();
      } else {
        transport.connect(mail.host(), mail.port(), mail.user(), target.secret());
      }
      transport.sendMessage(letter, letter.getAllRecipients());
    } catch (MessagingException e) {
      throw new IOException(reason(e), e);
    }
  }

  /// The reason of a failure in words, without the names of classes where it is about TLS.
  private String reason(MessagingException e) {
    SSLException tls = tls(e);
    if (tls == null) {
      return "the mail server said: " + e.getMessage();
    }
    if (tls instanceof SSLHandshakeException || tls instanceof SSLPeerUnverifiedException) {
      return "the mail server at %s:%d was not trusted, so nothing was sent: its certificate was refused: %s"
          .formatted(mail.host(), mail.port(), tls.getMessage());
    }
    return mail.security() == Target.Security.TLS
        ? "expected TLS from the first byte on at %s:%d, but the server speaks in the clear: is it a port for starttls? (%s)"
            .formatted(mail.host(), mail.port(), tls.getMessage())
        : "the mail server at %s:%d broke TLS: %s"
            .formatted(mail.host(), mail.port(), tls.getMessage());
  }

  /// The failure of TLS that a failure comes from; null if it is another one.
  private static @Nullable SSLException tls(MessagingException failure) {
    Throwable at = failure;
    for (int depth = 0; at != null && depth < MOST_CAUSES; depth++) {
      if (at instanceof SSLException tls) {
        return tls;
      }
      Exception next = at instanceof MessagingException one ? one.getNextException() : null;
      at = next == null ? at.getCause() : next;
    }
    return null;
  }

  private MimeMessage letter(List<Message> messages) throws MessagingException {
    Message first = messages.getFirst();
    MimeMessage letter =
        new MimeMessage(session) {
          @Override
          protected void updateMessageID() throws MessagingException {
            setHeader("Message-ID", "<%s@coppice>".formatted(first.id()));
          }
        };
    letter.setFrom(new InternetAddress(mail.from(), true));
    for (String to : mail.to()) {
      letter.addRecipient(RecipientType.TO, new InternetAddress(to, true));
    }
    letter.setSubject(subject(messages), StandardCharsets.UTF_8.name());
    letter.setSentDate(Date.from(first.at()));
    letter.setHeader("Auto-Submitted", "auto-generated");
    letter.setText(text(messages), StandardCharsets.UTF_8.name());
    return letter;
  }

  private static String subject(List<Message> messages) {
    String text =
        messages.size() == 1
            ? "[Coppice] %s: %s"
                .formatted(word(messages.getFirst()), messages.getFirst().sentences().cause())
            : "[Coppice] %d alerts, the first: %s"
                .formatted(messages.size(), messages.getFirst().sentences().cause());
    String line = oneLine(text);
    return line.length() > LONGEST_SUBJECT ? line.substring(0, LONGEST_SUBJECT) + "…" : line;
  }

  /// What a header may hold: nothing that could end it.
  private static String oneLine(String text) {
    return text.replaceAll("[\\p{Cntrl}\\u2028\\u2029]+", " ");
  }

  private static String word(Message message) {
    return switch (message.event()) {
      case RAISED -> message.severity();
      case RESOLVED -> "resolved";
      case TEST -> "test";
    };
  }

  private static String text(List<Message> messages) {
    StringBuilder text = new StringBuilder();
    for (Message message : messages) {
      text.append(
          """
          %s, %s, %s %s
          %s
          Effect: %s
          Remedy: %s
          Alert: %s

          """
              .formatted(
                  word(message),
                  message.at(),
                  message.kind(),
                  oneLine(message.object()),
                  oneLine(message.sentences().cause()),
                  message.sentences().effect(),
                  message.sentences().remedy(),
                  message.alert() == null ? "none" : message.alert()));
    }
    return text.toString();
  }

  @Override
  public void close() {
    // each mail has a connection of its own
  }
}
