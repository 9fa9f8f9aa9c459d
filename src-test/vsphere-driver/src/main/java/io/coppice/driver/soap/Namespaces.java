package io.coppice.driver.soap;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.namespace.NamespaceContext;
import org.jspecify.annotations.Nullable;

/// The prefixes that this package's envelopes and paths use.
final class Namespaces implements NamespaceContext {
  static final String SOAP_11 = "http://schemas.xmlsoap.org/soap/envelope/";
  static final String SOAP_12 = "http://www.w3.org/2003/05/soap-envelope";
  static final String SERVICE = "http://com.vmware.vim.vasa/2.0/xsd";
  static final String XSI = XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI;

  /// Prefix to namespace, for what a request may contain.
  static final Map<String, String> BY_PREFIX = byPrefix();

  private static Map<String, String> byPrefix() {
    Map<String, String> map = new LinkedHashMap<>();
    map.put("ns", SERVICE);
    map.put("data", "http://data.vasa.vim.vmware.com/xsd");
    map.put("vvol", "http://vvol.data.vasa.vim.vmware.com/xsd");
    map.put("prof", "http://profile.policy.data.vasa.vim.vmware.com/xsd");
    map.put("cap", "http://capability.policy.data.vasa.vim.vmware.com/xsd");
    map.put("capprov", "http://provider.capability.policy.data.vasa.vim.vmware.com/xsd");
    map.put("captypes", "http://types.capability.policy.data.vasa.vim.vmware.com/xsd");
    map.put("policy", "http://policy.data.vasa.vim.vmware.com/xsd");
    map.put("compl", "http://compliance.policy.data.vasa.vim.vmware.com/xsd");
    map.put("stats", "http://statistics.data.vasa.vim.vmware.com/xsd");
    map.put("fault", "http://fault.vasa.vim.vmware.com/xsd");
    map.put("xs", XMLConstants.W3C_XML_SCHEMA_NS_URI);
    map.put("xsi", XSI);
    return map;
  }

  @Override
  public String getNamespaceURI(String prefix) {
    return BY_PREFIX.getOrDefault(prefix, XMLConstants.NULL_NS_URI);
  }

  @Override
  public @Nullable String getPrefix(String namespace) {
    for (Map.Entry<String, String> entry : BY_PREFIX.entrySet()) {
      if (entry.getValue().equals(namespace)) {
        return entry.getKey();
      }
    }
    return null;
  }

  @Override
  public Iterator<String> getPrefixes(String namespace) {
    String prefix = getPrefix(namespace);
    return prefix == null ? List.<String>of().iterator() : List.of(prefix).iterator();
  }
}
