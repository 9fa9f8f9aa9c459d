package io.coppice.vasa.soap.operation;

import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.session.CurrentSession;
import io.coppice.vasa.session.ProviderRegistration;
import io.coppice.vasa.session.UsageContext;
import io.coppice.vasa.session.VasaCaller;
import io.coppice.vasa.session.VasaSession;
import io.coppice.vasa.session.VasaSessions;
import io.coppice.vasa.soap.translate.ArrayIdentity;
import io.coppice.vasa.soap.translate.SessionMapper;
import io.coppice.vasa.soap.translate.TaskMapper;
import io.coppice.vasa.soap.value.Xml;
import io.coppice.vasa.task.Tasks;
import io.coppice.wsdl.data.ActivationSpec;
import io.coppice.wsdl.data.VasaProviderInfo;
import io.coppice.wsdl.service.ActivateProvider;
import io.coppice.wsdl.service.QueryCACertificateRevocationListsResponse;
import io.coppice.wsdl.service.QueryCACertificatesResponse;
import io.coppice.wsdl.service.RefreshCACertificatesAndCRLs;
import io.coppice.wsdl.service.RegisterCASignedProviderCertificate;
import io.coppice.wsdl.service.RequestCSRResponse;
import io.coppice.wsdl.service.UnregisterVASACertificate;
import io.coppice.wsdl.vvol.TaskInfo;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// Session, registration and certificates (contract §5.1).
@Component
public final class SessionOperations {

  private final ProviderRegistration registration;
  private final VasaSessions sessions;
  private final SessionMapper mapper;
  private final ArrayIdentity array;
  private final Tasks tasks;
  private final TaskMapper taskMapper;

  SessionOperations(
      ProviderRegistration registration,
      VasaSessions sessions,
      SessionMapper mapper,
      ArrayIdentity array,
      Tasks tasks,
      TaskMapper taskMapper) {
    this.registration = registration;
    this.sessions = sessions;
    this.mapper = mapper;
    this.array = array;
    this.tasks = tasks;
    this.taskMapper = taskMapper;
  }

  public VasaProviderInfo setContext(io.coppice.wsdl.data.@Nullable UsageContext usageContext) {
    UsageContext context = SessionMapper.usageContext(usageContext);
    VasaSession session = sessions.open(VasaCaller.current(), context);
    return mapper.providerInfo(session.id(), registration.retainsCertificate());
  }

  public VasaProviderInfo registerVASACertificate(
      @Nullable String userName, @Nullable String password, @Nullable String newCertificate) {
    return register(userName, password, List.of(text(newCertificate)), List.of());
  }

  public VasaProviderInfo registerCACertificatesAndCRLs(
      @Nullable String providerUserName,
      @Nullable String providerPassword,
      @Nullable List<String> caRootCert,
      @Nullable List<String> caCRL) {
    return register(providerUserName, providerPassword, texts(caRootCert), texts(caCRL));
  }

  private VasaProviderInfo register(
      @Nullable String user, @Nullable String password, List<String> roots, List<String> lists) {
    registration.register(VasaCaller.current(), text(user), text(password), roots, lists);
    return mapper.providerInfo(SessionMapper.NO_SESSION, registration.retainsCertificate());
  }

  public void unregisterVASACertificate(UnregisterVASACertificate parameters) {
    registration.unregister(
        VasaCaller.current(),
        Objects.requireNonNullElse(Xml.text(parameters.getExistingCertificate()), ""));
  }

  public void refreshCACertificatesAndCRLs(RefreshCACertificatesAndCRLs parameters) {
    registration.refresh(
        CurrentSession.get(), texts(parameters.getCaRootCert()), texts(parameters.getCaCRL()));
  }

  public RequestCSRResponse requestCSR() {
    var response = new RequestCSRResponse();
    response.setReturn(registration.requestCertificate(VasaCaller.current()));
    return response;
  }

  public void registerCASignedProviderCertificate(RegisterCASignedProviderCertificate parameters) {
    registration.acceptCertificate(
        VasaCaller.current(), text(parameters.getProviderCert()), parameters.isForceApply());
  }

  public QueryCACertificatesResponse queryCACertificates() {
    var response = new QueryCACertificatesResponse();
    response.getReturn().addAll(registration.roots(CurrentSession.get()));
    return response;
  }

  public QueryCACertificateRevocationListsResponse queryCACertificateRevocationLists() {
    var response = new QueryCACertificateRevocationListsResponse();
    response.getReturn().addAll(registration.revocationLists(CurrentSession.get()));
    return response;
  }

  /// Does nothing. This provider is the only one of its array and always active, as
  /// `needsExplicitActivation` says.
  public void activateProvider(ActivateProvider parameters) {
    array.checkOwn(parameters.getEntityId());
  }

  /// Does nothing, as [#activateProvider]. The provider that was active before does not matter.
  public TaskInfo activateProviderEx(@Nullable ActivationSpec activationSpec) {
    if (activationSpec == null) {
      throw VasaException.invalidArgument("expected an activationSpec, got none");
    }
    array.checkOwn(activationSpec.getEntityId());
    return taskMapper.info(tasks.done("activateProviderEx"));
  }

  private static String text(@Nullable String text) {
    return text == null ? "" : text;
  }

  private static List<String> texts(@Nullable List<String> texts) {
    return texts == null ? List.of() : texts.stream().map(SessionOperations::text).toList();
  }
}
