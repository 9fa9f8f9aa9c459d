package io.coppice.vasa.soap.fault;

import io.coppice.vasa.fault.Fault;
import io.coppice.vasa.soap.value.Xml;
import io.coppice.wsdl.fault.ActivateProviderFailed;
import io.coppice.wsdl.fault.InactiveProvider;
import io.coppice.wsdl.fault.IncompatibleVolume;
import io.coppice.wsdl.fault.InvalidArgument;
import io.coppice.wsdl.fault.InvalidCertificate;
import io.coppice.wsdl.fault.InvalidLogin;
import io.coppice.wsdl.fault.InvalidProfile;
import io.coppice.wsdl.fault.InvalidSession;
import io.coppice.wsdl.fault.InvalidStatisticsContext;
import io.coppice.wsdl.fault.LostAlarm;
import io.coppice.wsdl.fault.LostEvent;
import io.coppice.wsdl.fault.NotCancellable;
import io.coppice.wsdl.fault.NotFound;
import io.coppice.wsdl.fault.NotImplemented;
import io.coppice.wsdl.fault.NotSupported;
import io.coppice.wsdl.fault.ObjectFactory;
import io.coppice.wsdl.fault.OutOfResource;
import io.coppice.wsdl.fault.PermissionDenied;
import io.coppice.wsdl.fault.ResourceInUse;
import io.coppice.wsdl.fault.SnapshotTooMany;
import io.coppice.wsdl.fault.StorageFault;
import io.coppice.wsdl.fault.Timeout;
import io.coppice.wsdl.fault.TooMany;
import io.coppice.wsdl.fault.VasaProviderBusy;
import io.coppice.wsdl.replication.AlreadyDone;
import io.coppice.wsdl.replication.DuplicateEntry;
import io.coppice.wsdl.replication.InvalidFunctionTarget;
import io.coppice.wsdl.replication.InvalidReplicationState;
import io.coppice.wsdl.replication.NoReplicationTarget;
import io.coppice.wsdl.replication.NoValidReplica;
import io.coppice.wsdl.replication.PeerNotReachable;
import io.coppice.wsdl.replication.SyncOngoing;

/// Faults as values of the `fault` schema, as they stand, with their `xsi:type`, in tasks and in
/// the items of a batch.
public final class FaultBeans {

  private static final ObjectFactory FAULTS = new ObjectFactory();

  private FaultBeans() {}

  public static Object of(Fault fault) {
    return switch (fault) {
      case Fault.ActivateProviderFailed _ -> new ActivateProviderFailed();
      case Fault.InactiveProvider(String entityId, String entityType) -> {
        InactiveProvider bean = new InactiveProvider();
        bean.setEntityId(FAULTS.createInactiveProviderEntityId(entityId));
        bean.setEntityType(FAULTS.createInactiveProviderEntityType(entityType));
        yield bean;
      }
      case Fault.IncompatibleVolume _ -> new IncompatibleVolume();
      case Fault.InvalidArgument _ -> new InvalidArgument();
      case Fault.InvalidCertificate invalid -> {
        InvalidCertificate bean = new InvalidCertificate();
        bean.getCertificate().addAll(invalid.certificates());
        bean.getCrl().addAll(invalid.revocationLists());
        yield bean;
      }
      case Fault.InvalidLogin _ -> new InvalidLogin();
      case Fault.InvalidProfile _ -> new InvalidProfile();
      case Fault.InvalidSession _ -> new InvalidSession();
      case Fault.InvalidStatisticsContext _ -> new InvalidStatisticsContext();
      case Fault.LostAlarm _ -> new LostAlarm();
      case Fault.LostEvent _ -> new LostEvent();
      case Fault.NotCancellable _ -> new NotCancellable();
      case Fault.NotFound _ -> new NotFound();
      case Fault.NotImplemented _ -> new NotImplemented();
      case Fault.NotSupported _ -> new NotSupported();
      case Fault.OutOfResource _ -> new OutOfResource();
      case Fault.PermissionDenied _ -> new PermissionDenied();
      case Fault.ResourceInUse _ -> new ResourceInUse();
      case Fault.SnapshotTooMany _ -> new SnapshotTooMany();
      case Fault.StorageFault storage -> {
        StorageFault bean = new StorageFault();
        bean.setFaultMessageId(FAULTS.createStorageFaultFaultMessageId(storage.messageId()));
        bean.getParameterList().addAll(Xml.sortedPairs(storage.parameters()));
        yield bean;
      }
      case Fault.Timeout _ -> new Timeout();
      case Fault.TooMany(long maxBatchSize) -> {
        TooMany bean = new TooMany();
        bean.setMaxBatchSize(maxBatchSize);
        yield bean;
      }
      case Fault.VasaProviderBusy _ -> new VasaProviderBusy();
      case Fault.DuplicateEntry _ -> new DuplicateEntry();
      case Fault.InvalidFunctionTarget _ -> new InvalidFunctionTarget();
      case Fault.InvalidReplicationState(String current, var desired) -> {
        InvalidReplicationState bean = new InvalidReplicationState();
        bean.setCurrentState(current);
        bean.getDesiredState().addAll(desired);
        yield bean;
      }
      case Fault.NoValidReplica _ -> new NoValidReplica();
      case Fault.PeerNotReachable _ -> new PeerNotReachable();
      case Fault.SyncOngoing(String task) -> {
        SyncOngoing bean = new SyncOngoing();
        bean.setTask(task);
        yield bean;
      }
      case Fault.AlreadyDone _ -> new AlreadyDone();
      case Fault.NoReplicationTarget _ -> new NoReplicationTarget();
    };
  }
}
