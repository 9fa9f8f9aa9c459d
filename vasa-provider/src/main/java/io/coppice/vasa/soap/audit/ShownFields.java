package io.coppice.vasa.soap.audit;

import jakarta.xml.bind.JAXBElement;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The fields of arguments and results that the audit trail gets: those that are named here, at any
/// depth, and nothing else. Passwords, session ids, cookies and certificates have other names.
final class ShownFields {

  private static final Set<String> SHOWN =
      Set.of(
          "baseVvolId",
          "bindContext",
          "containerId",
          "destHostId",
          "deviceGroupId",
          "dstVVolId",
          "entityId",
          "faultDomainId",
          "forceApply",
          "generationId",
          "hostGuid",
          "iscsiIdentifier",
          "newContainerId",
          "newSizeInMB",
          "profileId",
          "sizeInMB",
          "snapType",
          "snapshotVvolId",
          "srcBaseVVolId",
          "srcVVolId",
          "taskId",
          "taskState",
          "timeoutMS",
          "unbindContext",
          "uniqueId",
          "vcGuid",
          "vvolId",
          "vvolSecondaryId",
          "vvolType");

  /// The name of a piece of metadata, whose value may be anything.
  private static final Set<String> KEYS = Set.of("parameterName", "keys", "keysToDelete");

  private static final String OURS = "io.coppice.wsdl.";
  private static final int DEEPEST = 6;
  private static final int MOST_IN_A_LIST = 32;

  private ShownFields() {}

  /// Tells the shown fields of a value: a name, and its text.
  ///
  /// @param name of the value itself
  static void tell(String name, @Nullable Object value, BiConsumer<String, String> listener) {
    tell(name, value, listener, 0);
  }

  private static void tell(
      String name, @Nullable Object value, BiConsumer<String, String> listener, int depth) {
    Object plain = value instanceof JAXBElement<?> element ? element.getValue() : value;
    if (plain == null || depth > DEEPEST) {
      return;
    }
    if (plain instanceof Collection<?> all) {
      tellAll(name, all, listener, depth);
    } else if (plain.getClass().getName().startsWith(OURS) && !(plain instanceof Enum<?>)) {
      for (Field field : fields(plain.getClass())) {
        read(plain, field).ifPresent(one -> tell(field.getName(), one, listener, depth + 1));
      }
    } else if (SHOWN.contains(name) || KEYS.contains(name)) {
      listener.accept(name, plain.toString());
    }
  }

  private static void tellAll(
      String name, Collection<?> all, BiConsumer<String, String> listener, int depth) {
    boolean texts = all.stream().allMatch(String.class::isInstance);
    if (!texts) {
      all.stream().limit(MOST_IN_A_LIST).forEach(one -> tell(name, one, listener, depth + 1));
    } else if (!all.isEmpty() && (SHOWN.contains(name) || KEYS.contains(name))) {
      String some =
          all.stream().limit(MOST_IN_A_LIST).map(String::valueOf).collect(Collectors.joining(" "));
      listener.accept(
          name, all.size() > MOST_IN_A_LIST ? "%s (%d)".formatted(some, all.size()) : some);
    }
  }

  /// The fields of a bean, those of its ancestors too.
  private static List<Field> fields(Class<?> type) {
    List<Field> fields = new ArrayList<>();
    for (Class<?> at = type; at.getName().startsWith(OURS); at = at.getSuperclass()) {
      for (Field field : at.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())) {
          fields.add(field);
        }
      }
    }
    return fields;
  }

  private static Optional<Object> read(Object bean, Field field) {
    String end = Character.toUpperCase(field.getName().charAt(0)) + field.getName().substring(1);
    for (String start : new TreeSet<>(Set.of("get", "is"))) {
      try {
        Method getter = bean.getClass().getMethod(start + end);
        return Optional.ofNullable(getter.invoke(bean));
      } catch (NoSuchMethodException e) {
        continue; // the other form
      } catch (ReflectiveOperationException e) {
        return Optional.empty();
      }
    }
    return Optional.empty();
  }
}
