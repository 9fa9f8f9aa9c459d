package io.coppice.vasa.soap.argument;

import io.coppice.vasa.fault.EchoedText;
import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.soap.argument.RequestSchema.Child;
import io.coppice.vasa.soap.argument.RequestSchema.Type;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamReader;
import org.apache.cxf.binding.soap.Soap11;
import org.apache.cxf.binding.soap.Soap12;
import org.jspecify.annotations.Nullable;

/// The check of each element of a request while it is read: whether the operation has it, in that
/// namespace, and whether a mandatory element is missing.
///
/// JAXB drops what it does not know. The operation then treats an argument as absent that its
/// client has sent: "these ids" becomes "all". So nothing is dropped unless only a newer version
/// can mean it: a name that no version has, in a namespace of the contract. Everything else is kept
/// here as a problem, and the operation is not run.
///
/// Belongs to one request; used by the thread that reads it.
public final class ArgumentCheck {

  /// Depth of the operation's element: Envelope, Body, operation.
  private static final int REQUEST = 3;

  private static final Pattern INTEGER = Pattern.compile("[+-]?[0-9]{1,30}");
  private static final Set<String> BOOLEANS = Set.of("true", "false", "1", "0");

  private final RequestSchema schema;
  private final @Nullable RequestSchema later;
  private final Set<String> withoutArguments;
  private final BiConsumer<String, QName> readOver;
  private final Deque<Frame> frames = new ArrayDeque<>();
  private int depth;
  private boolean inBody;
  private boolean hasBody;
  private boolean envelope;
  private String operation = "";
  private @Nullable Problem problem;

  /// @param schema of the version that the service speaks
  /// @param later schema of a later version, whose names are ignored; null if there is none
  /// @param withoutArguments operations whose request is empty
  /// @param readOver receives an operation and an ignored name in it that no version has
  ArgumentCheck(
      RequestSchema schema,
      @Nullable RequestSchema later,
      Set<String> withoutArguments,
      BiConsumer<String, QName> readOver) {
    this.schema = schema;
    this.later = later;
    this.withoutArguments = Set.copyOf(withoutArguments);
    this.readOver = readOver;
  }

  /// The reason that the request cannot be run.
  ///
  /// @param argument the operation's argument in question
  private record Problem(String argument, String sentence) {}

  /// An open element.
  private static final class Frame {
    final String name;
    final @Nullable Type type;
    final QName simple;
    final boolean nil;
    final Set<String> seen = new HashSet<>();
    final StringBuilder text = new StringBuilder();

    /// @param type of an element with children; null for others
    /// @param simple the type of an element with a text; [#ANY] for one that is not looked at
    Frame(String name, @Nullable Type type, QName simple, boolean nil) {
      this.name = name;
      this.type = type;
      this.simple = simple;
      this.nil = nil;
    }

    boolean isAny() {
      return type == null && simple.equals(ANY);
    }
  }

  private static final QName ANY = xsd("anyType");

  /// Looks at the reader's current event.
  void saw(int event, XMLStreamReader reader) {
    switch (event) {
      case XMLStreamConstants.START_ELEMENT -> start(reader);
      case XMLStreamConstants.END_ELEMENT -> end();
      case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA -> text(reader.getText());
      default -> {
        // Comments and the like mean nothing.
      }
    }
  }

  /// Whether the beginning of an envelope was seen, and no body in it so far.
  boolean lacksBody() {
    return envelope && !hasBody;
  }

  /// Records a value that does not fit its element's type, as JAXB found it.
  void unreadable(Throwable why) {
    Frame open = frames.peek();
    String element = open == null ? operation : open.name;
    refuse(
        "expected a value of its type in %s, got another: %s"
            .formatted(element, echoed(Objects.requireNonNullElse(why.getMessage(), ""))));
  }

  /// The fault for a request that cannot be run, from its operation's list: InvalidArgument, or the
  /// nearest one to it.
  public Optional<VasaException> refusal(Set<String> listed) {
    return Optional.ofNullable(problem)
        .map(found -> new VasaException(nearest(listed, found.argument()), found.sentence()));
  }

