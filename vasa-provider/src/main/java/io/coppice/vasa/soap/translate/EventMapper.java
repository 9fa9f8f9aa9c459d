package io.coppice.vasa.soap.translate;

import io.coppice.vasa.event.Event;
import io.coppice.vasa.event.EventType;
import io.coppice.vasa.event.RaisedAlarm;
import io.coppice.vasa.policy.ComplianceStatus;
import io.coppice.vasa.soap.value.Xml;
import io.coppice.wsdl.data.ComplianceAlarm;
import io.coppice.wsdl.data.ObjectFactory;
import io.coppice.wsdl.data.StorageAlarm;
import io.coppice.wsdl.data.StorageEvent;
import io.coppice.wsdl.vvol.RebindEvent;

/// The translation of events and alarms to stubs. Optional elements without a value are left out.
public final class EventMapper {

  private static final ObjectFactory DATA = new ObjectFactory();

  private final String arrayId;

  /// @param arrayId identifier of the array that all events belong to
  public EventMapper(String arrayId) {
    this.arrayId = arrayId;
  }

  public StorageEvent event(Event event) {
    StorageEvent wire = wireType(event);
    wire.setArrayId(DATA.createStorageEventArrayId(arrayId));
    wire.setEventId(event.id());
    wire.setEventTimeStamp(DATA.createStorageEventEventTimeStamp(Xml.time(event.at())));
    wire.setEventType(DATA.createStorageEventEventType(event.type().wireName()));
    wire.setMessageId(DATA.createStorageEventMessageId(event.messageId()));
    if (event.change() != null) {
      wire.setEventConfigType(DATA.createStorageEventEventConfigType(event.change()));
    }
    if (event.objectType() != null) {
      wire.setEventObjType(DATA.createStorageEventEventObjType(event.objectType()));
    }
    if (event.objectId() != null) {
      wire.setObjectId(DATA.createStorageEventObjectId(event.objectId()));
    }
    wire.getParameterList().addAll(Xml.pairs(event.parameters()));
    return wire;
  }

  private static StorageEvent wireType(Event event) {
    if (event.type() != EventType.REBIND) {
      return new StorageEvent();
    }
    var rebind = new RebindEvent();
    rebind.getVvolId().addAll(event.virtualVolumes());
    return rebind;
  }

  /// The stub of an alarm. One about a policy names the policy and its compliance.
  private static StorageAlarm wireType(RaisedAlarm alarm) {
    String policy = alarm.parameters().get(RaisedAlarm.POLICY);
    if (!alarm.type().equals(RaisedAlarm.COMPLIANCE) || policy == null) {
      return new StorageAlarm();
    }
    var compliance = new ComplianceAlarm();
    boolean kept = alarm.status() == RaisedAlarm.Status.GREEN;
    compliance.setComplianceStatus(
        (kept ? ComplianceStatus.COMPLIANT : ComplianceStatus.NON_COMPLIANT).text());
    compliance.setProfileId(policy);
    return compliance;
  }

  public StorageAlarm alarm(RaisedAlarm alarm) {
    StorageAlarm wire = wireType(alarm);
    wire.setAlarmId(alarm.id());
    wire.setAlarmTimeStamp(DATA.createStorageAlarmAlarmTimeStamp(Xml.time(alarm.at())));
    wire.setAlarmType(DATA.createStorageAlarmAlarmType(alarm.type()));
    if (alarm.containerId() != null) {
      wire.setContainerId(DATA.createStorageAlarmContainerId(alarm.containerId()));
    }
    wire.setMessageId(DATA.createStorageAlarmMessageId(alarm.messageId()));
    wire.setObjectId(DATA.createStorageAlarmObjectId(alarm.objectId()));
    wire.setObjectType(DATA.createStorageAlarmObjectType(alarm.objectType()));
    wire.getParameterList().addAll(Xml.pairs(alarm.parameters()));
    wire.setStatus(DATA.createStorageAlarmStatus(alarm.status().wireName()));
    return wire;
  }
}
