package io.coppice.vasa.soap.translate;

import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.policy.Capability;
import io.coppice.vasa.policy.CapabilityId;
import io.coppice.vasa.policy.CapabilityValue;
import io.coppice.vasa.policy.Constraint;
import io.coppice.vasa.policy.SpanUnit;
import io.coppice.vasa.policy.SubProfile;
import io.coppice.vasa.soap.value.Xml;
import io.coppice.wsdl.capability.CapabilityInstance;
import io.coppice.wsdl.capability.ConstraintInstance;
import io.coppice.wsdl.capability.ObjectFactory;
import io.coppice.wsdl.capability.PropertyInstance;
import io.coppice.wsdl.capability.types.DiscreteSet;
import io.coppice.wsdl.capability.types.Range;
import io.coppice.wsdl.capability.types.TimeSpan;
import io.coppice.wsdl.profile.CapabilityConstraints;
import io.coppice.wsdl.profile.StorageProfile;
import jakarta.xml.bind.JAXBElement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import javax.xml.datatype.Duration;
import org.jspecify.annotations.Nullable;

/// Storage profiles and capabilities on the wire. A missing or malformed part of a profile is
/// InvalidProfile.
public final class ProfileMapper {

  private static final ObjectFactory CAPABILITY = new ObjectFactory();
  private static final io.coppice.wsdl.profile.ObjectFactory PROFILE =
      new io.coppice.wsdl.profile.ObjectFactory();

  private static final int LONGEST_ID = 255;
  private static final int LONGEST_NAME = 1024;
  private static final int LONGEST_DESCRIPTION = 8192;

  private ProfileMapper() {}

  /// @throws VasaException (InvalidProfile) if an id or a value is missing or of an unknown type
  public static io.coppice.vasa.policy.StorageProfile profile(StorageProfile bean) {
    OffsetDateTime created = bean.getCreationTime();
    return new io.coppice.vasa.policy.StorageProfile(
        bounded(present(bean.getProfileId(), "profileId"), "profileId", LONGEST_ID),
        bounded(bean.getName(), "name", LONGEST_NAME),
        bounded(Xml.value(bean.getDescription()), "description", LONGEST_DESCRIPTION),
        bean.getGenerationId(),
        bounded(bean.getCreatedBy(), "createdBy", LONGEST_NAME),
        created == null ? Instant.EPOCH : created.toInstant(),
        subProfiles(bean.getConstraints()));
  }

  /// A text of bounded length, because profiles are kept with their history.
  private static String bounded(@Nullable String text, String name, int most) {
    if (text != null && text.length() > most) {
      throw invalid(
          "expected a %s of a profile of at most %d characters, got one of %d"
              .formatted(name, most, text.length()));
    }
    return Objects.requireNonNullElse(text, "");
  }

  private static List<SubProfile> subProfiles(
      @Nullable JAXBElement<CapabilityConstraints> constraints) {
    if (constraints == null || constraints.isNil() || constraints.getValue() == null) {
      return List.of();
    }
    return constraints.getValue().getSubProfiles().stream()
        .map(
            sub ->
                new SubProfile(
                    Objects.requireNonNullElse(sub.getName(), ""),
                    sub.getCapability().stream().map(ProfileMapper::capability).toList()))
        .toList();
  }

  private static Capability capability(CapabilityInstance bean) {
    if (bean == null || bean.getCapabilityId() == null) {
      throw invalid("expected an id in each capability of a profile, got none");
    }
    CapabilityId id =
        new CapabilityId(
            present(bean.getCapabilityId().getNamespace(), "capability namespace"),
            present(bean.getCapabilityId().getId(), "capability id"));
    if (bean.getConstraint().isEmpty()) {
      throw invalid("expected a constraint of capability %s, got none".formatted(id));
    }
    return new Capability(
        id, bean.getConstraint().stream().map(ProfileMapper::constraint).toList());
  }

  private static Constraint constraint(ConstraintInstance bean) {
    Map<String, CapabilityValue> properties = new LinkedHashMap<>();
    for (PropertyInstance property : bean.getPropertyInstance()) {
      properties.put(present(property.getId(), "property id"), value(property.getValue()));
    }
    return new Constraint(properties);
  }

  private static CapabilityValue value(@Nullable Object bean) {
    return switch (bean) {
      case String text -> new CapabilityValue.Text(text);
      case Long number -> new CapabilityValue.Number(number);
      case Integer number -> new CapabilityValue.Number(number);
      case Double number -> new CapabilityValue.Real(number);
      case Boolean flag -> new CapabilityValue.Flag(flag);
      case TimeSpan span -> new CapabilityValue.Span(span.getValue(), unit(span.getUnit()));
      case Duration duration -> span(duration);
      case DiscreteSet set ->
          new CapabilityValue.OneOf(set.getValues().stream().map(ProfileMapper::value).toList());
      case Range range -> new CapabilityValue.Between(value(range.getMin()), value(range.getMax()));
      case null -> throw invalid("expected a value of each property of a profile, got none");
      default ->
          throw invalid(
              "expected a property of a known type, got " + bean.getClass().getSimpleName());
    };
  }