  private static Fault nearest(Set<String> listed, String argument) {
    String name = argument.toLowerCase(Locale.ROOT);
    if (listed.contains("InvalidArgument")) {
      return new Fault.InvalidArgument();
    }
    if (listed.contains("InvalidLogin")
        && (name.endsWith("username") || name.endsWith("password"))) {
      return new Fault.InvalidLogin();
    }
    if (listed.contains("InvalidCertificate")) {
      return new Fault.InvalidCertificate();
    }
    if (listed.contains("InvalidProfile") && name.contains("profile")) {
      return new Fault.InvalidProfile();
    }
    return listed.contains("NotFound") ? new Fault.NotFound() : new Fault.InvalidArgument();
  }

  private void start(XMLStreamReader reader) {
    depth++;
    QName name = reader.getName();
    if (depth == 1) {
      envelope =
          name.equals(Soap11.getInstance().getEnvelope())
              || name.equals(Soap12.getInstance().getEnvelope());
    } else if (depth == REQUEST - 1) {
      inBody = name.getLocalPart().equals("Body");
      hasBody |= inBody;
    } else if (depth == REQUEST && inBody) {
      request(name);
    } else if (depth > REQUEST && !frames.isEmpty()) {
      inside(name, reader);
    }
  }

  private void request(QName name) {
    operation = name.getLocalPart();
    Optional<Type> type =
        withoutArguments.contains(operation)
            ? Optional.of(new Type(null, java.util.Map.of()))
            : schema.request(name);
    type.ifPresent(known -> frames.push(new Frame(operation, known, ANY, false)));
  }

  private void inside(QName name, XMLStreamReader reader) {
    Frame parent = frames.element();
    if (parent.isAny()) {
      frames.push(new Frame(parent.name, null, ANY, false));
      return;
    }
    Optional<Child> child = parent.type == null ? Optional.empty() : accepted(parent, name);
    boolean nil =
        Set.of("true", "1")
            .contains(
                Objects.toString(
                    reader.getAttributeValue(XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI, "nil"),
                    ""));
    child.ifPresentOrElse(
        known -> {
          if (!nil) {
            count(parent, known);
          }
          frames.push(frame(known, reader, nil));
        },
        () -> frames.push(new Frame(name.getLocalPart(), null, ANY, nil)));
    if (parent.type == null) {
      refuse(
          "expected a text in %s, got an element %s".formatted(parent.name, echoed(name)),
          parent.name);
    }
  }

  /// The child that an element stands for; empty if it is ignored or refused.
  private Optional<Child> accepted(Frame parent, QName name) {
    Type type = Objects.requireNonNull(parent.type);
    String local = name.getLocalPart();
    Optional<Child> same = schema.child(type, local);
    if (same.isPresent() && same.get().name().equals(name)) {
      return same;
    }
    Optional<Child> like = schema.likeChild(type, local);
    if (like.isPresent()) {
      refuse(
          "expected %s in %s, got %s".formatted(like.get().name(), parent.name, echoed(name)),
          argument(like.get().name().getLocalPart()));
    } else if (!schema.has(name.getNamespaceURI())) {
      refuse(
          "expected elements of the contract's namespaces in %s, got %s"
              .formatted(parent.name, echoed(name)),
          argument(local));
    } else if (isMisplaced(local)) {
      refuse(
          "expected no %s in %s, which has no such argument".formatted(echoed(name), parent.name),
          argument(local));
    } else {
      readOver.accept(operation, name);
    }
    return Optional.empty();
  }

  /// Whether a name that the operation lacks is the argument of another operation.
  private boolean isMisplaced(String local) {
    return frames.size() == 1 && schema.hasArgument(local) && !isOfLater(local);
  }

  /// Whether a later version of the operation has the argument.
  private boolean isOfLater(String local) {
    return later != null
        && later
            .request(new QName(VersionNamespace.V2, operation))
            .flatMap(type -> later.child(type, local))
            .isPresent();
  }

