package io.coppice.vasa.soap.translate;

import io.coppice.vasa.soap.value.Xml;
import io.coppice.wsdl.data.MessageCatalog;
import io.coppice.wsdl.data.ObjectFactory;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The texts of our message ids, as vmsg files: listed by `queryCatalog`, fetched by vCenter with
/// GET.
public final class MessageCatalogs {

  /// Path of the files on the VASA port.
  public static final String PATH = "/vasa/catalog/";

  private static final List<String> NAMES = List.of("Event", "Alarm", "Fault", "Policy");
  private static final List<String> LOCALES = List.of("en", "de");
  private static final ObjectFactory DATA = new ObjectFactory();

  private final String version;
  private final Instant lastModified;

  /// @param version of the software: a client fetches a catalog again when it changes
  /// @param lastModified when this build was made or started
  public MessageCatalogs(String version, Instant lastModified) {
    this.version = version;
    this.lastModified = lastModified;
  }

  public List<MessageCatalog> list() {
    return LOCALES.stream()
        .flatMap(locale -> NAMES.stream().map(name -> entry(name, locale)))
        .toList();
  }

  /// Identifiers of the catalogs, one of each kind and language.
  public List<String> ids() {
    return LOCALES.stream()
        .flatMap(locale -> NAMES.stream().map(name -> "MessageCatalog:" + name + "_" + locale))
        .toList();
  }

  private MessageCatalog entry(String name, String locale) {
    var wire = new MessageCatalog();
    wire.setCatalogName(DATA.createMessageCatalogCatalogName(name));
    wire.setCatalogUri(DATA.createMessageCatalogCatalogUri(PATH + fileName(name, locale)));
    wire.setCatalogVersion(DATA.createMessageCatalogCatalogVersion(version));
    wire.setLastModified(DATA.createMessageCatalogLastModified(Xml.time(lastModified)));
    wire.setLocale(DATA.createMessageCatalogLocale(locale));
    wire.setModuleName(DATA.createMessageCatalogModuleName("coppice"));
    return wire;
  }

  private static String fileName(String name, String locale) {
    return name.toLowerCase(Locale.ROOT) + "_" + locale + ".vmsg";
  }

  /// The text of a catalog; empty if there is none of that file name.
  static Optional<byte[]> text(@Nullable String file) {
    if (file == null || !isOffered(file)) {
      return Optional.empty();
    }
    try (InputStream in = MessageCatalogs.class.getResourceAsStream("/catalog" + file)) {
      if (in == null) {
        throw new IllegalStateException("the build lacks the catalog " + file);
      }
      return Optional.of(in.readAllBytes());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static boolean isOffered(String file) {
    return LOCALES.stream()
        .anyMatch(
            locale -> NAMES.stream().anyMatch(name -> ("/" + fileName(name, locale)).equals(file)));
  }

  /// Answers GET for the catalogs; needs no session, like version.xml.
  public static final class Files extends HttpServlet {

    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      Optional<byte[]> text = text(request.getPathInfo());
      if (text.isEmpty()) {
        response.sendError(HttpServletResponse.SC_NOT_FOUND);
        return;
      }
      response.setContentType("text/plain");
      response.setCharacterEncoding(StandardCharsets.UTF_8.name());
      response.getOutputStream().write(text.get());
    }
  }
}