  /// An `xs:duration` as a span. A month counts 30 days and a year 365.
  private static CapabilityValue.Span span(Duration duration) {
    long days = duration.getYears() * 365L + duration.getMonths() * 30L + duration.getDays();
    long seconds =
        days * 86_400L
            + duration.getHours() * 3600L
            + duration.getMinutes() * 60L
            + duration.getSeconds();
    if (duration.getSign() < 0 || seconds > Integer.MAX_VALUE) {
      throw invalid("expected a duration of 0 to 68 years, got " + duration);
    }
    return new CapabilityValue.Span(Math.toIntExact(seconds), SpanUnit.SECONDS);
  }

  private static SpanUnit unit(@Nullable String text) {
    for (SpanUnit unit : SpanUnit.values()) {
      if (unit.name().equals(text)) {
        return unit;
      }
    }
    throw invalid("expected a unit of time, got '%s'".formatted(text));
  }

  public static StorageProfile bean(io.coppice.vasa.policy.StorageProfile profile) {
    return fill(new StorageProfile(), profile);
  }

  /// Writes a profile into a bean of the type or a subtype.
  public static <T extends StorageProfile> T fill(
      T bean, io.coppice.vasa.policy.StorageProfile profile) {
    CapabilityConstraints constraints = new CapabilityConstraints();
    for (SubProfile sub : profile.subProfiles()) {
      io.coppice.wsdl.profile.SubProfile subBean = new io.coppice.wsdl.profile.SubProfile();
      subBean.setName(sub.name());
      sub.capabilities().forEach(capability -> subBean.getCapability().add(bean(capability)));
      constraints.getSubProfiles().add(subBean);
    }
    bean.setConstraints(PROFILE.createStorageProfileConstraints(constraints));
    bean.setCreatedBy(profile.createdBy());
    bean.setCreationTime(profile.created().atOffset(ZoneOffset.UTC));
    bean.setDescription(PROFILE.createStorageProfileDescription(profile.description()));
    bean.setGenerationId(profile.generation());
    bean.setName(profile.name());
    bean.setProfileId(profile.id());
    return bean;
  }

  public static CapabilityInstance bean(Capability capability) {
    CapabilityInstance bean = new CapabilityInstance();
    bean.setCapabilityId(bean(capability.id()));
    for (Constraint constraint : capability.constraints()) {
      ConstraintInstance constraintBean = new ConstraintInstance();
      new TreeMap<>(constraint.properties())
          .forEach(
              (id, value) -> {
                PropertyInstance property = CAPABILITY.createPropertyInstance();
                property.setId(id);
                property.setValue(bean(value));
                constraintBean.getPropertyInstance().add(property);
              });
      bean.getConstraint().add(constraintBean);
    }
    return bean;
  }

  public static io.coppice.wsdl.capability.CapabilityId bean(CapabilityId id) {
    io.coppice.wsdl.capability.CapabilityId bean = CAPABILITY.createCapabilityId();
    bean.setId(id.id());
    bean.setNamespace(id.namespace());
    return bean;
  }

  public static Object bean(CapabilityValue value) {
    return switch (value) {
      case CapabilityValue.Text(String text) -> text;
      case CapabilityValue.Number(long number) -> number;
      case CapabilityValue.Real(double number) -> number;
      case CapabilityValue.Flag(boolean flag) -> flag;
      case CapabilityValue.Span(int amount, SpanUnit unit) -> {
        TimeSpan span = new TimeSpan();
        span.setUnit(unit.name());
        span.setValue(amount);
        yield span;
      }
      case CapabilityValue.OneOf(List<CapabilityValue> values) -> {
        DiscreteSet set = new DiscreteSet();
        values.forEach(one -> set.getValues().add(bean(one)));
        yield set;
      }
      case CapabilityValue.Between(CapabilityValue min, CapabilityValue max) -> {
        Range range = new Range();
        range.setMin(bean(min));
        range.setMax(bean(max));
        yield range;
      }
    };
  }

  private static String present(@Nullable String text, String what) {
    if (text == null || text.isBlank()) {
      throw invalid("expected a %s in a storage profile, got none".formatted(what));
    }
    return text;
  }

  private static VasaException invalid(String message) {
    return new VasaException(new Fault.InvalidProfile(), message);
  }
}