  private void count(Frame parent, Child child) {
    String local = child.name().getLocalPart();
    if (!parent.seen.add(local) && !child.repeated()) {
      refuse("expected one %s in %s, got more".formatted(local, parent.name), argument(local));
    }
  }

  private Frame frame(Child child, XMLStreamReader reader, boolean nil) {
    String local = child.name().getLocalPart();
    QName type = claimedType(reader).filter(this::isKnownType).orElse(child.type());
    return new Frame(local, schema.type(type).orElse(null), type, nil);
  }

  private boolean isKnownType(QName type) {
    return schema.type(type).isPresent()
        || type.getNamespaceURI().equals(XMLConstants.W3C_XML_SCHEMA_NS_URI);
  }

  /// The type that an element claims.
  private static Optional<QName> claimedType(XMLStreamReader reader) {
    String text = reader.getAttributeValue(XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI, "type");
    if (text == null) {
      return Optional.empty();
    }
    int colon = text.indexOf(':');
    String namespace = reader.getNamespaceURI(colon < 0 ? "" : text.substring(0, colon).strip());
    return Optional.of(
        new QName(Objects.requireNonNullElse(namespace, ""), text.substring(colon + 1).strip()));
  }

  private void text(String text) {
    Frame open = frames.peek();
    if (open == null || open.isAny()) {
      return;
    }
    if (open.type != null && !text.isBlank()) {
      refuse(
          "expected elements in %s, got a text".formatted(open.name), // which may be a secret
          argument(open.name));
    } else if (open.type == null && open.text.length() <= EchoedText.USUAL) {
      open.text.append(text, 0, Math.min(text.length(), EchoedText.USUAL + 1));
    }
  }

  private void end() {
    depth--;
    Frame closed = frames.poll();
    if (closed == null) {
      return;
    }
    if (closed.type == null && !closed.nil) {
      requireValue(closed);
    }
    if (frames.isEmpty() && closed.type != null) {
      requireAll(closed, closed.type);
    }
  }

  private void requireAll(Frame request, Type type) {
    for (Child child : type.children().values()) {
      String local = child.name().getLocalPart();
      if (child.mandatory() && !request.seen.contains(local)) {
        refuse("expected an argument %s of %s, got none".formatted(local, request.name), local);
      }
    }
  }

  private void requireValue(Frame closed) {
    String text = closed.text.toString().strip();
    if (closed.simple.equals(xsd("long")) || closed.simple.equals(xsd("int"))) {
      if (!isNumber(text, closed.simple)) {
        refuse(
            "expected a number in %s, got '%s'".formatted(closed.name, echoed(text)),
            argument(closed.name));
      }
    } else if (closed.simple.equals(xsd("boolean")) && !BOOLEANS.contains(text)) {
      refuse(
          "expected true or false in %s, got '%s'".formatted(closed.name, echoed(text)),
          argument(closed.name));
    }
  }

  private static boolean isNumber(String text, QName type) {
    if (!INTEGER.matcher(text).matches()) {
      return false;
    }
    var value = new java.math.BigInteger(text);
    return value.bitLength() < (type.equals(xsd("int")) ? Integer.SIZE : Long.SIZE);
  }

  /// The operation's argument that an inner element belongs to.
  private String argument(String innermost) {
    List<Frame> outerFirst = frames.stream().toList().reversed();
    return outerFirst.size() > 1 ? outerFirst.get(1).name : innermost;
  }

  private void refuse(String sentence) {
    refuse(sentence, argument(operation));
  }

  private void refuse(String sentence, String argument) {
    if (problem == null) {
      problem = new Problem(argument, sentence);
    }
  }

  private static String echoed(QName name) {
    return echoed(
        name.getNamespaceURI().isEmpty()
            ? name.getLocalPart() + " without a namespace"
            : name.toString());
  }

  private static String echoed(String text) {
    return EchoedText.of(text);
  }

  private static QName xsd(String name) {
    return new QName(XMLConstants.W3C_XML_SCHEMA_NS_URI, name);
  }
}
