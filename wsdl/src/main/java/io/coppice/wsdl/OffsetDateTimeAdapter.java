package io.coppice.wsdl;

import jakarta.xml.bind.annotation.adapters.XmlAdapter;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import javax.xml.datatype.DatatypeConfigurationException;
import javax.xml.datatype.DatatypeConstants;
import javax.xml.datatype.DatatypeFactory;
import javax.xml.datatype.XMLGregorianCalendar;
import org.jspecify.annotations.Nullable;

/// Reads and writes `xs:dateTime` as [OffsetDateTime].
///
/// Reading takes every form that XML Schema allows; a time without a zone is taken as UTC. Writing
/// always states seconds and zone and cuts to milliseconds, which is what every known client can
/// hold. A text that is no `xs:dateTime` is refused with [IllegalArgumentException].
public final class OffsetDateTimeAdapter
    extends XmlAdapter<@Nullable String, @Nullable OffsetDateTime> {

  private static final DatatypeFactory XML_TYPES = xmlTypes();

  /// For JAXB, which makes its adapters itself.
  public OffsetDateTimeAdapter() {}

  @Override
  public @Nullable OffsetDateTime unmarshal(@Nullable String text) {
    if (text == null || text.isBlank()) {
      return null;
    }
    XMLGregorianCalendar time = XML_TYPES.newXMLGregorianCalendar(text.strip());
    if (!time.getXMLSchemaType().equals(DatatypeConstants.DATETIME)) {
      throw new IllegalArgumentException("expected an xs:dateTime, got '" + text.strip() + "'");
    }
    if (time.getTimezone() == DatatypeConstants.FIELD_UNDEFINED) {
      time.setTimezone(0);
    }
    return time.toGregorianCalendar().toZonedDateTime().toOffsetDateTime();
  }

  @Override
  public @Nullable String marshal(@Nullable OffsetDateTime time) {
    return time == null
        ? null
        : DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(time.truncatedTo(ChronoUnit.MILLIS));
  }

  private static DatatypeFactory xmlTypes() {
    try {
      return DatatypeFactory.newInstance();
    } catch (DatatypeConfigurationException e) {
      throw new IllegalStateException("the JDK has no XML data type factory", e);
    }
  }
}
