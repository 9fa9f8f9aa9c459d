import { Content } from '@patternfly/react-core';
import { Link } from 'react-router';
import { useRefusal } from '../../kit/action-button';
import { Facts } from '../../kit/facts';
import { Figure, Time } from '../../kit/figure';
import { given } from '../../kit/given';
import { useFormat, useText } from '../../text/preferences';
import { MachineLine, VolumeLine } from '../protection/group-members';
import { useVolumeNames } from '../protection/members';
import { tierWords } from '../protection/rule-words';
import { Lag, StateMark } from './group-marks';
import { shortTime } from './lag';
import type { Group, Replica } from './replication';

/** What a group is, and the state of this end. */
export function GroupFacts(props: { group: Group; peer: string; replicas: readonly Replica[] }) {
  const { group, peer, replicas } = props;
  const text = useText();
  const format = useFormat();
  const t = text.replication;
  const keep = group.keep.map((tier) => tierWords(tier, text, format));
  const about = replicas.find(({ id }) => id === group.replica);
  return (
    <Facts
      of={given([
        [t.state, <StateMark state={group.state} />],
        [t.since, <Time at={group.since} />],
        [
          t.peerName,
          <Link to={`/replication?tab=peers&q=${encodeURIComponent(group.peer)}`}>{peer}</Link>,
        ],
        [t.interval, format.duration(group.interval)],
        [t.paused, group.paused ? text.common.yes : text.common.no],
        [t.lag, <Lag group={group} />],
        [t.rpo, t.rpoOf(format.duration(group.rpo), group.usualRpo)],
        [t.newest, group.newest !== null && <Time at={group.newest} />],
        [t.keep, keep.length === 0 ? t.keepNewest : keep.join('; ')],
        [t.container, group.container ?? t.firstContainer],
        [
          t.aboutReplica,
          about === undefined
            ? group.replica
            : t.oneOf(about.number, format.time(about.taken), about.name),
        ],
      ])}
    />
  );
}

/** How the cycles went since the provider of the source started. */
export function CycleFacts({ group }: { group: Group }) {
  const text = useText();
  const format = useFormat();
  const t = text.replication.cycles;
  const { id, cycles } = group;
  if (cycles === null) {
    return <p>{t.atSource}</p>;
  }
  const figure = (name: 'ended' | 'failed' | 'dataBytes' | 'linkBytes', unit: 'bytes' | 'count') => (
    <Figure of={`/replication/groups/${id}`} at={`/cycles/${name}`} value={cycles[name]} unit={unit} />
  );
  return (
    <Facts
      of={given([
        [t.begun, cycles.begun !== null && <Time at={cycles.begun} />],
        [t.took, cycles.took !== null && shortTime(cycles.took, format)],
        [t.ended, figure('ended', 'count')],
        [t.failed, figure('failed', 'count')],
        [t.data, figure('dataBytes', 'bytes')],
        [t.link, figure('linkBytes', 'bytes')],
        [text.replication.lastError, cycles.error !== null && <span lang="en">{cycles.error}</span>],
      ])}
    />
  );
}

/** The members of a group, each a link to its page where it is here. */
export function Members({ group }: { group: Group }) {
  const names = useVolumeNames();
  const refusal = useRefusal('GET /vms');
  return (
    <Content component="ul">
      {group.members.map(({ vm, volume }) => {
        if (vm === null) {
          return names.has(volume ?? '') ? (
            <VolumeLine key={volume} id={volume ?? ''} names={names} />
          ) : (
            <li key={volume} className="c-wrap">
              {volume}
            </li>
          );
        }
        return refusal === undefined ? (
          <MachineLine key={vm} id={vm} />
        ) : (
          <li key={vm} className="c-wrap">
            {vm}
          </li>
        );
      })}
    </Content>
  );
}

/** The volumes that a test shows, or that a fail-over brought, each a link to its page. */
export function HeldVolumes({ ids }: { ids: readonly string[] }) {
  const names = useVolumeNames();
  return (
    <Content component="ul">
      {ids.map((id) => (
        <VolumeLine key={id} id={id} names={names} />
      ))}
    </Content>
  );
}
